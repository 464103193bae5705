/**
 * Where everything is at the moment that is shown.
 *
 * Frames arrive in their own rhythm, late or in bursts; what is shown moves on simulation time, a little behind the newest
 * frame, so that there is nearly always a later one to move towards. Within an epoch time never runs backwards, a backlog
 * is skipped instead of being run through in a rush, and a new epoch is a cut. Knows neither clock nor screen: callers say
 * what time it is.
 */
import { type Joints } from "./document";
import { JointTrack } from "./joints";

export interface Pose {
  x: number;
  y: number;
  z: number;
  /** In the order x, y, z, w. */
  q: readonly number[];
}

/** One state of the world, as far as it moves. */
export interface Sample {
  epoch: number;
  /** Simulation time of the poses, s. */
  time: number;
  paused: boolean;
  vehicle: Pose | null;
  /** The newest reading of the car's joints. */
  joints: Joints | null;
  objects: Readonly<Record<string, Pose>>;
}

export interface Shown {
  time: number;
  /** Whether this does not follow from what was shown before. */
  cut: boolean;
  vehicle: Pose | null;
  /** Null where the simulator does not tell. */
  joints: Joints | null;
  objects: Readonly<Record<string, Pose>>;
}

/** Simulated seconds that the picture stays behind the newest frame: two frames at 30 Hz, and some jitter. */
const DELAY_S = 0.08;
/** Further behind than this the rest is skipped. */
const BACKLOG_S = 0.4;
/** How much faster or slower than the simulation the picture may run to find its place. */
const MAX_CORRECTION = 0.25;
/** Share of the distance from its place that the picture makes good in a second. */
const CORRECTION_PER_S = 2;
/** The pace of the simulation is measured over this much real time. */
const PACE_WINDOW_MS = 1500;
/** Frames are sent further apart than this. */
const BURST_MS = 10;
const MAX_SAMPLES = 120;
/** Nothing here moves faster, so it was put there. */
const MAX_SPEED = 12;
const PUT_DISTANCE = 0.15;

export class Playback {
  #samples: Sample[] = [];
  #joints = new JointTrack();
  #arrivals: { at: number; time: number }[] = [];
  #time = 0;
  #lastMs = 0;
  #cut = true;
  #hold = false;

  /** Takes a frame that arrived at this moment. */
  push(sample: Sample, nowMs: number): void {
    const last = this.#samples.at(-1);
    if (!last || sample.epoch !== last.epoch || sample.time < last.time) {
      this.#start(sample, nowMs);
      return;
    }
    this.#joints.push(sample.joints);
    if (sample.time === last.time) {
      this.#samples[this.#samples.length - 1] = sample;
      return;
    }
    this.#samples.push(sample);
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    // Of frames that come in a burst only the last came in time; the others would feign a great pace.
    if (nowMs - (this.#arrivals.at(-1)?.at ?? -Infinity) < BURST_MS) this.#arrivals.pop();
    this.#arrivals.push({ at: nowMs, time: sample.time });
    while (nowMs - (this.#arrivals[0]?.at ?? nowMs) > PACE_WINDOW_MS) this.#arrivals.shift();
  }

  /** Shows the newest frame next, without a way there: for a page that comes back into view. */
  skip(): void {
    const last = this.#samples.at(-1);
    if (!last) return;
    this.#samples = [last];
    this.#joints.restart(last.joints);
    this.#arrivals = [];
    this.#time = last.time;
    this.#cut = true;
    this.#hold = true;
  }

  /** What to show at this moment; null before the first frame. Moments must not go backwards. */
  at(nowMs: number): Shown | null {
    const last = this.#samples.at(-1);
    if (!last) return null;
    const elapsed = Math.max(0, nowMs - this.#lastMs) / 1000;
    this.#lastMs = nowMs;
    this.#advance(elapsed, last);
    const shown = this.#between();
    this.#cut = false;
    return shown;
  }

  /** Whether the same would be shown again, however much later, until another frame arrives. */
  get isSettled(): boolean {
    const last = this.#samples.at(-1);
    return !last || (this.#time >= last.time && !this.#cut);
  }

  #start(sample: Sample, nowMs: number): void {
    this.#samples = [sample];
    this.#joints.restart(sample.joints);
    this.#arrivals = [{ at: nowMs, time: sample.time }];
    this.#time = sample.time;
    this.#lastMs = nowMs;
    this.#cut = true;
    this.#hold = true;
  }

  #advance(elapsed: number, last: Sample): void {
    const place = last.paused ? last.time : last.time - DELAY_S;
    // After a start the picture waits until it is as far behind as it should be.
    if (this.#hold && !last.paused && this.#time > place) return;
    this.#hold = false;
    const behind = place - this.#time;
    if (behind > BACKLOG_S) {
      this.#time = place;
      return;
    }
    const correction = Math.min(MAX_CORRECTION, Math.max(-MAX_CORRECTION, behind * CORRECTION_PER_S));
    const pace = last.paused ? 1 : this.#pace() * (1 + correction);
    this.#time = Math.min(last.time, this.#time + elapsed * pace);
  }

  /** Simulated seconds per real second, of late. */
  #pace(): number {
    const [first] = this.#arrivals;
    const last = this.#arrivals.at(-1);
    if (!first || !last || last.at - first.at < 200) return 1;
    return ((last.time - first.time) / (last.at - first.at)) * 1000;
  }

  #between(): Shown {
    while (this.#samples.length > 1 && (this.#samples[1]?.time ?? Infinity) <= this.#time) this.#samples.shift();
    const [from, to] = this.#samples as [Sample, Sample | undefined];
    const [time, cut, joints] = [this.#time, this.#cut, this.#joints.at(this.#time)];
    if (!to || time <= from.time) return { time, cut, vehicle: from.vehicle, joints, objects: from.objects };
    const span = to.time - from.time;
    const share = (time - from.time) / span;
    const objects: Record<string, Pose> = {};
    for (const [name, pose] of Object.entries(from.objects)) {
      const next = to.objects[name];
      objects[name] = next ? between(pose, next, share, span) : pose;
    }
    const vehicle = from.vehicle && to.vehicle ? between(from.vehicle, to.vehicle, share, span) : from.vehicle;
    return { time, cut, vehicle, joints, objects };
  }
}

/** From one pose to the other; what was put elsewhere is there at the end and not before. */
export function between(from: Pose, to: Pose, share: number, spanS: number): Pose {
  if (from === to || isSame(from, to)) return from;
  const distance = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z);
  if (distance > PUT_DISTANCE + MAX_SPEED * spanS) return from;
  const mix = (a: number, b: number) => a + (b - a) * share;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), z: mix(from.z, to.z), q: turned(from.q, to.q, share) };
}

export function isSame(a: Pose, b: Pose): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z && a.q.every((part, i) => part === b.q[i]);
}

/** The shorter way between two rotations; straight through, because two frames are never far apart. */
function turned(from: readonly number[], to: readonly number[], share: number): number[] {
  const dot = from.reduce((sum, part, i) => sum + part * (to[i] ?? 0), 0);
  const sign = dot < 0 ? -1 : 1;
  const mixed = from.map((part, i) => part + ((to[i] ?? 0) * sign - part) * share);
  const length = Math.hypot(...mixed);
  return length > 1e-9 ? mixed.map((part) => part / length) : [...to];
}
