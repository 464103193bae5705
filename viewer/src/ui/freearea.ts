/** What the panels leave free of the window: there the world is shown, and the text on screen. */
import { useEffect } from "preact/hooks";
import type { Margins, Stage } from "../scene/stage";
import { isActive } from "../state/live";
import { choices, live, preferences } from "../state/page";
import { isPhone } from "../state/preferences";
import { useStore } from "../state/store";

export function useFreeArea(stage: Stage | null): void {
  const board = useStore(choices, (state) => state.board);
  const active = useStore(live, isActive);
  const panel = useStore(preferences, (chosen) => chosen.panel);
  useEffect(() => {
    if (!stage) return;
    const measure = () => {
      const free = margins(document.querySelector(".middle")!);
      stage.setMargins(free);
      for (const [side, pixels] of Object.entries(free)) document.documentElement.style.setProperty(`--free-${side}`, `${pixels}px`);
    };
    // At once, so that a world is never shown below the panels first; then whenever a card grows with what it shows.
    measure();
    const watch = new ResizeObserver(measure);
    for (const element of document.querySelectorAll(".middle, .board, .sidepanel")) watch.observe(element);
    window.addEventListener("resize", measure);
    return () => {
      watch.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [stage, board, active, panel]);
}

function margins(middle: Element): Margins {
  const box = middle.getBoundingClientRect();
  // The head-up display's log may be long, and the robot's camera makes the bottom higher: both lie over the scene.
  const top = boxOf(".hud-row")?.bottom ?? box.top;
  const bottom = boxOf(".drivepad")?.top ?? window.innerHeight;
  const board = boxOf(".board");
  if (!isPhone()) {
    return { left: board?.right ?? box.left, top, right: window.innerWidth - box.right, bottom: window.innerHeight - bottom };
  }
  // On a phone the board hangs from the top, and the panel is a sheet that covers everything at the bottom.
  const sheet = boxOf(".sidepanel")?.top ?? bottom;
  return { left: box.left, top: board?.bottom ?? top, right: window.innerWidth - box.right, bottom: window.innerHeight - sheet };
}

function boxOf(selector: string): DOMRect | undefined {
  return document.querySelector(selector)?.getBoundingClientRect();
}
