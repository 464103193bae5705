/** What a hand does to a thing on the ground: moves it along, or turns it by its handle. */
import { Vector3 } from "three";
import { type Pose } from "./motion";
import { type Pickable, type Picker } from "./pick";
import { type Placing } from "./placing";
import { wrapped, yawOf } from "./rolling";

type Carry =
  | { kind: "move"; name: string; height: number; dx: number; dy: number }
  | { kind: "turn"; name: string; offset: number };

/** The handle is taken within this many pixels. */
export const HANDLE_PX = 24;

export class Carrying {
  #carry: Carry | null = null;

  constructor(
    private readonly picker: Picker,
    private readonly placing: Placing,
    /** Where something is shown now. */
    private readonly poseOf: (name: string) => Pose | undefined,
  ) {}

  /** Takes hold of the handle of what is selected, or of a thing; says whether there is one. */
  grab(x: number, y: number, isTouch: boolean, selected: string | null, knob: Vector3 | null, pickable: Iterable<Pickable>): boolean {
    this.#carry = null;
    const things = [...pickable];
    const thing = things.find(({ name }) => name === selected);
    if (thing && knob && this.#isForKnob(x, y, knob, thing)) this.#carry = this.#turn(thing.name, x, y);
    else {
      const hit = this.picker.hit(x, y, things);
      const pose = hit && this.poseOf(hit.name);
      // A finger that moves the picture should not take things along: they are touched first.
      if (pose && !(isTouch && hit.name !== selected)) {
        const { x: hitX, y: hitY, z: height } = hit.point;
        this.#carry = { kind: "move", name: hit.name, height, dx: pose.x - hitX, dy: pose.y - hitY };
      }
    }
    return this.#carry !== null;
  }

  /** A small thing and its handle are both near the pointer: the nearer one is meant. */
  #isForKnob(x: number, y: number, knob: Vector3, { group, bounds }: Pickable): boolean {
    const away = this.picker.distance(x, y, knob);
    group.updateMatrixWorld();
    const middle = bounds.getCenter(new Vector3()).applyMatrix4(group.matrixWorld);
    return away < HANDLE_PX && away < this.picker.distance(x, y, middle);
  }

  /** Holds the thing under the pointer; its name, if there is one. */
  to(x: number, y: number): string | null {
    const carry = this.#carry;
    const pose = carry && this.poseOf(carry.name);
    if (!carry || !pose) return null;
    if (carry.kind === "turn") {
      const angle = this.#angleTo(carry.name, x, y);
      if (angle !== null) this.placing.hold(carry.name, pose, { x: pose.x, y: pose.y, yaw: wrapped(angle + carry.offset) });
    } else {
      const at = this.picker.ground(x, y, carry.height);
      if (at) this.placing.hold(carry.name, pose, { x: at.x + carry.dx, y: at.y + carry.dy, yaw: yawOf(pose.q) });
    }
    return carry.name;
  }

  /** Lets go; the name of what was held. */
  drop(): string | null {
    const name = this.#carry?.name ?? null;
    this.#carry = null;
    return name;
  }

  #turn(name: string, x: number, y: number): Carry | null {
    const angle = this.#angleTo(name, x, y);
    const pose = this.poseOf(name);
    return angle === null || !pose ? null : { kind: "turn", name, offset: wrapped(yawOf(pose.q) - angle) };
  }

  /** The direction from a thing to the pointer on the ground. */
  #angleTo(name: string, x: number, y: number): number | null {
    const pose = this.poseOf(name);
    const at = pose && this.picker.ground(x, y, pose.z);
    return at ? Math.atan2(at.y - pose.y, at.x - pose.x) : null;
  }
}
