/** Meshes as the API sends them with `?format=triangles`. */
import { type Rgb, triple } from "./document";

export interface MeshPart {
  name: string;
  diffuse: Rgb;
  emissive: Rgb;
  /** A file of the world. */
  texture: string | null;
  positions: Float32Array<ArrayBuffer>;
  /** Four bytes each, the last of which means nothing. */
  normals: Int8Array<ArrayBuffer>;
  uvs: Float32Array<ArrayBuffer>;
  indices: Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
}

interface PartHeader {
  name: string;
  diffuse: number[];
  emissive: number[];
  texture: string | null;
  vertices: number;
  indices: number;
  wide: boolean;
  positions_at: number;
  normals_at: number;
  uvs_at: number;
  indices_at: number;
}

const MAGIC = "TRI1";

/** The parts of a mesh in drawing order; the numbers stay where they are in the buffer. */
export function decodeTriangles(bytes: ArrayBuffer): MeshPart[] {
  const magic = new TextDecoder().decode(new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength)));
  if (magic !== MAGIC) throw new Error("the server sent something else than triangles");
  const headerLength = new DataView(bytes).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, headerLength))) as { parts: PartHeader[] };
  const start = 8 + headerLength;
  return header.parts.map((part) => {
    const Indices = part.wide ? Uint32Array : Uint16Array;
    return {
      name: part.name,
      diffuse: triple(part.diffuse),
      emissive: triple(part.emissive),
      texture: part.texture,
      positions: new Float32Array(bytes, start + part.positions_at, part.vertices * 3),
      normals: new Int8Array(bytes, start + part.normals_at, part.vertices * 4),
      uvs: new Float32Array(bytes, start + part.uvs_at, part.vertices * 2),
      indices: new Indices(bytes, start + part.indices_at, part.indices),
    };
  });
}
