/** The one live state of this page, and the stream that feeds it while somebody can see the page. */
import type { EvaluationEvent, InstallEvent, RunEvent } from "../api/evaluation";
import { Stream } from "../api/stream";
import { type Happening, INITIAL, type Live, next } from "./live";
import { Store } from "./store";

export const live = new Store<Live>(INITIAL);

export function tell(happening: Happening): void {
  live.update((state) => next(state, happening));
}

/** Follows the server until the page is closed. A page that nobody sees holds no connection. */
export function follow(): void {
  const stream = new Stream({
    onOpen: () => tell({ kind: "open" }),
    onLost: (reason) => tell({ kind: "lost", reason: reason?.message ?? null }),
    onState: (frame) => tell({ kind: "frame", frame }),
    onEvent: (name, data) => {
      if (name === "run") tell({ kind: "run", event: data as RunEvent });
      if (name === "evaluation") tell({ kind: "evaluation", event: data as EvaluationEvent });
      if (name === "install") tell({ kind: "install", event: data as InstallEvent });
    },
  });
  const attend = () => (document.hidden ? stream.close() : stream.open());
  document.addEventListener("visibilitychange", attend);
  attend();
}
