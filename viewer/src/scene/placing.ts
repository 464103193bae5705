/**
 * Things that somebody moves by hand: shown where the hand has them until the simulation shows them there too, or back where
 * they were when that is refused. Knows neither screen nor network.
 */
import { between, type Pose } from "./motion";
import { yawOf } from "./rolling";

export interface Placed {
  x: number;
  y: number;
  yaw: number;
}

interface Override {
  pose: Pose;
  state: "held" | "sent" | "confirmed" | "back";
  sinceMs: number;
}

/** The API takes no more. */
const LIMIT_M = 100;
const BACK_MS = 220;
/** After this the simulation is believed, wherever it shows the thing. */
const CONFIRMED_MS = 600;
const ARRIVED_M = 0.01;
const ARRIVED_RAD = 0.02;

export class Placing {
  #overrides = new Map<string, Override>();

  /** Whether what is shown will change by itself. */
  get isMoving(): boolean {
    return [...this.#overrides.values()].some(({ state }) => state === "back" || state === "confirmed");
  }

  isHeld(name: string): boolean {
    return this.#overrides.get(name)?.state === "held";
  }

  hold(name: string, from: Pose, placed: Placed): void {
    const pose = upright(from, placed);
    this.#overrides.set(name, { pose, state: "held", sinceMs: 0 });
  }

  /** Lets go of it and asks for it to be put there; on a refusal it goes back. */
  async send(name: string, nowMs: () => number, commit: (placed: Placed) => Promise<void>): Promise<void> {
    const held = this.#overrides.get(name);
    if (held?.state !== "held") return;
    held.state = "sent";
    const { x, y } = held.pose;
    try {
      await commit({ x, y, yaw: yawOf(held.pose.q) });
      this.#next(name, held, "confirmed", nowMs());
    } catch {
      // Whoever commits shows the reason; here it is only seen.
      this.#next(name, held, "back", nowMs());
    }
  }

  /** Not meant after all. */
  cancel(name: string, nowMs: number): void {
    const held = this.#overrides.get(name);
    if (held?.state === "held") this.#next(name, held, "back", nowMs);
  }

  clear(): void {
    this.#overrides.clear();
  }

  /** Where to show a thing that the simulation has at `actual`. */
  shown(name: string, actual: Pose, nowMs: number): Pose {
    const override = this.#overrides.get(name);
    if (!override) return actual;
    const age = nowMs - override.sinceMs;
    switch (override.state) {
      case "held":
      case "sent":
        return override.pose;
      case "confirmed":
        if (age < CONFIRMED_MS && !isThere(override.pose, actual)) return override.pose;
        this.#overrides.delete(name);
        return actual;
      case "back": {
        if (age >= BACK_MS) {
          this.#overrides.delete(name);
          return actual;
        }
        const share = 1 - (1 - Math.max(0, age) / BACK_MS) ** 3;
        return between(override.pose, actual, share, Infinity);
      }
    }
  }

  #next(name: string, override: Override, state: "confirmed" | "back", nowMs: number): void {
    // Somebody may have taken it again in the meantime.
    if (this.#overrides.get(name) !== override) return;
    override.state = state;
    override.sinceMs = nowMs;
  }
}

function upright(from: Pose, { x, y, yaw }: Placed): Pose {
  const within = (value: number) => Math.max(-LIMIT_M, Math.min(LIMIT_M, value));
  return { x: within(x), y: within(y), z: from.z, q: [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)] };
}

function isThere(wanted: Pose, actual: Pose): boolean {
  const turn = Math.abs(Math.sin((yawOf(wanted.q) - yawOf(actual.q)) / 2)) * 2;
  return Math.hypot(wanted.x - actual.x, wanted.y - actual.y) < ARRIVED_M && turn < ARRIVED_RAD;
}
