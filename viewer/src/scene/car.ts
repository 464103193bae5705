/** The car: a body on four wheels that roll and steer, with a lidar on its back and a camera that turns on its mast. */
import { type Box3, type BufferGeometry, Group, Mesh, Object3D, type ShaderMaterial, Vector3 } from "three";
import { Batch, outline } from "./batch";
import { type Joints, type Rgb, triple, type VehicleLook } from "./document";
import { isSameStance } from "./joints";
import { type Pose } from "./motion";
import { AT_REST, type Measures, type Rolling, rolled } from "./rolling";
import { body, box, cylinder, wheel } from "./shapes";
import { type Shadows } from "./shadow";
import { type Daylight } from "./surface";
import { boundsOf, place } from "./world";

const PAINT: Rgb = [0.13, 0.44, 0.86];
const TRIM: Rgb = [0.93, 0.95, 0.97];
const GLASS: Rgb = [0.09, 0.12, 0.16];
const DARK: Rgb = [0.13, 0.14, 0.16];
const RUBBER: Rgb = [0.1, 0.1, 0.11];
const RIM: Rgb = [0.78, 0.8, 0.83];
const LENS: Rgb = [0.03, 0.05, 0.09];
const HEADLAMP: Rgb = [1, 0.97, 0.82];
const TAILLAMP: Rgb = [0.75, 0.08, 0.07];
const BLACK: Rgb = [0, 0, 0];
const SPOKES = 5;

/** One solid of one colour, and where it is. */
interface Part {
  object: Object3D;
  geometry: BufferGeometry;
  diffuse: Rgb;
  emissive: Rgb;
}

interface Wheel {
  hub: Group;
  roll: Group;
  steerable: boolean;
  /** How far it is turned by these joints, and how far it has rolled. */
  stance(joints: Joints): { steering: number; spin: number };
}

/** By the names of the wheels. */
const STANCES: Readonly<Record<string, Wheel["stance"]>> = {
  front_left: (joints) => ({ steering: joints.front_left_steering_rad, spin: joints.front_left_wheel_rad }),
  front_right: (joints) => ({ steering: joints.front_right_steering_rad, spin: joints.front_right_wheel_rad }),
  rear_left: (joints) => ({ steering: 0, spin: joints.rear_left_wheel_rad }),
  rear_right: (joints) => ({ steering: 0, spin: joints.rear_right_wheel_rad }),
};

export class Car {
  readonly group = new Group();
  readonly bounds: Box3;
  #wheels: Wheel[] = [];
  #materials: ShaderMaterial[] = [];
  #parts: Part[] = [];
  #measures: Measures;
  #rolling: Rolling = AT_REST;
  #last: Pose | null = null;
  #joints: Joints | null = null;
  /** Turns about the point from which the camera looks. */
  #head = new Group();

