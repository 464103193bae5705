/** The stores of this page, and the stream that feeds the live one while somebody can see the page. */
import { ApiError, get, UNREACHABLE } from "../api/client";
import type { EvaluationEvent, InstallEvent, RunEvent, SessionAnswer } from "../api/evaluation";
import { Stream } from "../api/stream";
import { type Choices, NOTHING_CHOSEN } from "./choices";
import { type Known, learn, NOTHING_KNOWN } from "./known";
import { type Happening, INITIAL, isActive, type Live, next } from "./live";
import { remembered } from "./preferences";
import { Store } from "./store";

export const live = new Store<Live>(INITIAL);
export const choices = new Store<Choices>(NOTHING_CHOSEN);
export const known = new Store<Known>(NOTHING_KNOWN);
export const preferences = remembered();

export function tell(happening: Happening): void {
  live.update((state) => next(state, happening));
}

export function choose(change: Partial<Choices>): void {
  choices.update((state) => ({ ...state, ...change }));
}

/** Follows the server until the page is closed. A page that nobody sees holds no connection. */
export function follow(): void {
  const stream = new Stream({
    onOpen: () => {
      tell({ kind: "open" });
      void catchUp();
    },
    onLost: (reason) => tell({ kind: "lost", reason: reason && reason.code !== UNREACHABLE ? reason.message : null }),
    onState: (frame) => tell({ kind: "frame", frame }),
    onEvent: (name, data) => {
      if (name === "run") tell({ kind: "run", event: data as RunEvent });
      if (name === "evaluation") tell({ kind: "evaluation", event: data as EvaluationEvent });
      if (name === "install") tell({ kind: "install", event: data as InstallEvent });
    },
  });
  const attend = () => (document.hidden ? stream.close() : stream.open());
  document.addEventListener("visibilitychange", attend);
  live.subscribe(learnWhenTheWorldChanges);
  live.subscribe(showTheResult);
  attend();
}

/** A session may have begun, gone on or ended while this page was not listening. */
async function catchUp(): Promise<void> {
  const answer = await get<SessionAnswer>("/evaluation/session").catch(noAnswer);
  if (answer) tell({ kind: "session", session: answer.session });
}

/** The world that was learnt or is being learnt; empty when none is. */
let learnt = "";
const LEARN_AGAIN_MS = 1000;

function learnWhenTheWorldChanges(): void {
  const { link, frame } = live.get();
  // A reloaded world or a restarted server may have other files, so both make everything unknown again.
  const wanted = link.status === "open" && frame?.current && !frame.switching ? frame.current : "";
  if (wanted === learnt) return;
  learnt = wanted;
  if (wanted) void learnWorld(wanted);
}

async function learnWorld(wanted: string): Promise<void> {
  const what = await learn().catch(noAnswer);
  if (learnt !== wanted) return;
  if (!what) {
    setTimeout(() => {
      if (learnt === wanted) void learnWorld(wanted);
    }, LEARN_AGAIN_MS);
    return;
  }
  if (known.get().world?.world !== what.world?.world) choose({ moves: [], selected: null });
  known.update(() => what);
}

let watched: string | null = null;

/** The card appears to everybody who saw the session run. */
function showTheResult(): void {
  const state = live.get();
  if (isActive(state)) {
    watched = state.session?.session_id ?? null;
  } else if (watched && state.session?.session_id === watched) {
    watched = null;
    choose({ dialog: "result" });
  }
}

/** Refusals here have no reader: the link's own banner tells what is wrong. */
function noAnswer(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
