/** Simple solids with z up, textured as the car's camera shows them. */
import { BufferAttribute, BufferGeometry, CylinderGeometry, PlaneGeometry, SphereGeometry } from "three";
import { type MeshPart } from "./triangles";

/** Round things have this many sides. */
const SEGMENTS = 24;

type Side = readonly [normal: readonly number[], right: readonly number[], up: readonly number[]];

const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

/** Each face shows the whole texture, upright on the four sides. */
const FACES: readonly Side[] = [
  [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  [[-1, 0, 0], [0, -1, 0], [0, 0, 1]],
  [[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
  [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
  [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
  [[0, 0, -1], [1, 0, 0], [0, -1, 0]],
];

export function box(x: number, y: number, z: number): BufferGeometry {
  const half = [x / 2, y / 2, z / 2];
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  FACES.forEach(([normal, right, up], face) => {
    for (const [u, v] of CORNERS) {
      half.forEach((side, i) => {
        positions.push(side * ((normal[i] ?? 0) + (right[i] ?? 0) * (2 * u - 1) + (up[i] ?? 0) * (2 * v - 1)));
      });
      normals.push(...normal);
      uvs.push(u, v);
    }
    indices.push(...[0, 1, 2, 0, 2, 3].map((corner) => face * 4 + corner));
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array(uvs), 2));
  geometry.setIndex(indices);
  return geometry;
}

/** Closed at both ends; its axis is z. */
export function cylinder(radius: number, length: number, topRadius = radius): BufferGeometry {
  return new CylinderGeometry(topRadius, radius, length, SEGMENTS).rotateX(Math.PI / 2);
}

/** Its axis is y, as that of a wheel. */
export function wheel(radius: number, width: number): BufferGeometry {
  return new CylinderGeometry(radius, radius, width, SEGMENTS);
}

export function sphere(radius: number): BufferGeometry {
  return new SphereGeometry(radius, SEGMENTS, SEGMENTS / 2).rotateX(Math.PI / 2);
}

/** Looks up; the texture repeats every metre. */
export function plane(x: number, y: number): BufferGeometry {
  const geometry = new PlaneGeometry(x, y);
  const uvs = geometry.getAttribute("uv");
  for (let i = 0; i < uvs.count; i++) uvs.setXY(i, uvs.getX(i) * x, uvs.getY(i) * y);
  return geometry;
}

/** A side view of [forward, up] points, counter-clockwise and convex, made `width` wide and narrower towards the top. */
export function body(profile: readonly (readonly [number, number])[], width: number, topShare = 1): BufferGeometry {
  const heights = profile.map(([, z]) => z);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const halfAt = (z: number) => (width / 2) * (1 - (1 - topShare) * ((z - low) / Math.max(high - low, 1e-6)));
  const corners: number[] = [];
  const triangle = (...points: (readonly [number, number, number])[]) => corners.push(...points.flat());
  const at = (i: number, side: number) => {
    const [x, z] = profile[i % profile.length] ?? [0, 0];
    return [x, side * halfAt(z), z] as const;
  };
  for (let i = 0; i < profile.length; i++) {
    triangle(at(i, -1), at(i, 1), at(i + 1, 1));
    triangle(at(i, -1), at(i + 1, 1), at(i + 1, -1));
    if (i < 1 || i > profile.length - 2) continue;
    triangle(at(0, -1), at(i, -1), at(i + 1, -1));
    triangle(at(0, 1), at(i + 1, 1), at(i, 1));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array((corners.length / 3) * 2), 2));
  geometry.computeVertexNormals();
  return geometry;
}

export function meshPart(part: MeshPart): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(part.positions, 3));
  // The fourth byte is only there to keep the rows where the graphics card wants them.
  geometry.setAttribute("normal", new BufferAttribute(part.normals, 4, true));
  geometry.setAttribute("uv", new BufferAttribute(part.uvs, 2));
  geometry.setIndex(new BufferAttribute(part.indices, 1));
  return geometry;
}