  constructor(
    look: VehicleLook,
    private readonly light: Daylight,
    private readonly shadows: Shadows,
  ) {
    this.#measures = {
      wheelbase: look.wheelbase,
      radius: look.wheels[0]?.radius ?? 0.04,
      maxSteer: look.max_steer,
    };
    this.#body(look);
    this.#lidar(look);
    this.#camera(look);
    const shell = this.#finish(this.group, this.#parts);
    this.bounds = boundsOf(shell);
    this.bounds.union(boundsOf(this.#finish(this.#head, this.#headParts())).translate(this.#head.position));
    for (const one of look.wheels) {
      this.#wheel(one);
      const middle = new Vector3(...triple(one.position));
      const reach = new Vector3(one.radius, one.width / 2, one.radius);
      this.bounds.expandByPoint(middle.clone().add(reach)).expandByPoint(middle.sub(reach));
    }
  }

  /** Moves there. Where nobody tells how the wheels stand, they show how it moved, unless it is a cut. */
  show(pose: Pose, cut: boolean): void {
    if (!this.#joints && this.#last && !cut) {
      this.#rolling = rolled(this.#rolling, this.#last, pose, this.#measures);
      const { steering, spin } = this.#rolling;
      for (const wheel of this.#wheels) turn(wheel, wheel.steerable ? steering : 0, spin);
    }
    this.#last = pose;
    place(this.group, pose);
  }

  /** Turns wheels and camera as they stand; says whether that is to be seen. Without a reading everything stays as it is. */
  stand(joints: Joints | null): boolean {
    const isNew = joints !== null && !isSameStance(joints, this.#joints);
    this.#joints = joints;
    if (!joints || !isNew) return false;
    for (const wheel of this.#wheels) {
      const { steering, spin } = wheel.stance(joints);
      turn(wheel, steering, spin);
    }
    // What is seen of the motion goes on from here, should there be no more readings.
    this.#rolling = { spin: joints.rear_left_wheel_rad, steering: joints.front_left_steering_rad };
    this.#head.rotation.set(0, -joints.camera_tilt_rad, joints.camera_pan_rad, "ZYX");
    return true;
  }

  /** The angles that are drawn, rad. For whoever looks: a test. */
  get stance(): { steering: number[]; pan: number; tilt: number } {
    const steering = this.#wheels.filter(({ steerable }) => steerable).map(({ hub }) => hub.rotation.z);
    return { steering, pan: this.#head.rotation.z, tilt: -this.#head.rotation.y };
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof Mesh) (object.geometry as BufferGeometry).dispose();
    });
    for (const material of this.#materials) material.dispose();
    this.group.removeFromParent();
  }

  #body(look: VehicleLook): void {
    const [length, width, height] = triple(look.chassis.size);
    const [, , middle] = triple(look.chassis.centre);
    const low = middle - height / 2;
    const half = length / 2;
    const deck = low + height * 0.36;
    // A tub between the wheels, a cabin that leans on it, and what a car has in front and behind.
    const tub = [
      [-half, low + height * 0.08],
      [half * 0.86, low],
      [half, low + height * 0.1],
      [half, low + height * 0.24],
      [half * 0.5, deck],
      [-half * 0.96, deck],
      [-half, low + height * 0.3],
    ] as const;
    const cabin = [
      [-half * 0.86, deck],
      [half * 0.44, deck],
      [half * 0.1, low + height * 0.7],
      [-half * 0.62, low + height * 0.7],
    ] as const;
    this.#add(body(tub, width, 0.96), PAINT);
    this.#add(body(cabin, width * 0.86, 0.78), GLASS);
    const roof = this.#add(box(half * 0.68, width * 0.66, height * 0.03), PAINT);
    roof.position.set(-half * 0.26, 0, low + height * 0.71);
    const stripe = this.#add(box(half * 0.46, width * 0.16, 0.001), TRIM);
    stripe.position.set(half * 0.73, 0, deck - height * 0.055);
    stripe.rotation.y = Math.atan2(height * 0.12, half * 0.5);
    for (const axle of [1, -1]) {
      const bar = this.#add(box(0.012, Math.abs(look.wheels[0]?.position[1] ?? 0.08) * 2, 0.01), DARK);
      bar.position.set((axle * look.wheelbase) / 2, 0, look.wheels[0]?.position[2] ?? 0.04);
    }
    const bumper = this.#add(box(0.014, width * 1.12, height * 0.1), DARK);
    bumper.position.set(half, 0, low + height * 0.1);
    const spoiler = this.#add(box(0.03, width * 1.1, 0.005), PAINT);
    spoiler.position.set(-half * 0.97, 0, low + height * 0.56);
    for (const side of [1, -1]) {
      const strut = this.#add(box(0.012, 0.005, height * 0.2), DARK);
      strut.position.set(-half * 0.95, side * width * 0.36, low + height * 0.46);
      const lamp = this.#add(box(0.004, width * 0.2, height * 0.07), BLACK, HEADLAMP);
      lamp.position.set(half + 0.001, side * width * 0.32, low + height * 0.2);
      const tail = this.#add(box(0.004, width * 0.22, height * 0.07), BLACK, TAILLAMP);
      tail.position.set(-half - 0.001, side * width * 0.34, low + height * 0.24);
    }
  }

  #lidar(look: VehicleLook): void {
    const [x, y, z] = triple(look.lidar);
    const [, , height] = triple(look.chassis.size);
    const roof = triple(look.chassis.centre)[2] + height * 0.22;
    const mast = this.#add(cylinder(0.012, Math.max(0.004, z - 0.008 - roof)), DARK);
    mast.position.set(x, y, (roof + z - 0.008) / 2);
    this.#add(cylinder(0.024, 0.02), DARK).position.set(x, y, z);
    this.#add(cylinder(0.0245, 0.006), LENS, [0.02, 0.06, 0.1]).position.set(x, y, z + 0.001);
  }

