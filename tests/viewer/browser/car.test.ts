/** The car on the page: it is driven with keys, and its wheels and camera head stand as the simulator says. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { StageElement } from "../../../viewer/src/ui/stagehost";
import { bench } from "./support/setup";
import { LIMIT_MS, waitUntil } from "./support/wait";

interface Pose {
  x: number;
  y: number;
  yaw: number;
  speed: number;
}

const b = bench();
const pose = () => b.simulator.get<Pose>("/pose");
const stance = (page: Page) => page.getByTestId("stage").evaluate((host) => (host as StageElement).stage?.carStance ?? null);

it("the front wheels of a standing car steer with the keys", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit();
  const before = await pose();
  for (const [key, sign] of [["ArrowLeft", 1], ["d", -1]] as const) {
    await page.keyboard.down(key);
    const turned = await waitUntil(
      () => stance(page),
      (drawn) => drawn !== null && drawn.steering.every((angle) => angle * sign > 0.25),
      `wheels turned by ${key}`,
    );
    // The inner wheel turns further.
    const [left, right] = turned!.steering;
    expect(left).toBeGreaterThan(right!);
    await page.keyboard.up(key);
    await waitUntil(() => stance(page), (drawn) => drawn!.steering.every((angle) => Math.abs(angle) < 0.01), "straight wheels");
  }
  const after = await pose();
  expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(0.02);
});

it("the camera head pans and tilts as a frame says", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit({ countDraws: true });
  await b.simulator.post("/pause", { paused: true });
  await page.getByRole("button", { name: "Resume" }).waitFor();
  const draws = () => page.evaluate(() => (window as unknown as { draws: number }).draws);
  await waitUntil(() => stance(page), (drawn) => drawn?.pan === 0, "a head that looks ahead");
  // Nobody pans over HTTP, so this frame is what the simulator would send a moment later.
  const [state, drawn] = [await b.simulator.get<{ time: number; vehicle: object; joints: object }>("/state"), await draws()];
  const time = state.time + 0.1;
  const joints = { ...state.joints, time, camera_pan_rad: 0.4, camera_tilt_rad: -0.2 };
  const frame = { ...state, time, vehicle: { ...state.vehicle, time }, joints };
  await page.getByTestId("stage").evaluate((host, pushed) => (host as StageElement).stage?.push(pushed as never), frame);
  const turned = await waitUntil(() => stance(page), (now) => (now?.pan ?? 0) > 0.39, "a head that looks left");
  expect(turned!.tilt).toBeCloseTo(-0.2, 5);
  await waitUntil(draws, (count) => count > drawn, "a picture of it");
  await b.simulator.post("/pause", { paused: false });
});

it("a person can drive a lap with the arrow keys", async () => {
  await b.simulator.post("/pause", { paused: false });
  await b.simulator.post("/switch", { world: "vehicle_oval.world" });
  const { page } = await b.visit({ viewport: { width: 640, height: 480 } });
  const { waypoints, inner, outer } = await b.simulator.get<{ waypoints: Line; inner: Line; outer: Line }>("/route");
  const track = waypoints.slice(0, -1);
  const halfWidth = Math.min(...track.map((_, i) => Math.hypot(inner[i]![0] - outer[i]![0], inner[i]![1] - outer[i]![1]))) / 2;
  const held = new Set<string>();
  const hold = async (key: string, isHeld: boolean) => {
    if (held.has(key) === isHeld) return;
    await page.keyboard[isHeld ? "down" : "up"](key);
    if (isHeld) held.add(key);
    else held.delete(key);
  };
  let [at, driven] = [nearest(track, await pose()), 0];
  const end = performance.now() + LIMIT_MS;
  await hold("ArrowUp", true);
  while (driven < track.length) {
    const car = await pose();
    const now = nearest(track, car);
    // Forwards over the start line counts on; it never jumps half around.
    const step = ((now - at + 1.5 * track.length) % track.length) - track.length / 2;
    driven += step;
    at = now;
    const [x, y] = track[now]!;
    expect(Math.hypot(x - car.x, y - car.y), `off the track after ${driven} of ${track.length} points`).toBeLessThan(halfWidth);
    expect(performance.now(), `only ${driven} of ${track.length} points`).toBeLessThan(end);
    const turn = bearing(track, now, car);
    await hold("ArrowLeft", turn > 0.12);
    await hold("ArrowRight", turn < -0.12);
  }
  await hold("ArrowLeft", false);
  await hold("ArrowRight", false);
  await hold("ArrowUp", false);
  await waitUntil(pose, (car) => Math.abs(car.speed) < 0.01, "a car that stands when the keys are let go");
});

type Line = [number, number][];

/** How far ahead of the car a driver looks. */
const AHEAD_M = 0.45;

function nearest(track: Line, car: Pose): number {
  const away = track.map(([x, y]) => Math.hypot(x - car.x, y - car.y));
  return away.indexOf(Math.min(...away));
}

/** Where the track goes, seen from the car: radians to the left. */
function bearing(track: Line, from: number, car: Pose): number {
  let i = from;
  for (let metres = 0; metres < AHEAD_M; i++) {
    const [[x, y], [nextX, nextY]] = [track[i % track.length]!, track[(i + 1) % track.length]!];
    metres += Math.hypot(nextX - x, nextY - y);
  }
  const [x, y] = track[i % track.length]!;
  const turn = Math.atan2(y - car.y, x - car.x) - car.yaw;
  return Math.atan2(Math.sin(turn), Math.cos(turn));
}
