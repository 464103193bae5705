/** Where the picture is taken from: freely around the track, behind the car, from above, or from the driver's seat. */
import { type Box3, Matrix4, type PerspectiveCamera, Quaternion, Vector3 } from "three";
import { type VehicleLook, triple } from "./document";
import { type Pose } from "./motion";
import { wrapped, yawOf } from "./rolling";

export type View = "orbit" | "follow" | "top" | "driver";

/** A point that is looked at, and from where: heading and slope of the line of sight, and its length. */
interface Sight {
  target: Vector3;
  azimuth: number;
  /** Downwards: 0 is level, a quarter turn straight down. */
  slope: number;
  distance: number;
}

/** How many pixels at each edge of the picture are covered by something else. */
export interface Margins {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const NO_MARGINS: Margins = { left: 0, top: 0, right: 0, bottom: 0 };

/** How much nearer another side must come before the track is turned. */
const MAP_PREFERENCE = 0.8;
const FOV_RAD = (45 * Math.PI) / 180;
const STEEPEST = Math.PI / 2 - 0.02;
const FLATTEST = 0.03;
const NEAREST_M = 0.25;
const FARTHEST_M = 60;
/** Seconds in which the camera behind the car makes good two thirds of a turn. */
const FOLLOW_S = 0.35;
/** A new world fills this share of the picture. */
const FILL = 0.9;
const CAR_MIDDLE_M = 0.1;
const RAD_PER_PX = 0.006;

export class Rig {
  #view: View = "orbit";
  #orbit: Sight = { target: new Vector3(), azimuth: Math.PI / 2, slope: 0.8, distance: 8 };
  #top: Sight = { target: new Vector3(), azimuth: Math.PI / 2, slope: Math.PI / 2, distance: 8 };
  /** Its heading is relative to the car's. */
  #follow: Sight = { target: new Vector3(), azimuth: 0, slope: 0.42, distance: 1.25 };
  #carYaw = 0;
  #seat = new Vector3(0.1, 0, 0.13);
  #seatFov = 1.7;
  #extent: Box3 | null = null;
  /** The person has turned, moved or zoomed the picture: it stays as they have it. */
  #isTouched = false;
  #isDirty = true;
  #width = 1;
  #height = 1;
  #margins = NO_MARGINS;

  constructor(readonly camera: PerspectiveCamera) {}

  get view(): View {
    return this.#view;
  }

  set view(view: View) {
    this.#view = view;
    this.#isDirty = true;
  }

  /** Metres between the camera and what it looks at. */
  get distance(): number {
    return this.#sight?.distance ?? 1;
  }

  setVehicle(look: VehicleLook): void {
    this.#seat.set(...triple(look.camera));
    this.#seatFov = look.camera_hfov;
  }

