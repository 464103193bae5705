/** What this person chose on this machine; kept by the browser. */
import { Store } from "./store";

export type Language = "en" | "ko";
export type Theme = "auto" | "dark" | "light";
export type View = "orbit" | "follow" | "top" | "driver";

export interface Preferences {
  language: Language;
  theme: Theme;
  view: View;
  grid: boolean;
  /** The side panel is open. */
  panel: boolean;
  /** Metres per second with the key held down. */
  driveSpeed: number;
}

const KEY = "sim_api.preferences";

export const VIEWS: readonly View[] = ["orbit", "follow", "top", "driver"];

export function defaults(languages: readonly string[], wide: boolean): Preferences {
  const first = languages.find((language) => /^(en|ko)\b/i.test(language));
  const language: Language = first?.toLowerCase().startsWith("ko") ? "ko" : "en";
  return { language, theme: "auto", view: "orbit", grid: false, panel: wide, driveSpeed: 0.6 };
}

/** What was stored, as far as it makes sense, over the defaults. */
export function restored(text: string | null, fallback: Preferences): Preferences {
  let stored: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? "{}");
    if (typeof parsed === "object" && parsed) stored = parsed;
  } catch {
    // Somebody else's text under our key: the defaults are as good as ever.
  }
  const oneOf = <T>(value: unknown, allowed: readonly T[], otherwise: T) =>
    allowed.includes(value as T) ? (value as T) : otherwise;
  const speed = stored.driveSpeed;
  return {
    language: oneOf<Language>(stored.language, ["en", "ko"], fallback.language),
    theme: oneOf<Theme>(stored.theme, ["auto", "dark", "light"], fallback.theme),
    view: oneOf(stored.view, VIEWS, fallback.view),
    grid: oneOf(stored.grid, [true, false], fallback.grid),
    panel: oneOf(stored.panel, [true, false], fallback.panel),
    driveSpeed: typeof speed === "number" && speed > 0 && speed <= 3 ? speed : fallback.driveSpeed,
  };
}

/** As in the styles: cards and panel lie over the scene of so narrow a window. */
export function isPhone(): boolean {
  return window.innerWidth <= 760;
}

/** The preferences of this browser. Every change is written down at once. */
export function remembered(): Store<Preferences> {
  const fallback = defaults(navigator.languages, !isPhone());
  const store = new Store(restored(read(), fallback));
  store.subscribe(() => write(JSON.stringify(store.get())));
  return store;
}

// A browser may forbid storage; then nothing is remembered and everything else works.
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(text: string): void {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    return;
  }
}
