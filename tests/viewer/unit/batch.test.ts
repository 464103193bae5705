import { Box3, Matrix4, Texture, Vector3 } from "three";
import { expect, test } from "vitest";
import { Batch, outline, type Piece } from "../../../viewer/src/scene/batch";
import { box } from "../../../viewer/src/scene/shapes";
import { daylight } from "../../../viewer/src/scene/surface";

function piece(change: Partial<Piece> = {}): Piece {
  const plain = { diffuse: [1, 0.5, 0] as const, emissive: [0, 0, 0] as const, texture: null, opacity: 1, layer: 0 };
  return { geometry: box(2, 2, 2), matrix: new Matrix4(), ...plain, ...change };
}

test("pieces of one texture are one thing to draw, each where it was", () => {
  const texture = new Texture();
  const batch = new Batch();
  batch.add(piece({ matrix: new Matrix4().makeTranslation(10, 0, 0) }));
  batch.add(piece({ texture }));
  batch.add(piece({ matrix: new Matrix4().makeScale(1, 1, 3), diffuse: [0, 0, 1] }));
  const meshes = batch.meshes(daylight());
  expect(meshes).toHaveLength(2);
  const [plain] = meshes;
  const bounds = new Box3().setFromObject(plain!);
  expect(bounds.min.toArray()).toEqual([-1, -1, -3]);
  expect(bounds.max.toArray()).toEqual([11, 1, 3]);
  const tint = plain!.geometry.getAttribute("tint");
  expect(tint.getX(0)).toBe(1);
  expect(tint.getZ(tint.count - 1)).toBe(1);
  expect(outline(meshes).index?.count).toBe(3 * 36);
});

test("a higher layer lies above a lower one", () => {
  const batch = new Batch();
  batch.add(piece({ layer: 3 }));
  const [mesh] = batch.meshes(daylight());
  const { max } = new Box3().setFromObject(mesh!);
  expect(max.z).toBeGreaterThan(1.0005);
  expect(max.z).toBeLessThan(1.002);
});

test("a mirrored piece still looks outwards", () => {
  const batch = new Batch();
  batch.add(piece({ matrix: new Matrix4().makeScale(-1, 1, 1) }));
  const { geometry } = batch.meshes(daylight())[0]!;
  const at = (i: number) => new Vector3().fromBufferAttribute(geometry.getAttribute("position"), geometry.index!.getX(i));
  for (let i = 0; i < geometry.index!.count; i += 3) {
    const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
    const outwards = b.sub(a).cross(c.sub(a));
    expect(outwards.dot(a)).toBeGreaterThan(0);
  }
});