  #camera(look: VehicleLook): void {
    const [x, y, z] = triple(look.camera);
    const [, , height] = triple(look.chassis.size);
    const deck = triple(look.chassis.centre)[2] - height * 0.2;
    const mast = this.#add(box(0.008, 0.008, Math.max(0.004, z - deck)), DARK);
    mast.position.set(x - 0.012, y, (z + deck) / 2);
    this.#head.position.set(x, y, z);
    this.group.add(this.#head);
  }

  #headParts(): Part[] {
    const [housing, lens] = [new Object3D(), new Object3D()];
    housing.position.x = -0.008;
    lens.position.x = 0.004;
    lens.rotation.y = Math.PI / 2;
    return [
      { object: housing, geometry: box(0.018, 0.034, 0.024), diffuse: TRIM, emissive: BLACK },
      { object: lens, geometry: cylinder(0.008, 0.01), diffuse: LENS, emissive: BLACK },
    ];
  }

  #wheel({ name, position, radius, width, steerable }: VehicleLook["wheels"][number]): void {
    const hub = new Group();
    hub.position.set(...triple(position));
    const roll = new Group();
    hub.add(roll);
    const parts: Part[] = [
      { object: new Object3D(), geometry: wheel(radius, width), diffuse: RUBBER, emissive: BLACK },
      { object: new Object3D(), geometry: wheel(radius * 0.62, width * 1.03), diffuse: DARK, emissive: BLACK },
    ];
    for (let i = 0; i < SPOKES; i++) {
      const angle = (i / SPOKES) * 2 * Math.PI;
      const object = new Object3D();
      object.position.set(Math.cos(angle) * radius * 0.32, 0, -Math.sin(angle) * radius * 0.32);
      object.rotation.y = angle;
      parts.push({ object, geometry: box(radius * 0.6, width * 1.06, radius * 0.16), diffuse: RIM, emissive: BLACK });
    }
    this.#finish(roll, parts);
    this.group.add(hub);
    this.#wheels.push({ hub, roll, steerable, stance: STANCES[name] ?? ((joints) => stanceOf(joints, steerable)) });
  }

  /** A part that is still to be put in its place. */
  #add(geometry: BufferGeometry, diffuse: Rgb, emissive: Rgb = BLACK): Object3D {
    const object = new Object3D();
    this.#parts.push({ object, geometry, diffuse, emissive });
    return object;
  }

  /** Makes one thing of parts that move together, and gives it a shadow. */
  #finish(parent: Group, parts: readonly Part[]): Mesh[] {
    const batch = new Batch();
    for (const { object, geometry, diffuse, emissive } of parts) {
      object.updateMatrix();
      batch.add({ geometry, matrix: object.matrix, diffuse, emissive, texture: null, opacity: 1, layer: 0 });
    }
    const meshes = batch.meshes(this.light);
    parent.add(...meshes);
    const shadow = this.shadows.of(outline(meshes));
    if (shadow) parent.add(shadow);
    this.#materials.push(...meshes.map((mesh) => mesh.material as ShaderMaterial));
    return meshes;
  }
}

/** Of a wheel that no joint belongs to: like the others of its kind. */
function stanceOf(joints: Joints, steerable: boolean): { steering: number; spin: number } {
  return { steering: steerable ? joints.front_left_steering_rad : 0, spin: joints.rear_left_wheel_rad };
}

function turn({ hub, roll }: Wheel, steering: number, spin: number): void {
  hub.rotation.z = steering;
  roll.rotation.y = spin;
}
