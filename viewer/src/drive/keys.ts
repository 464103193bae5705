/** Which keys drive the car, and what those held down ask for. Pure. */

export type Direction = "forward" | "back" | "left" | "right";

/** By the place of the key, so that it works on every layout. */
const KEYS: Record<string, Direction> = {
  KeyW: "forward",
  ArrowUp: "forward",
  KeyS: "back",
  ArrowDown: "back",
  KeyA: "left",
  ArrowLeft: "left",
  KeyD: "right",
  ArrowRight: "right",
};

export interface DriveCommand {
  /** m/s, forward is positive. */
  speed: number;
  /** Radians at the front wheels, left is positive. */
  steering: number;
}

export interface DriveLimits {
  speed: number;
  steering: number;
}

export const STOP: DriveCommand = { speed: 0, steering: 0 };

export function directionOf(code: string): Direction | null {
  return KEYS[code] ?? null;
}

/** Opposite keys cancel each other. Reverse is slower, as with real cars. */
export function commandFor(held: ReadonlySet<Direction>, limits: DriveLimits): DriveCommand {
  const axis = (plus: Direction, minus: Direction) => Number(held.has(plus)) - Number(held.has(minus));
  const along = axis("forward", "back");
  return {
    speed: along * limits.speed * (along < 0 ? 0.6 : 1),
    steering: axis("left", "right") * limits.steering,
  };
}