  /** Shows all of a new world. */
  fit(extent: Box3): void {
    this.#extent = extent;
    this.#isTouched = false;
    for (const sight of [this.#top, this.#orbit]) {
      // With y upwards, as on a map; a tall screen shows a wide track better lying on its side.
      const map = this.#fitted(extent, { ...sight, azimuth: Math.PI / 2 });
      const side = this.#fitted(extent, { ...sight, azimuth: 0 });
      Object.assign(sight, side.distance < map.distance * MAP_PREFERENCE ? side : map);
      sight.distance = Math.min(FARTHEST_M, Math.max(NEAREST_M, sight.distance));
    }
    this.#isDirty = true;
  }

  rotate(dx: number, dy: number): void {
    if (this.#view === "top") return this.pan(dx, dy);
    const sight = this.#sight;
    if (!sight) return;
    this.#isTouched = true;
    sight.azimuth = wrapped(sight.azimuth - dx * RAD_PER_PX);
    sight.slope = Math.min(STEEPEST, Math.max(FLATTEST, sight.slope + dy * RAD_PER_PX));
    this.#isDirty = true;
  }

  /** Moves the ground with the pointer. */
  pan(dx: number, dy: number): void {
    if (this.#view !== "orbit" && this.#view !== "top") return;
    const sight = this.#view === "top" ? this.#top : this.#orbit;
    this.#isTouched = true;
    const metresPerPx = (2 * sight.distance * Math.tan(FOV_RAD / 2)) / this.#height;
    const [sine, cosine] = [Math.sin(sight.azimuth), Math.cos(sight.azimuth)];
    const [right, ahead] = [-dx * metresPerPx, (dy * metresPerPx) / Math.max(0.3, Math.sin(sight.slope))];
    sight.target.x += sine * right + cosine * ahead;
    sight.target.y += -cosine * right + sine * ahead;
    if (this.#extent) {
      sight.target.clamp(this.#extent.min, this.#extent.max);
      sight.target.z = 0;
    }
    this.#isDirty = true;
  }

  zoom(factor: number): void {
    const sight = this.#sight;
    if (!sight) return;
    this.#isTouched = true;
    sight.distance = Math.min(FARTHEST_M, Math.max(NEAREST_M, sight.distance * factor));
    this.#isDirty = true;
  }

  /** What is looked at is shown in the middle of what the margins leave free. */
  resize(width: number, height: number, margins: Margins = this.#margins): void {
    this.#width = Math.max(1, width);
    this.#height = Math.max(1, height);
    this.#margins = margins;
    this.camera.aspect = this.#width / this.#height;
    if (this.#extent && !this.#isTouched) this.fit(this.#extent);
    this.#isDirty = true;
  }

  /** Takes its place for the next picture; says whether that is another one than before. */
  update(elapsedS: number, car: Pose | null, cut: boolean): boolean {
    const followed = car !== null && (this.#view === "follow" || this.#view === "driver");
    if (car) {
      const away = wrapped(yawOf(car.q) - this.#carYaw);
      this.#carYaw = wrapped(this.#carYaw + away * (cut ? 1 : 1 - Math.exp(-elapsedS / FOLLOW_S)));
      this.#follow.target.set(car.x, car.y, car.z + CAR_MIDDLE_M);
    }
    if (!this.#isDirty && !followed) return false;
    this.#isDirty = false;
    const before = this.#values();
    if (this.#view === "driver" && car) this.#sit(car);
    else this.#look(this.#sight ?? this.#orbit);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    return this.#values().some((value, i) => Math.abs(value - before[i]!) > 1e-6);
  }

  #values(): number[] {
    const { position, quaternion, projectionMatrix } = this.camera;
    return [...position.toArray(), ...quaternion.toArray(), ...projectionMatrix.toArray()];
  }

  get #sight(): Sight | null {
    switch (this.#view) {
      case "orbit":
        return this.#orbit;
      case "top":
        return this.#top;
      case "follow":
        return this.#follow;
      case "driver":
        return null;
    }
  }

  /** The same sight, of the spot that brings all of the ground into the middle of the free part, as near as that goes. */
  #fitted(extent: Box3, sight: Sight): Sight {
    const middle = extent.getCenter(new Vector3()).setZ(0);
    const along = new Vector3(Math.cos(sight.azimuth), Math.sin(sight.azimuth), 0);
    // What is near is larger, so the middle of the ground is not the middle of its picture.
    let fitted = sight;
    let [near, far] = [-1, 1].map((sign) => (sign * extent.getSize(new Vector3()).length()) / 2) as [number, number];
    for (let i = 0; i < 20; i++) {
      const offset = (near + far) / 2;
      const target = middle.clone().addScaledVector(along, offset);
      fitted = { ...sight, target, distance: this.#distanceFor(extent, { ...sight, target }) };
      if (heightOf(extent, fitted) > 0) near = offset;
      else far = offset;
    }
    return fitted;
  }

  /** From how far away every corner of the ground is inside of the free part of the picture. */
  #distanceFor(extent: Box3, sight: Sight): number {
    const { ahead, right, up } = axes(sight.azimuth, sight.slope);
    const { width, height } = this.#free;
    const scale = (Math.tan(FOV_RAD / 2) * FILL) / this.#height;
    const [wide, high] = [scale * width, scale * height];
    const needed = cornersOf(extent, sight).map((corner) => {
      const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high);
      return across - corner.dot(ahead);
    });
    return Math.max(...needed);
  }

  /** Never nothing, however much covers the picture. */
  get #free(): { width: number; height: number } {
    const { left, top, right, bottom } = this.#margins;
    return { width: Math.max(this.#width - left - right, this.#width / 3), height: Math.max(this.#height - top - bottom, this.#height / 3) };
  }

  #look(sight: Sight): void {
    const azimuth = sight === this.#follow ? sight.azimuth + this.#carYaw : sight.azimuth;
    const { ahead, right, up } = axes(azimuth, sight.slope);
    this.camera.position.copy(sight.target).addScaledVector(ahead, -sight.distance);
    this.camera.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(right, up, ahead.negate()));
    this.#setLens(FOV_RAD, Math.max(0.03, sight.distance / 40), this.#margins);
  }

  #sit(car: Pose): void {
    const [x = 0, y = 0, z = 0, w = 1] = car.q;
    const body = new Quaternion(x, y, z, w);
    const forwards = new Matrix4().makeBasis(new Vector3(0, -1, 0), new Vector3(0, 0, 1), new Vector3(-1, 0, 0));
    this.camera.position.copy(this.#seat).applyQuaternion(body).add(new Vector3(car.x, car.y, car.z));
    this.camera.quaternion.copy(body).multiply(new Quaternion().setFromRotationMatrix(forwards));
    // The road ahead is in the middle of what is free; the horizon stays where the robot's camera has it.
    // As wide as the robot's camera on a wide screen; as high as it on a tall one.
    const aspect = Math.max(this.camera.aspect, 4 / 3);
    this.#setLens(2 * Math.atan(Math.tan(this.#seatFov / 2) / aspect), 0.02, { ...this.#margins, top: 0, bottom: 0 });
  }

  #setLens(verticalFov: number, near: number, { left, top, right, bottom }: Margins): void {
    this.camera.fov = (verticalFov * 180) / Math.PI;
    this.camera.near = near;
    this.camera.far = 120;
    // The lens is shifted, not turned: the middle of the free part shows what is looked at.
    const [x, y] = [(right - left) / 2, (bottom - top) / 2];
    this.camera.setViewOffset(this.#width, this.#height, x, y, this.#width, this.#height);
  }
}

/** The corners of the ground, seen from what is looked at. */
function cornersOf({ min, max }: Box3, { target }: Sight): Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].map((y) => new Vector3(x, y, 0).sub(target)));
}

/** How far the picture of the ground is above the middle, in no particular unit. */
function heightOf(extent: Box3, sight: Sight): number {
  const { ahead, up } = axes(sight.azimuth, sight.slope);
  const heights = cornersOf(extent, sight).map((corner) => corner.dot(up) / (sight.distance + corner.dot(ahead)));
  return Math.min(...heights) + Math.max(...heights);
}

/** The directions of a picture that is taken this way. */
function axes(azimuth: number, slope: number): { ahead: Vector3; right: Vector3; up: Vector3 } {
  const [sine, cosine] = [Math.sin(azimuth), Math.cos(azimuth)];
  const [down, level] = [Math.sin(slope), Math.cos(slope)];
  return {
    ahead: new Vector3(level * cosine, level * sine, -down),
    right: new Vector3(sine, -cosine, 0),
    up: new Vector3(down * cosine, down * sine, level),
  };
}
