import { describe, expect, test } from "vitest";
import { between, Playback, type Sample } from "../../../viewer/src/scene/motion";

const STRAIGHT = [0, 0, 0, 1];

/** A car that drives along x at 1 m/s of simulation time. */
function frame(time: number, change: Partial<Sample> = {}): Sample {
  return { epoch: 1, time, paused: false, vehicle: { x: time, y: 0, z: 0, q: STRAIGHT }, joints: null, objects: {}, ...change };
}

/** Plays frames that arrive at these wall times and gives x at 60 pictures a second. */
function pictures(frames: { at: number; sample: Sample }[], untilMs: number): { at: number; x: number; cut: boolean }[] {
  const playback = new Playback();
  const waiting = [...frames];
  const seen: { at: number; x: number; cut: boolean }[] = [];
  for (let at = 0; at <= untilMs; at += 1000 / 60) {
    while ((waiting[0]?.at ?? Infinity) <= at) {
      const next = waiting.shift();
      if (next) playback.push(next.sample, next.at);
    }
    const shown = playback.at(at);
    if (shown?.vehicle) seen.push({ at, x: shown.vehicle.x, cut: shown.cut });
  }
  return seen;
}

const steps = (xs: { x: number }[]) => xs.slice(1).map((now, i) => now.x - (xs[i]?.x ?? 0));
const steady = (count: number, spacingMs: number, pace = 1) =>
  Array.from({ length: count }, (_, i) => ({ at: i * spacingMs, sample: frame(10 + (i * spacingMs * pace) / 1000) }));

describe("steady frames", () => {
  test("give even motion at the pace of the simulation, a little behind it", () => {
    for (const pace of [1, 0.5, 2]) {
      const seen = pictures(steady(120, 1000 / 30, pace), 3900).filter(({ at }) => at > 1500);
      for (const step of steps(seen)) expect(step).toBeCloseTo(pace / 60, 2);
      const last = seen.at(-1);
      const behind = 10 + ((last?.at ?? 0) / 1000) * pace - (last?.x ?? 0);
      expect(behind).toBeGreaterThan(0);
      expect(behind).toBeLessThan(0.25 * Math.max(1, pace));
    }
  });

  test("that jitter by half their spacing are evened out", () => {
    const jittery = steady(120, 1000 / 30).map(({ at, sample }, i) => ({ at: at + (i % 3) * 8, sample }));
    const seen = pictures(jittery, 3800).filter(({ at }) => at > 1500);
    for (const step of steps(seen)) expect(Math.abs(step - 1 / 60)).toBeLessThan(0.006);
  });
});

describe("a gap in the frames", () => {
  // Nothing for 1.2 s, then all that was missed at once.
  const burst = steady(120, 1000 / 30).map(({ at, sample }) => ({ at: at > 1000 && at < 2200 ? 2200 : at, sample }));
  const seen = pictures(burst, 3900);

  test("never shows the past again", () => {
    for (const step of steps(seen)) expect(step).toBeGreaterThanOrEqual(0);
  });

  test("is skipped at once instead of being run through in a rush", () => {
    const fast = steps(seen).filter((step) => step > (1.3 / 60) * 1.05);
    expect(fast).toHaveLength(1);
    expect(fast[0]).toBeGreaterThan(0.8);
  });

  test("holds the last picture instead of guessing on", () => {
    const inGap = seen.filter(({ at }) => at > 1300 && at < 2190);
    expect(new Set(inGap.map(({ x }) => x)).size).toBe(1);
  });
});

describe("an epoch", () => {
  test("is a cut to where things are now", () => {
    const reset = frame(13, { epoch: 2, vehicle: { x: -5, y: 0, z: 0, q: STRAIGHT } });
    const seen = pictures([...steady(90, 1000 / 30), { at: 3000, sample: reset }], 3200);
    const cut = seen.filter(({ at, cut }) => at > 100 && cut);
    expect(cut).toHaveLength(1);
    expect(cut[0]?.x).toBe(-5);
    expect(seen.filter(({ x }) => x > -5 && x < 10)).toHaveLength(0);
  });
});

test("a paused world shows what is put elsewhere in it, and settles", () => {
  const playback = new Playback();
  playback.push(frame(10, { paused: true }), 0);
  playback.at(0);
  expect(playback.isSettled).toBe(true);
  playback.push(frame(10, { paused: true, vehicle: { x: 3, y: 0, z: 0, q: STRAIGHT } }), 100);
  expect(playback.at(116)?.vehicle?.x).toBe(3);
  expect(playback.isSettled).toBe(true);
});

test("a page that comes back shows the newest frame", () => {
  const playback = new Playback();
  for (const { at, sample } of steady(30, 1000 / 30)) playback.push(sample, at);
  playback.skip();
  const shown = playback.at(60_000);
  expect(shown?.vehicle?.x).toBeCloseTo(10 + 29 / 30);
  expect(shown?.cut).toBe(true);
});

describe("between two poses", () => {
  const turned = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  const at = (x: number, q: readonly number[]) => ({ x, y: 0, z: 0, q });

  test("goes the shorter way around", () => {
    const half = between(at(0, turned(3.0)), at(0, turned(-3.0)), 0.5, 0.03);
    expect(Math.abs(half.q[2] ?? 0)).toBeCloseTo(1, 3);
    const opposite = turned(0.4).map((part) => -part);
    const same = between(at(0, turned(0.2)), at(0.01, opposite), 0.5, 0.03);
    expect(2 * Math.atan2(same.q[2] ?? 0, same.q[3] ?? 1)).toBeCloseTo(0.3, 3);
  });

  test("what was put far away does not fly there", () => {
    expect(between(at(0, STRAIGHT), at(3, STRAIGHT), 0.9, 0.033).x).toBe(0);
    expect(between(at(0, STRAIGHT), at(0.09, STRAIGHT), 0.5, 0.033).x).toBeCloseTo(0.045);
  });
});
