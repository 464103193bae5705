import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Driver } from "../../../viewer/src/drive/driver";
import { commandFor, type Direction, directionOf, type DriveCommand } from "../../../viewer/src/drive/keys";

const LIMITS = { speed: 1, steering: 0.4 };
const held = (...directions: Direction[]) => new Set(directions);

describe("keys", () => {
  it("drive by their place on the keyboard", () => {
    expect(directionOf("KeyW")).toBe("forward");
    expect(directionOf("ArrowLeft")).toBe("left");
    expect(directionOf("KeyQ")).toBeNull();
  });

  it("steer left with a positive angle", () => {
    expect(commandFor(held("forward", "left"), LIMITS)).toEqual({ speed: 1, steering: 0.4 });
  });

  it("that are opposite cancel each other", () => {
    expect(commandFor(held("forward", "back", "right"), LIMITS)).toEqual({ speed: 0, steering: -0.4 });
  });

  it("reverse more slowly", () => {
    expect(commandFor(held("back"), LIMITS).speed).toBeCloseTo(-0.6);
  });
});

describe("the driver", () => {
  const sent: DriveCommand[] = [];
  let answer: () => void = () => undefined;
  const driver = (slow = false) =>
    new Driver({
      send: (command) => {
        sent.push(command);
        return slow ? new Promise((done) => (answer = done)) : Promise.resolve();
      },
      limits: () => LIMITS,
      onChange: () => undefined,
    });

  beforeEach(() => {
    sent.length = 0;
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it("repeats the command while a key is held and stops at once when it is let go", async () => {
    const car = driver();
    car.press("forward");
    await vi.advanceTimersByTimeAsync(450);
    expect(sent.length).toBe(5);
    car.release("forward");
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.at(-1)).toEqual({ speed: 0, steering: 0 });
    const count = sent.length;
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent.length).toBe(count);
  });

  it("says stop last, also when a command is still under way", async () => {
    const car = driver(true);
    car.press("forward");
    car.releaseAll();
    expect(sent).toEqual([{ speed: 1, steering: 0 }]);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([
      { speed: 1, steering: 0 },
      { speed: 0, steering: 0 },
    ]);
  });

  it("keeps one request under way, however slow the server is", async () => {
    const car = driver(true);
    car.press("left");
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent.length).toBe(1);
  });
});
