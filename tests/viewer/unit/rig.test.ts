import { Box3, PerspectiveCamera, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { Rig, type View } from "../../../viewer/src/scene/rig";

const car = (x: number, y: number, yaw: number) => ({ x, y, z: 0, q: [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)] });
const FIELD = new Box3(new Vector3(-4, -3, 0), new Vector3(4, 3, 0));

function rigWith(view: View, width = 1280, height = 800): Rig {
  const rig = new Rig(new PerspectiveCamera());
  rig.resize(width, height);
  rig.fit(FIELD);
  rig.view = view;
  rig.update(0, car(1, 2, 1), true);
  return rig;
}

/** Where a place is in the picture, from -1 to 1 to the right and upwards. */
const seen = (rig: Rig, x: number, y: number, z = 0) => new Vector3(x, y, z).project(rig.camera);

describe("a new world", () => {
  test.each([["orbit", 1280, 800], ["top", 1280, 800], ["orbit", 390, 780], ["top", 390, 780]] as const)(
    "is seen as a whole: %s, %d by %d pixels",
    (view, width, height) => {
      const rig = rigWith(view, width, height);
      for (const [x, y] of [[-4, -3], [-4, 3], [4, -3], [4, 3]] as const) {
        const corner = seen(rig, x, y);
        expect(Math.max(Math.abs(corner.x), Math.abs(corner.y))).toBeLessThan(1);
      }
    },
  );

  test.each([["orbit"], ["top"]] as const)("is seen between what covers the edges: %s", (view) => {
    const rig = rigWith(view);
    rig.resize(1280, 800, { left: 0, top: 60, right: 300, bottom: 100 });
    rig.update(0, null, false);
    const corners = ([[-4, -3], [-4, 3], [4, -3], [4, 3]] as const).map(([x, y]) => seen(rig, x, y));
    const xs = corners.map((corner) => ((corner.x + 1) / 2) * 1280);
    const ys = corners.map((corner) => ((1 - corner.y) / 2) * 800);
    expect(Math.min(...xs)).toBeGreaterThan(0);
    expect(Math.max(...xs)).toBeLessThan(980);
    expect(Math.min(...ys)).toBeGreaterThan(60);
    expect(Math.max(...ys)).toBeLessThan(700);
    expect((Math.min(...ys) + Math.max(...ys)) / 2).toBeCloseTo(380, 0);
    // And no smaller than it has to be.
    const filled = Math.max((Math.max(...xs) - Math.min(...xs)) / 980, (Math.max(...ys) - Math.min(...ys)) / 640);
    expect(filled).toBeGreaterThan(0.85);
  });

  test("is shown as a whole again when the window changes, unless somebody has moved the picture", () => {
    const rig = rigWith("top");
    rig.resize(640, 800);
    const fitted = rig.distance;
    expect(fitted).toBeGreaterThan(rigWith("top").distance);
    rig.zoom(0.5);
    rig.resize(1280, 800);
    expect(rig.distance).toBeCloseTo(fitted / 2, 6);
  });

  test("lies like a map on a wide screen, and on its side on a tall one", () => {
    const wide = rigWith("top");
    expect(seen(wide, 0, 1).y).toBeGreaterThan(seen(wide, 0, 0).y + 0.01);
    expect(seen(wide, 1, 0).x).toBeGreaterThan(seen(wide, 0, 0).x + 0.01);
    const tall = rigWith("top", 390, 780);
    expect(seen(tall, 1, 0).y).toBeGreaterThan(seen(tall, 0, 0).y + 0.01);
  });
});

test("the driver looks along the car, from where the camera sits", () => {
  const rig = rigWith("driver");
  const ahead = seen(rig, 1 + 2 * Math.cos(1), 2 + 2 * Math.sin(1), 0.13);
  expect(ahead.x).toBeCloseTo(0, 3);
  expect(ahead.y).toBeCloseTo(0, 3);
  const left = seen(rig, 1 + 2 * Math.cos(1.3), 2 + 2 * Math.sin(1.3), 0.13);
  expect(left.x).toBeLessThan(-0.1);
});

describe("behind the car", () => {
  test("it is in the middle, its nose away from the camera", () => {
    const rig = rigWith("follow");
    expect(Math.abs(seen(rig, 1, 2, 0.1).x)).toBeLessThan(0.01);
    expect(seen(rig, 1 + Math.cos(1), 2 + Math.sin(1)).y).toBeGreaterThan(seen(rig, 1, 2).y);
  });

  test("the camera swings round after it, without a jerk, and comes to rest", () => {
    const rig = rigWith("follow");
    const nose = () => seen(rig, 1 + 0.2 * Math.cos(2), 2 + 0.2 * Math.sin(2)).x;
    rig.update(0.016, car(1, 2, 2), false);
    const first = nose();
    expect(first).toBeLessThan(-0.02);
    let moved = true;
    for (let i = 0; i < 600 && moved; i++) moved = rig.update(0.016, car(1, 2, 2), false);
    expect(moved).toBe(false);
    expect(Math.abs(nose())).toBeLessThan(0.001);
  });

  test("a cut is one for the camera, too", () => {
    const rig = rigWith("follow");
    rig.update(0.016, car(-2, 0, -2), true);
    expect(Math.abs(seen(rig, -2 + Math.cos(-2), Math.sin(-2)).x)).toBeLessThan(0.001);
  });
});

test("nobody gets lost: the ground stays in reach and the zoom has ends", () => {
  const rig = rigWith("orbit");
  for (let i = 0; i < 100; i++) rig.pan(500, -300);
  rig.update(0, null, false);
  expect(Math.hypot(rig.camera.position.x, rig.camera.position.y)).toBeLessThan(40);
  for (let i = 0; i < 100; i++) rig.zoom(3);
  expect(rig.distance).toBeLessThanOrEqual(60);
  for (let i = 0; i < 100; i++) rig.zoom(0.3);
  expect(rig.distance).toBeGreaterThan(0.1);
  for (let i = 0; i < 100; i++) rig.rotate(50, 90);
  rig.update(0, null, false);
  expect(rig.camera.position.z).toBeGreaterThan(0);
});

test("a camera that stands still needs no new picture", () => {
  const rig = rigWith("orbit");
  expect(rig.update(0.016, car(1, 2, 1), false)).toBe(false);
  expect(rig.update(0.016, car(1.2, 2, 1.4), false)).toBe(false);
  rig.rotate(10, 0);
  expect(rig.update(0.016, car(1.2, 2, 1.4), false)).toBe(true);
});
