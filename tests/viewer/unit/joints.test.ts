import { describe, expect, test } from "vitest";
import { betweenJoints, isSameStance, JointTrack } from "../../../viewer/src/scene/joints";
import { Playback } from "../../../viewer/src/scene/motion";

/** Wheels that have rolled this far on a straight road. */
const reading = (time: number, spin: number, change = {}) => ({
  front_left_wheel_rad: spin,
  front_right_wheel_rad: spin,
  rear_left_wheel_rad: spin,
  rear_right_wheel_rad: spin,
  front_left_steering_rad: 0,
  front_right_steering_rad: 0,
  camera_pan_rad: 0,
  camera_tilt_rad: 0,
  time,
  ...change,
});
const frame = (epoch: number, time: number, joints: ReturnType<typeof reading> | null, paused = false) => ({
  epoch,
  time,
  paused,
  vehicle: { x: 0, y: 0, z: 0, q: [0, 0, 0, 1] },
  joints,
  objects: {},
});

describe("between two readings", () => {
  test("every joint is in between", () => {
    const from = reading(1, 10, { front_left_steering_rad: 0.1, camera_pan_rad: -0.2, camera_tilt_rad: 0.3 });
    const to = reading(1.04, 12, { front_left_steering_rad: 0.3, camera_pan_rad: 0.2, camera_tilt_rad: 0.1 });
    const half = betweenJoints(from, to, 0.5, 0.04);
    expect(half.rear_left_wheel_rad).toBeCloseTo(11);
    expect(half.front_left_steering_rad).toBeCloseTo(0.2);
    expect(half.camera_pan_rad).toBeCloseTo(0);
    expect(half.camera_tilt_rad).toBeCloseTo(0.2);
    expect(half.time).toBeCloseTo(1.02);
  });

  test("a wheel goes on over a full turn, and over more than half of one at full speed", () => {
    const full = 2 * Math.PI;
    expect(betweenJoints(reading(0, full - 0.5), reading(0.033, full + 0.5), 0.5, 0.033).rear_left_wheel_rad).toBeCloseTo(full);
    // 3 m/s on wheels of 0.0375 m, seen every 50 ms.
    expect(betweenJoints(reading(0, 0), reading(0.05, 4), 0.5, 0.05).rear_left_wheel_rad).toBeCloseTo(2);
  });

  test("a wheel that is counted anew after a full turn does not whip back", () => {
    const [from, to] = [reading(0, Math.PI - 0.3), reading(0.033, -Math.PI + 0.3)];
    const seen = [0.25, 0.5, 0.75].map((share) => betweenJoints(from, to, share, 0.033).rear_left_wheel_rad);
    [2.99, 3.14, 3.29].forEach((angle, i) => expect(seen[i]).toBeCloseTo(angle, 2));
  });
});

describe("a track of readings", () => {
  test("follows their own times, and holds the last one", () => {
    const track = new JointTrack();
    expect(track.at(0)).toBeNull();
    for (const [time, spin] of [[1, 0], [1.02, 1], [1.02, 9], [1.01, 9], [1.04, 3]] as const) track.push(reading(time, spin));
    expect([0.9, 1, 1.01, 1.02, 1.03, 1.04, 2].map((time) => track.at(time)?.rear_left_wheel_rad)).toEqual(
      [0, 0, 0.5, 1, 2, 3, 3].map((spin) => expect.closeTo(spin, 6)),
    );
  });

  test("two that differ in time alone look the same", () => {
    expect(isSameStance(reading(1, 2), reading(3, 2))).toBe(true);
    expect(isSameStance(reading(1, 2), reading(1, 2, { camera_pan_rad: 0.1 }))).toBe(false);
    expect(isSameStance(null, null)).toBe(true);
    expect(isSameStance(null, reading(1, 2))).toBe(false);
  });
});

describe("played with the frames", () => {
  test("a wheel turns evenly although its readings are older than their frames by turns", () => {
    const playback = new Playback();
    const seen: number[] = [];
    for (let ms = 0; ms <= 4000; ms += 1000 / 60) {
      const tick = Math.round(ms / (1000 / 60));
      const time = 10 + ms / 1000;
      // Every second picture brings a frame, whose reading is up to 20 ms old.
      const read = time - (tick % 3) * 0.01;
      if (tick % 2 === 0) playback.push(frame(1, time, reading(read, read * 40)), ms);
      const shown = playback.at(ms);
      if (ms > 1500) seen.push(shown?.joints?.rear_left_wheel_rad ?? NaN);
    }
    for (const step of seen.slice(1).map((now, i) => now - seen[i]!)) expect(Math.abs(step - 40 / 60)).toBeLessThan(0.1);
  });

  test("an epoch is a cut: nothing turns from the angles before it to those after it", () => {
    const playback = new Playback();
    for (let i = 0; i < 30; i++) playback.push(frame(1, 1 + i / 30, reading(1 + i / 30, i, { camera_pan_rad: 0.5 })), i * 33);
    playback.at(1000);
    playback.push(frame(2, 2, null), 1010);
    expect(playback.at(1016)?.joints).toBeNull();
    playback.push(frame(2, 2.03, reading(2.02, 0)), 1043);
    for (let ms = 1050; ms < 1400; ms += 16) {
      const joints = playback.at(ms)?.joints;
      expect(joints?.rear_left_wheel_rad).toBe(0);
      expect(joints?.camera_pan_rad).toBe(0);
    }
  });

  test("a paused world shows the reading that comes late", () => {
    const playback = new Playback();
    playback.push(frame(1, 5, reading(4.98, 0), true), 0);
    playback.at(0);
    playback.push(frame(1, 5, reading(5, 0, { camera_pan_rad: 0.4 }), true), 100);
    expect(playback.at(116)?.joints?.camera_pan_rad).toBeCloseTo(0.4);
    expect(playback.isSettled).toBe(true);
  });
});
