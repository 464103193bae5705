import { describe, expect, it } from "vitest";
import type { EvaluationEvent, Session } from "../../../viewer/src/api/evaluation";
import type { StateFrame } from "../../../viewer/src/api/types";
import { INITIAL, type Happening, LOG_LINES, type Live, isActive, next, sessionSeconds } from "../../../viewer/src/state/live";

const after = (start: Live, ...happenings: Happening[]) => happenings.reduce(next, start);
const frame = (time: number) => ({ time, current: "vehicle_base" }) as StateFrame;
const session = (change: Partial<Session> = {}): Session => ({
  session_id: "a1",
  world: "vehicle_base",
  phase: "starting",
  command: "python3 drive.py",
  time_limit_s: 60,
  elapsed_s: 0,
  record: null,
  better: "lower",
  student: { running: false, exit_code: null },
  log: [],
  outcome: null,
  reason: null,
  started_at: "2026-01-01T00:00:00Z",
  ...change,
});
const event = (change: Partial<EvaluationEvent>): Happening => ({
  kind: "evaluation",
  event: { session_id: "a1", t: 0, ...change } as EvaluationEvent,
});

describe("the link", () => {
  it("keeps the last frame while it is lost, with the reason", () => {
    const lost = after(INITIAL, { kind: "open" }, { kind: "frame", frame: frame(2) }, { kind: "lost", reason: "gone" });
    expect(lost.link).toEqual({ status: "lost", reason: "gone" });
    expect(lost.frame?.time).toBe(2);
    expect(after(lost, { kind: "open" }).link.status).toBe("open");
  });
});

describe("a session", () => {
  it("is followed from its start to its end", () => {
    let live = after(INITIAL, { kind: "frame", frame: frame(10) }, event({ kind: "start", session: session() }));
    expect(isActive(live)).toBe(true);
    live = after(live, event({ kind: "phase", phase: "running" }), { kind: "frame", frame: frame(14.5) });
    expect(sessionSeconds(live)).toBeCloseTo(4.5);
    live = after(live, event({ kind: "record", value: 4.2 }), event({ kind: "log", line: "lap 1" }));
    expect(live.session?.record).toBe(4.2);
    expect(live.log.at(-1)?.line).toBe("lap 1");
    live = after(live, event({ kind: "phase", phase: "ended", t: 4.6 }));
    live = after(live, event({ kind: "end", outcome: "finished", record: 4.2, reason: null, t: 4.6 }), { kind: "frame", frame: frame(99) });
    expect(isActive(live)).toBe(false);
    expect(live.session?.outcome).toBe("finished");
    expect(sessionSeconds(live)).toBeCloseTo(4.6);
  });

  it("that a page finds running goes on from its own clock", () => {
    const live = after(
      INITIAL,
      { kind: "frame", frame: frame(100) },
      { kind: "session", session: session({ phase: "running", elapsed_s: 7, log: [{ t: 1, stream: "stdout", line: "hello" }] }) },
      { kind: "frame", frame: frame(101) },
    );
    expect(sessionSeconds(live)).toBeCloseTo(8);
    expect(live.log.map((line) => line.line)).toEqual(["hello"]);
  });

  it("does not listen to events of another session", () => {
    const live = after(INITIAL, { kind: "session", session: session() }, event({ session_id: "b2", kind: "record", value: 1 }));
    expect(live.session?.record).toBeNull();
  });

  it("shows the student's output and exit", () => {
    const live = after(
      INITIAL,
      { kind: "session", session: session() },
      { kind: "run", event: { phase: "start", command: "x" } },
      { kind: "run", event: { phase: "log", stream: "stderr", line: "oops" } },
      { kind: "run", event: { phase: "exit", exit_code: -9 } },
    );
    expect(live.log).toEqual([{ t: null, stream: "stderr", line: "oops" }]);
    expect(live.session?.student).toEqual({ running: false, exit_code: -9 });
  });

  it("keeps only the newest lines", () => {
    const lines = Array.from({ length: LOG_LINES + 50 }, (_, i) => event({ kind: "log", line: `line ${i}` }));
    const live = after(INITIAL, { kind: "session", session: session() }, ...lines);
    expect(live.log).toHaveLength(LOG_LINES);
    expect(live.log.at(-1)?.line).toBe(`line ${LOG_LINES + 49}`);
  });
});

describe("an install", () => {
  it("shows its newest progress", () => {
    const install = (phase: "download" | "done", bytes: number): Happening => ({
      kind: "install",
      event: { world_id: "ab", phase, bytes, total: 10 },
    });
    const live = after(INITIAL, install("download", 3), install("done", 10));
    expect(live.installs.ab).toMatchObject({ phase: "done", bytes: 10 });
  });
});
