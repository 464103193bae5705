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

type Choice = Pick<Sight, "azimuth" | "distance">;

/** How much nearer another side must come before the track is turned. */
const MAP_PREFERENCE = 0.9;
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
  #isDirty = true;
  #height = 1;
  #lastAspect = 0;

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
    const middle = extent.getCenter(new Vector3()).setZ(0);
    for (const sight of [this.#top, this.#orbit]) {
      sight.target.copy(middle);
      // With y upwards, as on a map; a tall screen shows a wide track better lying on its side.
      const choices = [Math.PI / 2, 0].map((azimuth) => ({ azimuth, distance: this.#distanceFor(extent, { ...sight, azimuth }) }));
      const [map, side] = choices as [Choice, Choice];
      const { azimuth, distance } = side.distance < map.distance * MAP_PREFERENCE ? side : map;
      sight.azimuth = azimuth;
      sight.distance = Math.min(FARTHEST_M, Math.max(NEAREST_M, distance));
    }
    this.#isDirty = true;
  }

  rotate(dx: number, dy: number): void {
    if (this.#view === "top") return this.pan(dx, dy);
    const sight = this.#sight;
    if (!sight) return;
    sight.azimuth = wrapped(sight.azimuth - dx * RAD_PER_PX);
    sight.slope = Math.min(STEEPEST, Math.max(FLATTEST, sight.slope + dy * RAD_PER_PX));
    this.#isDirty = true;
  }

  /** Moves the ground with the pointer. */
  pan(dx: number, dy: number): void {
    if (this.#view !== "orbit" && this.#view !== "top") return;
    const sight = this.#view === "top" ? this.#top : this.#orbit;
    const metresPerPx = (2 * sight.distance * Math.tan(FOV_RAD / 2)) / Math.max(1, this.#height);
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
    sight.distance = Math.min(FARTHEST_M, Math.max(NEAREST_M, sight.distance * factor));
    this.#isDirty = true;
  }

  resize(width: number, height: number): void {
    this.#height = height;
    this.camera.aspect = width / Math.max(1, height);
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
    return this.#changed(before, this.#values());
  }

  #values(): number[] {
    return [...this.camera.position.toArray(), ...this.camera.quaternion.toArray(), this.camera.fov];
  }

  #changed(before: number[], now: number[]): boolean {
    const resized = this.camera.aspect !== this.#lastAspect;
    this.#lastAspect = this.camera.aspect;
    return resized || now.some((value, i) => Math.abs(value - (before[i] ?? 0)) > 1e-6);
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

  /** From how far away every corner of the ground is inside of the picture. */
  #distanceFor({ min, max }: Box3, sight: Sight): number {
    const { ahead, right, up } = axes(sight.azimuth, sight.slope);
    const high = Math.tan(FOV_RAD / 2) * FILL;
    const wide = high * Math.max(this.camera.aspect, 0.3);
    const corners = [min.x, max.x].flatMap((x) => [min.y, max.y].map((y) => new Vector3(x, y, 0).sub(sight.target)));
    const needed = corners.map((corner) => {
      const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high);
      return across - corner.dot(ahead);
    });
    return Math.max(...needed);
  }

  #look(sight: Sight): void {
    const azimuth = sight === this.#follow ? sight.azimuth + this.#carYaw : sight.azimuth;
    const { ahead, right, up } = axes(azimuth, sight.slope);
    this.camera.position.copy(sight.target).addScaledVector(ahead, -sight.distance);
    this.camera.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(right, up, ahead.negate()));
    this.#setLens(FOV_RAD, Math.max(0.03, sight.distance / 40));
  }

  #sit(car: Pose): void {
    const [x = 0, y = 0, z = 0, w = 1] = car.q;
    const body = new Quaternion(x, y, z, w);
    const forwards = new Matrix4().makeBasis(new Vector3(0, -1, 0), new Vector3(0, 0, 1), new Vector3(-1, 0, 0));
    this.camera.position.copy(this.#seat).applyQuaternion(body).add(new Vector3(car.x, car.y, car.z));
    this.camera.quaternion.copy(body).multiply(new Quaternion().setFromRotationMatrix(forwards));
    // As wide as the robot's camera on a wide screen; as high as it on a tall one.
    const aspect = Math.max(this.camera.aspect, 4 / 3);
    this.#setLens(2 * Math.atan(Math.tan(this.#seatFov / 2) / aspect), 0.02);
  }

  #setLens(verticalFov: number, near: number): void {
    this.camera.fov = (verticalFov * 180) / Math.PI;
    this.camera.near = near;
    this.camera.far = 120;
  }
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
