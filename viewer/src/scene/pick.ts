/** What is under the pointer: boxes around things, and the ground. */
import { type Box3, Matrix4, type Object3D, Plane, type PerspectiveCamera, Ray, Raycaster, Vector2, Vector3 } from "three";

export interface Pickable {
  name: string;
  group: Object3D;
  bounds: Box3;
}

export interface Hit {
  name: string;
  /** In the world. */
  point: Vector3;
}

/** Small things are taken as if they were this much larger on every side. */
const MARGIN_M = 0.015;
/** Beyond this the ground is the horizon. */
const MAX_REACH_M = 60;

export class Picker {
  #caster = new Raycaster();

  constructor(
    private readonly camera: PerspectiveCamera,
    private readonly canvas: HTMLCanvasElement,
  ) {}

  /** The nearest of these under the pointer. */
  hit(x: number, y: number, things: Iterable<Pickable>): Hit | null {
    const ray = this.#ray(x, y);
    let nearest: { hit: Hit; distance: number } | null = null;
    for (const { name, group, bounds } of things) {
      if (bounds.isEmpty() || !group.visible) continue;
      group.updateMatrixWorld();
      const own = new Ray().copy(ray).applyMatrix4(new Matrix4().copy(group.matrixWorld).invert());
      const point = own.intersectBox(bounds.clone().expandByScalar(MARGIN_M), new Vector3())?.applyMatrix4(group.matrixWorld);
      if (!point) continue;
      const distance = point.distanceTo(ray.origin);
      if (!nearest || distance < nearest.distance) nearest = { hit: { name, point }, distance };
    }
    return nearest?.hit ?? null;
  }

  /** Where the pointer meets the level at this height. */
  ground(x: number, y: number, height: number): Vector3 | null {
    const ray = this.#ray(x, y);
    const point = ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -height), new Vector3());
    return point && point.distanceTo(ray.origin) < MAX_REACH_M ? point : null;
  }

  /** Where a place of the world is on the page, in pixels; null when it is behind the camera. */
  screen(place: Vector3): { x: number; y: number } | null {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const at = place.clone().project(this.camera);
    return at.z > 1 ? null : { x: left + ((at.x + 1) / 2) * width, y: top + ((1 - at.y) / 2) * height };
  }

  /** How far the pointer is from a place, in pixels. */
  distance(x: number, y: number, place: Vector3): number {
    const at = this.screen(place);
    return at ? Math.hypot(at.x - x, at.y - y) : Infinity;
  }

  #ray(x: number, y: number): Ray {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const at = new Vector2(((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2);
    this.#caster.setFromCamera(at, this.camera);
    return this.#caster.ray;
  }
}
