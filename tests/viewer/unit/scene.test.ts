import { describe, expect, test } from "vitest";
import { Placing } from "../../../viewer/src/scene/placing";
import { Resolution } from "../../../viewer/src/scene/resolution";
import { AT_REST, rolled, yawOf } from "../../../viewer/src/scene/rolling";
import { decodeTriangles } from "../../../viewer/src/scene/triangles";

const measures = { wheelbase: 0.18, radius: 0.0375, maxSteer: 0.42 };
const pose = (x: number, y: number, yaw: number) => ({ x, y, z: 0, q: [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)] });

describe("wheels", () => {
  test("turn once on their circumference, and back", () => {
    let rolling = AT_REST;
    const around = 2 * Math.PI * measures.radius;
    for (let i = 0; i < 10; i++) {
      rolling = rolled(rolling, pose((i * around) / 10, 0, 0), pose(((i + 1) * around) / 10, 0, 0), measures);
    }
    expect(Math.cos(rolling.spin)).toBeCloseTo(1, 6);
    rolling = rolled(rolling, pose(1, 0, 0), pose(0.99, 0, 0), measures);
    expect(Math.sin(rolling.spin)).toBeCloseTo(Math.sin(-0.01 / measures.radius), 6);
  });

  test("steer as a circle of this radius needs it, also backwards", () => {
    for (const direction of [1, -1]) {
      let rolling = AT_REST;
      const on = (i: number) => pose(Math.sin(i * 0.01), 1 - Math.cos(i * 0.01), i * 0.01);
      for (let i = 0; i < 100; i++) rolling = rolled(rolling, on(i * direction), on((i + 1) * direction), measures);
      expect(rolling.steering).toBeCloseTo(Math.atan(measures.wheelbase), 3);
    }
  });

  test("stay as they are while the car stands or is put elsewhere", () => {
    const before = { spin: 1, steering: 0.2 };
    expect(rolled(before, pose(0, 0, 0), pose(0, 0, 0), measures)).toEqual(before);
    expect(rolled(before, pose(0, 0, 0), pose(3, 1, 2), measures)).toEqual(before);
  });
});

describe("a thing in somebody's hand", () => {
  const actual = pose(0, 0, 0);

  test("stays where it was let go until the simulation shows it there", async () => {
    const placing = new Placing();
    placing.hold("box1", actual, { x: 1, y: 2, yaw: 0.5 });
    expect(placing.shown("box1", actual, 0)).toMatchObject({ x: 1, y: 2 });
    let sent: unknown;
    await placing.send("box1", () => 100, async (placed) => void (sent = placed));
    expect(sent).toEqual({ x: 1, y: 2, yaw: expect.closeTo(0.5, 9) });
    expect(placing.shown("box1", actual, 150).x).toBe(1);
    const arrived = pose(1.001, 2, 0.5);
    expect(placing.shown("box1", arrived, 160)).toBe(arrived);
    expect(placing.isMoving).toBe(false);
  });

  test("goes back when it is refused", async () => {
    const placing = new Placing();
    placing.hold("box1", actual, { x: 1, y: 0, yaw: 0 });
    await placing.send("box1", () => 0, () => Promise.reject(new Error("not there")));
    const half = placing.shown("box1", actual, 50).x;
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(1);
    expect(placing.isMoving).toBe(true);
    expect(placing.shown("box1", actual, 500)).toBe(actual);
    expect(placing.isMoving).toBe(false);
  });

  test("that is taken again while it is sent stays in the hand", async () => {
    const placing = new Placing();
    placing.hold("box1", actual, { x: 1, y: 0, yaw: 0 });
    let refuse = () => {};
    const sent = placing.send("box1", () => 0, () => new Promise((_, reject) => (refuse = () => reject(new Error()))));
    placing.hold("box1", actual, { x: 2, y: 0, yaw: 0 });
    refuse();
    await sent;
    expect(placing.isHeld("box1")).toBe(true);
    expect(placing.shown("box1", actual, 1000).x).toBe(2);
  });

  test("is kept within what the API takes", () => {
    const placing = new Placing();
    placing.hold("box1", actual, { x: 1e6, y: -1e6, yaw: 9 });
    expect(placing.shown("box1", actual, 0)).toMatchObject({ x: 100, y: -100 });
    expect(yawOf(placing.shown("box1", actual, 0).q)).toBeCloseTo(9 - 2 * Math.PI);
  });
});

test("a slow machine draws more coarsely, and finely again when it can", () => {
  const resolution = new Resolution(2);
  for (let i = 0; i < 200; i++) resolution.note(60);
  expect(resolution.ratio).toBe(0.5);
  for (let i = 0; i < 5000; i++) resolution.note(16);
  expect(resolution.ratio).toBe(2);
  for (let i = 0; i < 1000; i++) resolution.note(i % 4 === 0 ? 50 : 25);
  expect(resolution.ratio).toBe(2);
  resolution.note(3000);
  expect(resolution.ratio).toBe(2);
  resolution.note(400);
  expect(resolution.ratio).toBeLessThan(2);
});

test("triangles are read from the bytes that the server sends", () => {
  const part = { name: "a", diffuse: [1, 0.5, 0], emissive: [0, 0, 0], texture: "textures/a.png", wide: false };
  const places = { vertices: 3, indices: 3, positions_at: 0, normals_at: 36, uvs_at: 48, indices_at: 72 };
  const json = JSON.stringify({ parts: [{ ...part, ...places }] });
  const header = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 4) * 4));
  const bytes = new ArrayBuffer(8 + header.length + 80);
  new Uint8Array(bytes).set(new TextEncoder().encode("TRI1"));
  new DataView(bytes).setUint32(4, header.length, true);
  new Uint8Array(bytes, 8).set(header);
  const start = 8 + header.length;
  new Float32Array(bytes, start, 9).set([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  new Int8Array(bytes, start + 36, 12).set([0, 0, 127, 0]);
  new Uint16Array(bytes, start + 72, 3).set([0, 1, 2]);
  const [decoded] = decodeTriangles(bytes);
  expect(decoded).toMatchObject({ name: "a", diffuse: [1, 0.5, 0], texture: "textures/a.png" });
  expect([...(decoded?.positions ?? [])]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  expect(decoded?.normals[2]).toBe(127);
  expect([...(decoded?.indices ?? [])]).toEqual([0, 1, 2]);
  expect(() => decodeTriangles(new ArrayBuffer(16))).toThrow("something else");
});
