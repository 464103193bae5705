/** How wheels roll and steer when their car is seen to move, for a simulator that tells only where the car is. */
import { type Pose } from "./motion";

export interface Rolling {
  /** How far the wheels have turned, rad. */
  spin: number;
  /** Of the front axle's middle, rad, positive to the left. */
  steering: number;
}

/** Below this the heading says nothing about the steering. */
const MIN_STEP_M = 0.0005;
/** A car that moved this far between two pictures was put there. */
const MAX_STEP_M = 0.5;
/** Share of the way to the new steering angle per centimetre driven. */
const STEERING_PER_CM = 0.25;

export const AT_REST: Rolling = { spin: 0, steering: 0 };

export interface Measures {
  wheelbase: number;
  radius: number;
  maxSteer: number;
}

/** What the wheels have done when the car has come from one pose to the next. */
export function rolled(before: Rolling, from: Pose, to: Pose, measures: Measures): Rolling {
  const heading = yawOf(from.q);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = dx * Math.cos(heading) + dy * Math.sin(heading);
  const distance = Math.abs(along);
  if (Math.hypot(dx, dy) > MAX_STEP_M) return before;
  const spin = (before.spin + along / measures.radius) % (2 * Math.PI);
  if (distance < MIN_STEP_M) return { spin, steering: before.steering };
  const curvature = wrapped(yawOf(to.q) - heading) / along;
  const wanted = Math.max(-measures.maxSteer, Math.min(measures.maxSteer, Math.atan(curvature * measures.wheelbase)));
  const share = 1 - (1 - STEERING_PER_CM) ** (distance * 100);
  return { spin, steering: before.steering + (wanted - before.steering) * share };
}

/** The heading of a rotation, rad, counter-clockwise. */
export function yawOf(q: readonly number[]): number {
  const [x = 0, y = 0, z = 0, w = 1] = q;
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** The same angle within -pi..pi. */
export function wrapped(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}
