/** What the panels leave free of the window: there the world is shown, and the text on screen. */
import { useEffect } from "preact/hooks";
import type { Margins, Stage } from "../scene/stage";
import { isActive } from "../state/live";
import { choices, live } from "../state/page";
import { useStore } from "../state/store";

/** On narrower windows cards lie over the scene and are closed again. */
const WIDE_PX = 760;

export function useFreeArea(stage: Stage | null): void {
  const board = useStore(choices, (state) => state.board);
  const active = useStore(live, isActive);
  useEffect(() => {
    const middle = document.querySelector(".middle");
    if (!stage || !middle) return;
    const measure = () => {
      const free = margins(middle);
      stage.setMargins(free);
      for (const [side, pixels] of Object.entries(free)) document.documentElement.style.setProperty(`--free-${side}`, `${pixels}px`);
    };
    const watch = new ResizeObserver(measure);
    watch.observe(middle);
    window.addEventListener("resize", measure);
    return () => {
      watch.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [stage, board, active]);
}

function margins(middle: Element): Margins {
  const box = middle.getBoundingClientRect();
  // Its log may be long; that lies over the scene like a card.
  const top = document.querySelector(".hud-row")?.getBoundingClientRect().bottom ?? box.top;
  // The robot's camera makes the bottom higher; it lies in a corner, where little is lost.
  const bottom = document.querySelector(".drivepad")?.getBoundingClientRect().top ?? window.innerHeight;
  const board = window.innerWidth > WIDE_PX ? document.querySelector(".board")?.getBoundingClientRect().right : undefined;
  return { left: board ?? box.left, top, right: window.innerWidth - box.right, bottom: window.innerHeight - bottom };
}
