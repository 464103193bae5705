/**
 * Many pieces as few things to draw: each draw has its price, and a car has fifty parts.
 *
 * Pieces with the same texture become one geometry whose vertices carry the colours. Where pieces lie in one plane (markings
 * on a road), the higher layer is lifted a little along its normals.
 */
import { BufferAttribute, BufferGeometry, Matrix3, type Matrix4, Mesh, type Texture, Vector3 } from "three";
import { type Rgb } from "./document";
import { coloured, type Daylight } from "./surface";

export interface Piece {
  geometry: BufferGeometry;
  /** From the piece to the frame of the batch. */
  matrix: Matrix4;
  diffuse: Rgb;
  emissive: Rgb;
  texture: Texture | null;
  opacity: number;
  layer: number;
}

/** Less than anybody sees, more than a depth buffer confuses. */
const LIFT_M = 0.0003;

export class Batch {
  #pieces: Piece[] = [];

  add(piece: Piece): void {
    this.#pieces.push(piece);
  }

  /** One for each texture and opacity. The pieces are used up. */
  meshes(light: Daylight): Mesh[] {
    const groups = new Map<string, Piece[]>();
    for (const piece of this.#pieces) {
      const key = `${piece.texture?.uuid} ${piece.opacity}`;
      groups.set(key, [...(groups.get(key) ?? []), piece]);
    }
    const meshes = [...groups.values()].map((pieces) => {
      const { texture = null, opacity = 1 } = pieces[0] ?? {};
      return new Mesh(merged(pieces), coloured(light, texture, opacity));
    });
    for (const { geometry } of this.#pieces) geometry.dispose();
    return meshes;
  }
}

/** The bare shape of several meshes that share a frame, as needed for a shadow. */
export function outline(meshes: readonly Mesh[]): BufferGeometry {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const { geometry } of meshes) {
    const first = positions.length / 3;
    for (const value of geometry.getAttribute("position").array) positions.push(value);
    for (const index of geometry.index?.array ?? []) indices.push(first + index);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(indices);
  return geometry;
}

function merged(pieces: readonly Piece[]): BufferGeometry {
  const counts = pieces.map(({ geometry }) => geometry.getAttribute("position").count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const positions = new Float32Array(total * 3);
  const normals = new Int8Array(total * 4);
  const uvs = new Float32Array(total * 2);
  const tints = new Uint8Array(total * 4);
  const glows = new Uint8Array(total * 4);
  const indices: number[] = [];
  const [place, normal, turn] = [new Vector3(), new Vector3(), new Matrix3()];
  let first = 0;
  for (const { geometry, matrix, diffuse, emissive, layer } of pieces) {
    const position = geometry.getAttribute("position");
    const normalAttribute = geometry.getAttribute("normal");
    const uv = geometry.getAttribute("uv");
    turn.getNormalMatrix(matrix);
    const [tint, glow] = [bytes(diffuse), bytes(emissive)];
    for (let i = 0; i < position.count; i++) {
      normal.set(normalAttribute.getX(i), normalAttribute.getY(i), normalAttribute.getZ(i)).applyMatrix3(turn).normalize();
      place.fromBufferAttribute(position, i).applyMatrix4(matrix).addScaledVector(normal, layer * LIFT_M);
      const at = first + i;
      place.toArray(positions, at * 3);
      normals.set([normal.x * 127, normal.y * 127, normal.z * 127].map(Math.round), at * 4);
      uvs.set([uv.getX(i), uv.getY(i)], at * 2);
      tints.set(tint, at * 4);
      glows.set(glow, at * 4);
    }
    const corners = geometry.index ? Array.from(geometry.index.array) : Array.from({ length: position.count }, (_, i) => i);
    // A mirrored piece is inside out.
    if (matrix.determinant() < 0) corners.reverse();
    for (const corner of corners) indices.push(first + corner);
    first += position.count;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 4, true));
  geometry.setAttribute("uv", new BufferAttribute(uvs, 2));
  geometry.setAttribute("tint", new BufferAttribute(tints, 4, true));
  geometry.setAttribute("glow", new BufferAttribute(glows, 4, true));
  geometry.setIndex(indices);
  return geometry;
}

function bytes(colour: Rgb): number[] {
  return [...colour.map((part) => Math.round(Math.max(0, Math.min(1, part)) * 255)), 255];
}
