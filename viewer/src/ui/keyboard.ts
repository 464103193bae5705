/** The keyboard: driving keys and short cuts. Typing into a field is left alone. */
import type { Driver } from "../drive/driver";
import { directionOf } from "../drive/keys";
import { setPaused, undo } from "../state/actions";
import { choices, choose, live, preferences } from "../state/page";
import { VIEWS } from "../state/preferences";

/** Listens until the returned function is called. */
export function listenToKeys(driver: Driver): () => void {
  const down = (event: KeyboardEvent) => {
    if (isTyping(event.target) || choices.get().dialog) return;
    if ((event.ctrlKey || event.metaKey) && event.code === "KeyZ") {
      event.preventDefault();
      void undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = directionOf(event.code);
    if (direction) {
      // Arrow keys would scroll a panel.
      event.preventDefault();
      driver.press(direction);
    } else if (!event.repeat) {
      shortCut(event.code);
    }
  };
  const up = (event: KeyboardEvent) => {
    const direction = directionOf(event.code);
    if (direction) driver.release(direction);
  };
  const away = () => driver.releaseAll();
  window.addEventListener("keydown", down);
  window.addEventListener("keyup", up);
  window.addEventListener("blur", away);
  document.addEventListener("visibilitychange", away);
  return () => {
    window.removeEventListener("keydown", down);
    window.removeEventListener("keyup", up);
    window.removeEventListener("blur", away);
    document.removeEventListener("visibilitychange", away);
    away();
  };
}

function shortCut(code: string): void {
  const view = /^Digit([1-4])$/.exec(code);
  if (view) {
    const chosen = VIEWS[Number(view[1]) - 1];
    if (chosen) preferences.update((state) => ({ ...state, view: chosen }));
  }
  if (code === "KeyG") preferences.update((state) => ({ ...state, grid: !state.grid }));
  if (code === "KeyC") choose({ camera: !choices.get().camera });
  if (code === "KeyL") choose({ lidar: !choices.get().lidar });
  if (code === "KeyP") void setPaused(!live.get().frame?.paused);
  if (code === "Escape") choose({ selected: null });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
}
