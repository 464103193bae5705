/**
 * What the server has told this page: a pure function from what happened to the next state.
 *
 * Frames replace each other. The session is put together from its document (`GET /evaluation/session`, asked for whenever the
 * stream opens) and the events that follow it.
 */
import type { EvaluationEvent, InstallEvent, LogLine, RunEvent, Session } from "../api/evaluation";
import type { StateFrame } from "../api/types";

/** How the event stream is doing. */
export type Link = { status: "connecting" } | { status: "open" } | { status: "lost"; reason: string | null };

export interface Live {
  link: Link;
  /** The newest state; the last one known while the link is lost. */
  frame: StateFrame | null;
  /** The running or the last session; its log is kept here beside it. */
  session: Session | null;
  log: readonly LogLine[];
  /** Simulation time at which the session's clock was at zero. */
  sessionZero: number | null;
  installs: Readonly<Record<string, InstallEvent>>;
}

export type Happening =
  | { kind: "open" }
  | { kind: "lost"; reason: string | null }
  | { kind: "frame"; frame: StateFrame }
  | { kind: "session"; session: Session | null }
  | { kind: "run"; event: RunEvent }
  | { kind: "evaluation"; event: EvaluationEvent }
  | { kind: "install"; event: InstallEvent };

export const INITIAL: Live = {
  link: { status: "connecting" },
  frame: null,
  session: null,
  log: [],
  sessionZero: null,
  installs: {},
};

/** Enough to read what happened; the record keeps everything. */
export const LOG_LINES = 300;

export function next(live: Live, happening: Happening): Live {
  switch (happening.kind) {
    case "open":
      return { ...live, link: { status: "open" } };
    case "lost":
      return { ...live, link: { status: "lost", reason: happening.reason } };
    case "frame":
      return { ...live, frame: happening.frame };
    case "session":
      return withSession(live, happening.session);
    case "run":
      return afterRun(live, happening.event);
    case "evaluation":
      return afterEvaluation(live, happening.event);
    case "install":
      return { ...live, installs: { ...live.installs, [happening.event.world_id]: happening.event } };
  }
}

/** Whether a session is under way. */
export function isActive(live: Live): boolean {
  return live.session !== null && live.session.phase !== "ended";
}

/** Simulated seconds on the clock of the session; it stands still once it has ended. */
export function sessionSeconds(live: Live): number {
  const { session, frame, sessionZero } = live;
  if (!session) return 0;
  if (session.phase !== "running" || !frame || sessionZero === null) return session.elapsed_s;
  return Math.max(0, frame.time - sessionZero);
}

function withSession(live: Live, session: Session | null): Live {
  if (!session) return { ...live, session: null, log: [], sessionZero: null };
  const sessionZero = session.phase === "running" && live.frame ? live.frame.time - session.elapsed_s : null;
  return { ...live, session, log: session.log.slice(-LOG_LINES), sessionZero };
}

function afterRun(live: Live, event: RunEvent): Live {
  if (!live.session) return live;
  switch (event.phase) {
    case "start":
      return changed(live, { student: { running: true, exit_code: null } });
    case "exit":
      return changed(live, { student: { running: false, exit_code: event.exit_code } });
    case "log":
      return { ...live, log: appended(live.log, { t: null, stream: event.stream, line: event.line }) };
  }
}

function afterEvaluation(live: Live, event: EvaluationEvent): Live {
  if (event.kind === "start") return withSession(live, event.session);
  if (live.session?.session_id !== event.session_id) return live;
  switch (event.kind) {
    case "phase": {
      const sessionZero = event.phase === "running" && live.frame ? live.frame.time - event.t : live.sessionZero;
      return { ...changed(live, { phase: event.phase, elapsed_s: event.t }), sessionZero };
    }
    case "record":
      return changed(live, { record: event.value });
    case "log":
      return { ...live, log: appended(live.log, { t: event.t, stream: "script", line: event.line }) };
    case "end":
      return changed(live, {
        phase: "ended",
        elapsed_s: event.t,
        outcome: event.outcome,
        record: event.record,
        reason: event.reason,
      });
  }
}

function changed(live: Live, change: Partial<Session>): Live {
  return live.session ? { ...live, session: { ...live.session, ...change } } : live;
}

function appended(log: readonly LogLine[], line: LogLine): readonly LogLine[] {
  return [...log.slice(1 - LOG_LINES), line];
}
