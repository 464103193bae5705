/**
 * How the car's joints stand at the moment that is shown: wheels, steering, camera head.
 *
 * Readings have a time of their own, which is not quite that of the frame they come with. Wheels count on over full turns.
 */
import { type Joints } from "./document";

type Angle = Exclude<keyof Joints, "time">;

const WHEELS = ["front_left_wheel_rad", "front_right_wheel_rad", "rear_left_wheel_rad", "rear_right_wheel_rad"] as const;
const SERVOS = ["front_left_steering_rad", "front_right_steering_rad", "camera_pan_rad", "camera_tilt_rad"] as const;
const ANGLES: readonly Angle[] = [...WHEELS, ...SERVOS];

const MAX_READINGS = 120;
/** Faster than any wheel turns here: what seems to be faster was counted anew. */
const MAX_WHEEL_RAD_S = 110;

export class JointTrack {
  #readings: Joints[] = [];

  /** Takes the reading of a frame; the same one may come with several. */
  push(reading: Joints | null): void {
    if (!reading || reading.time <= (this.#readings.at(-1)?.time ?? -Infinity)) return;
    this.#readings.push(reading);
    if (this.#readings.length > MAX_READINGS) this.#readings.shift();
  }

  /** Forgets everything but this reading: what comes next does not follow from what was before. */
  restart(reading: Joints | null): void {
    this.#readings = reading ? [reading] : [];
  }

  /** At this simulation time, which does not go backwards; null before the first reading. */
  at(time: number): Joints | null {
    while (this.#readings.length > 1 && (this.#readings[1]?.time ?? Infinity) <= time) this.#readings.shift();
    const [from, to] = this.#readings;
    if (!from || !to || time <= from.time) return from ?? null;
    const span = to.time - from.time;
    return betweenJoints(from, to, (time - from.time) / span, span);
  }
}

export function betweenJoints(from: Joints, to: Joints, share: number, spanS: number): Joints {
  const mixed = { ...from, time: from.time + spanS * share };
  for (const name of SERVOS) mixed[name] = from[name] + (to[name] - from[name]) * share;
  for (const name of WHEELS) {
    const turn = to[name] - from[name];
    mixed[name] = from[name] + share * (Math.abs(turn) > MAX_WHEEL_RAD_S * spanS ? shorter(turn) : turn);
  }
  return mixed;
}

/** Whether both look the same. */
export function isSameStance(a: Joints | null, b: Joints | null): boolean {
  if (!a || !b) return a === b;
  return ANGLES.every((name) => a[name] === b[name]);
}

/** The same turn without full circles. */
function shorter(turn: number): number {
  return Math.atan2(Math.sin(turn), Math.cos(turn));
}
