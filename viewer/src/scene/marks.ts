/** What is drawn over the world for people: the selection with its handle, the lidar, the grid, a driven path. */
import {
  type Box3,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Points,
  PointsMaterial,
  RingGeometry,
  SphereGeometry,
  Vector3,
} from "three";

interface Point {
  x: number;
  y: number;
}

/** On top of everything, in this order. */
const ORDER = 1000;
const GRID_REACH_M = 10;
const GRID_ABOVE_M = 0.006;
const PATH_WIDTH_M = 0.035;
const PATH_ABOVE_M = 0.012;
const RING_GAP_M = 0.05;
const KNOB_M = 0.025;
const SCAN_ABOVE_M = 0.16;

export class Marks {
  readonly group = new Group();
  #selection = new Group();
  #box: LineSegments | null = null;
  #ring: Mesh | null = null;
  #knob: Mesh | null = null;
  #radius = 0;
  #scan: Points | null = null;
  #grid: LineSegments | null = null;
  #path: Mesh | null = null;
  #white = new LineBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true });
  #handle = new MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, opacity: 0.85, side: DoubleSide });
  #ringLook = new MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, opacity: 0.35, side: DoubleSide });
  #scanLook = new PointsMaterial({ color: 0xff3d5a, size: 3, sizeAttenuation: false, depthTest: false, transparent: true });
  #gridLook = new LineBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.35, depthWrite: false });
  #pathLook = new MeshBasicMaterial({ color: 0x22c8ff, side: DoubleSide, transparent: true, opacity: 0.9, depthWrite: false });

  constructor() {
    this.group.add(this.#selection);
    this.#selection.visible = false;
  }

  /** Puts a white box around something, and a handle in front of it that turns it. */
  select(bounds: Box3 | null): void {
    for (const part of [this.#box, this.#ring, this.#knob]) part?.geometry.dispose();
    this.#selection.clear();
    this.#selection.visible = bounds !== null;
    if (!bounds) return;
    this.#box = new LineSegments(edges(bounds), this.#white);
    const reach = Math.hypot(
      Math.max(-bounds.min.x, bounds.max.x),
      Math.max(-bounds.min.y, bounds.max.y),
    );
    this.#radius = reach + RING_GAP_M;
    this.#ring = new Mesh(new RingGeometry(this.#radius - 0.006, this.#radius + 0.006, 64), this.#ringLook);
    this.#knob = new Mesh(new SphereGeometry(KNOB_M, 16, 12), this.#handle);
    this.#ring.position.z = bounds.min.z + 0.01;
    this.#knob.position.set(this.#radius, 0, bounds.min.z + 0.01);
    for (const [i, part] of [this.#box, this.#ring, this.#knob].entries()) {
      part.renderOrder = ORDER + i;
      this.#selection.add(part);
    }
  }

  /** Keeps the selection with what it belongs to. The handle is never too small to be taken. */
  follow(object: Object3D, distanceM: number): void {
    this.#selection.position.copy(object.position);
    this.#selection.quaternion.copy(object.quaternion);
    this.#knob?.scale.setScalar(Math.max(1, distanceM / 4));
  }

  /** Where the handle is, in the world; null without a selection. */
  get knob(): Vector3 | null {
    if (!this.#selection.visible || !this.#knob) return null;
    return this.#knob.position.clone().applyQuaternion(this.#selection.quaternion).add(this.#selection.position);
  }

  showScan(points: readonly Point[] | null): void {
    if (this.#scan) this.#scan.visible = points !== null;
    if (!points) return;
    if (!this.#scan || this.#scan.geometry.getAttribute("position").count < points.length) {
      this.#scan?.geometry.dispose();
      this.#scan?.removeFromParent();
      const room = new BufferAttribute(new Float32Array(Math.max(720, points.length) * 3), 3).setUsage(DynamicDrawUsage);
      this.#scan = new Points(new BufferGeometry().setAttribute("position", room), this.#scanLook);
      this.#scan.frustumCulled = false;
      this.#scan.renderOrder = ORDER - 1;
      this.group.add(this.#scan);
    }
    const positions = this.#scan.geometry.getAttribute("position");
    points.forEach((point, i) => positions.setXYZ(i, point.x, point.y, SCAN_ABOVE_M));
    positions.needsUpdate = true;
    this.#scan.geometry.setDrawRange(0, points.length);
  }

  showGrid(on: boolean): void {
    if (!this.#grid && on) {
      const corners: number[] = [];
      for (let at = -GRID_REACH_M; at <= GRID_REACH_M; at++) {
        corners.push(at, -GRID_REACH_M, GRID_ABOVE_M, at, GRID_REACH_M, GRID_ABOVE_M);
        corners.push(-GRID_REACH_M, at, GRID_ABOVE_M, GRID_REACH_M, at, GRID_ABOVE_M);
      }
      this.#grid = new LineSegments(lines(corners), this.#gridLook);
      this.#grid.renderOrder = ORDER - 3;
      this.group.add(this.#grid);
    }
    if (this.#grid) this.#grid.visible = on;
  }

  showPath(points: readonly Point[] | null): void {
    this.#path?.geometry.dispose();
    this.#path?.removeFromParent();
    this.#path = null;
    if (!points || points.length < 2) return;
    this.#path = new Mesh(ribbon(points), this.#pathLook);
    this.#path.renderOrder = ORDER - 2;
    this.group.add(this.#path);
  }

  setTheme(dark: boolean): void {
    this.#gridLook.color.set(dark ? 0xffffff : 0x10202c);
    this.#gridLook.opacity = dark ? 0.35 : 0.45;
  }

  dispose(): void {
    this.select(null);
    this.showPath(null);
    this.#scan?.geometry.dispose();
    this.#grid?.geometry.dispose();
    for (const look of [this.#white, this.#handle, this.#ringLook, this.#scanLook, this.#gridLook, this.#pathLook]) {
      look.dispose();
    }
  }
}

function lines(corners: number[]): BufferGeometry {
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
}

/** The twelve edges of a box. */
function edges({ min, max }: Box3): BufferGeometry {
  const corner = (i: number) => [i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z];
  const pairs = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((from) => [1, 2, 4].filter((axis) => !(from & axis)).map((axis) => [from, from | axis]));
  return lines(pairs.flat().flatMap(corner));
}

/** A flat band along a path. */
function ribbon(points: readonly Point[]): BufferGeometry {
  const corners: number[] = [];
  const indices: number[] = [];
  points.forEach((point, i) => {
    const [before, after] = [points[Math.max(0, i - 1)] ?? point, points[Math.min(points.length - 1, i + 1)] ?? point];
    const length = Math.hypot(after.x - before.x, after.y - before.y) || 1;
    const [nx, ny] = [-(after.y - before.y) / length, (after.x - before.x) / length];
    const half = PATH_WIDTH_M / 2;
    corners.push(point.x + nx * half, point.y + ny * half, PATH_ABOVE_M, point.x - nx * half, point.y - ny * half, PATH_ABOVE_M);
    if (i > 0) indices.push(2 * i - 2, 2 * i - 1, 2 * i, 2 * i - 1, 2 * i + 1, 2 * i);
  });
  const geometry = lines(corners);
  geometry.setIndex(indices);
  return geometry;
}
