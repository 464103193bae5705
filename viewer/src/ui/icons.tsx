/** Line drawings of 24 by 24, in the colour of the text around them. */

const PATHS = {
  pause: "M9 5v14M15 5v14",
  play: "M8 5.5v13l10-6.5z",
  flag: "M6 21V4M6 5c4-2.5 8 2.5 12 0v9c-4 2.5-8-2.5-12 0",
  board: "M8 4h8v6a4 4 0 0 1-8 0zM8 6H5c0 3 1 4.5 3 5M16 6h3c0 3-1 4.5-3 5M12 14v4M8 20h8",
  sliders: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  close: "M6 6l12 12M18 6L6 18",
  chevron: "M7 10l5 5 5-5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1",
  moon: "M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.500z",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  reset: "M5 12a7 7 0 1 0 2.2-5.100M5 4.500V8h3.5",
  reload: "M19 12a7 7 0 0 1-12.6 4.200M5 12a7 7 0 0 1 12.6-4.200M18 4v4h-4M6 20v-4h4",
  home: "M4 11.500L12 5l8 6.500M6.5 10v9h11v-9",
  undo: "M9 14L4.5 9.5 9 5M5 9.500h8.500a5 5 0 0 1 0 10H10",
  camera: "M4 8h3l1.5-2.500h7L17 8h3v11H4zM12 10.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  lidar: "M12 12l6-6M12 5a7 7 0 1 0 7 7M12 8.500a3.5 3.5 0 1 0 3.5 3.5",
  grid: "M4 4h16v16H4zM4 9.300h16M4 14.600h16M9.3 4v16M14.6 4v16",
  orbit: "M12 9.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM3 12c0-2.5 4-4.5 9-4.500s9 2 9 4.5-4 4.5-9 4.5-9-2-9-4.500z",
  follow: "M5 17l2-6h10l2 6M5 17h14v2.500M5 17v2.500M12 3v5M9.5 5.500L12 8l2.5-2.5",
  top: "M12 4v9M8.5 9.500L12 13l3.5-3.500M5 17h14v3H5z",
  driver: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM4.5 11H10M14 11h5.500M12 14v6",
  stop: "M7 7h10v10H7z",
  trash: "M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10.5 10.500v5.500M13.5 10.500v5.5",
  download: "M12 4v11M7.5 11L12 15.5 16.5 11M5 19.500h14",
  check: "M5 12.500l4.5 4.500L19 7.5",
  warning: "M12 4.500L3.5 19h17zM12 10v4M12 16.500v.300",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.500l3 2",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  left: "M19 12H5M11 6l-6 6 6 6",
  right: "M5 12h14M13 6l6 6-6 6",
  language: "M4 6h9M8.5 4v2c0 5-2 8-4.5 9.500M6 9.500c1 3 3 5 6 6M12.5 20l4-10 4 10M14 17h5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
