/**
 * The 3D picture of the page: the loaded world, the car, and direct manipulation of both.
 *
 * Draws only when something has changed, never while the page is hidden, and never asks the server for anything but files;
 * what people do to things goes out through `StageEvents`.
 */
import { Box3, BufferAttribute, BufferGeometry, type Matrix4, Mesh, PerspectiveCamera, Scene, Vector3 } from "three";
import { Canvas } from "./canvas";
import { Car } from "./car";
import { Carrying, HANDLE_PX } from "./carrying";
import { type FileAddress, type SceneDocument, type StateFrame } from "./document";
import { Files } from "./files";
import { type Grab, Hands } from "./hands";
import { Marks } from "./marks";
import { isSame, Playback, type Pose, type Shown } from "./motion";
import { Picker, type Pickable } from "./pick";
import { Placing } from "./placing";
import { type Margins, Rig, type View } from "./rig";
import { Shadows } from "./shadow";
import { daylight, setDaylight, setSky, skyMaterial } from "./surface";
import { place, World } from "./world";

export type { Margins, View } from "./rig";
export type { SceneDocument } from "./document";

export interface StageEvents {
  /** The name of a model, or "vehicle". */
  onSelect(name: string | null): void;
  /** Puts something there through the API; when it is refused, the stage puts it back. */
  onPlace(name: string, pose: { x: number; y: number; z?: number; yaw: number }): Promise<void>;
  /** A traffic light was clicked. */
  onOpenLight(name: string): void;
}

export const VEHICLE = "vehicle";

/** Behind the ground, which is drawn after the things on it. */
const SKY_ORDER = 400;
/** Scenery within this distance of the track is worth seeing. */
const AROUND_M = 3;
/** Around the things of a world without a track. */
const NO_TRACK_M = 1;

export class Stage {
  #canvas: Canvas;
  #scene = new Scene();
  #camera = new PerspectiveCamera();
  #rig = new Rig(this.#camera);
  #light = daylight();
  #sky = skyMaterial(this.#light);
  #marks = new Marks();
  #playback = new Playback();
  #placing = new Placing();
  #picker: Picker;
  #carrying: Carrying;
  #hands: Hands;
  #world: World | null = null;
  #car: Car | null = null;
  #shown: Shown | null = null;
  #applied = new Map<string, Pose>();
  /** The car as the camera sees it. */
  #followed: Pose | null = null;
  #lights = new Map<string, string>();
  #selected: string | null = null;
  #loading = 0;
  #frame = 0;
  #lastMs = 0;
  #margins: Margins | undefined;
  #drawnView: View | null = null;
  #isDirty = true;
  #isIdle = true;
  /** When pictures began to follow each other. */
  #resumedMs = 0;
  #size: ResizeObserver;
  #end = new AbortController();

  /** Throws where there is no WebGL. */
  constructor(
    private readonly host: HTMLElement,
    private readonly events: StageEvents,
  ) {
    this.#canvas = new Canvas(host);
    this.#scene.add(this.#backdrop(), this.#marks.group);
    this.#picker = new Picker(this.#camera, this.#canvas.element);
    this.#carrying = new Carrying(this.#picker, this.#placing, (name) => this.#applied.get(name));
    this.#hands = new Hands(this.#canvas.element, {
      onGrab: (x, y, isTouch) => this.#grab(x, y, isTouch),
      onCarry: (x, y) => this.#carryTo(x, y),
      onDrop: (isCancelled) => this.#drop(isCancelled),
      onClick: (x, y) => this.#click(x, y),
      onRotate: (dx, dy) => this.#steer(() => this.#rig.rotate(dx, dy)),
      onPan: (dx, dy) => this.#steer(() => this.#rig.pan(dx, dy)),
      onZoom: (factor) => this.#steer(() => this.#rig.zoom(factor)),
      onHover: (x, y) => this.#hover(x, y),
    });
    this.#size = new ResizeObserver(() => this.#resize());
    this.#size.observe(host);
    const { signal } = this.#end;
    document.addEventListener("visibilitychange", () => this.#attend(), { signal });
    this.#canvas.element.addEventListener("webglcontextrestored", () => this.#draw(), { signal });
    this.#resize();
  }

  /** Shows another world when all of it is there; until then the old one stays. A later call overtakes an earlier one. */
  async load(
    scene: SceneDocument,
    fileBase: FileAddress,
    onProgress: (done: number, total: number) => void,
  ): Promise<void> {
    const turn = ++this.#loading;
    const light = daylight();
    setDaylight(light, scene.light);
    // One value for all, because brightness is the server's and not the world's.
    light.brightness = this.#light.brightness;
    const shadows = new Shadows(light, scene.shadow_plane ?? null);
    const files = new Files(scene.world, scene.rev, fileBase, this.#canvas.anisotropy, (done, total) => {
      if (turn === this.#loading) onProgress(done, total);
    });
    const world = await World.build(scene, light, shadows, files);
    if (turn !== this.#loading) {
      world.dispose();
      return;
    }
    const isOther = this.#world?.document.world !== scene.world;
    this.#world?.dispose();
    this.#car?.dispose();
    this.#world = world;
    this.#car = new Car(scene.vehicle, light, shadows);
    this.#scene.add(world.root, this.#car.group);
    setSky(this.#sky, scene.background);
    this.#rig.setVehicle(scene.vehicle);
    if (isOther) this.#rig.fit(extentOf(world));
    this.#applied.clear();
    this.#placing.clear();
    this.#carrying.drop();
    for (const [name, state] of this.#lights) world.setLight(name, state);
    this.select(this.#selected);
    this.#shown = null;
    this.#draw();
  }

  /** Takes every `state` event. */
  push(frame: StateFrame): void {
    const { epoch, time, paused, vehicle, joints, objects } = frame;
    // The clock may be ahead of the poses, which would make an even motion stumble.
    const sample = { epoch, time: vehicle?.time ?? time, paused, vehicle: vehicle ?? null, joints: joints ?? null, objects };
    this.#playback.push(sample, performance.now());
    if (this.#light.brightness.value !== frame.brightness) {
      this.#light.brightness.value = frame.brightness;
      this.#isDirty = true;
    }
    for (const { name, state } of frame.lights) {
      if (this.#lights.get(name) === state) continue;
      this.#lights.set(name, state);
      this.#world?.setLight(name, state);
      this.#isDirty = true;
    }
    this.#schedule();
  }

  select(name: string | null): void {
    const thing = name === null ? null : this.#thing(name);
    // Kept also before the world is there that has it.
    this.#selected = name;
    this.#marks.select(thing?.bounds ?? null);
    this.#draw();
  }

  setView(view: View): void {
    this.#rig.view = view;
    this.#draw();
  }

  /** Other things cover the edges of the picture: the world is shown between them. */
  setMargins(margins: Margins): void {
    this.#margins = margins;
    this.#resize();
  }

  /** Lidar points in the world; null hides them. */
  showScan(points: { x: number; y: number }[] | null): void {
    this.#marks.showScan(points);
    this.#draw();
  }

  showGrid(on: boolean): void {
    this.#marks.showGrid(on);
    this.#draw();
  }

  showTrajectory(points: { x: number; y: number }[] | null): void {
    this.#marks.showPath(points);
    this.#draw();
  }

  setTheme(dark: boolean): void {
    this.#marks.setTheme(dark);
    this.#draw();
  }

  /** The view that the newest picture was taken from; a chosen one comes with the next picture. */
  get drawnView(): View | null {
    return this.#drawnView;
  }

  /** Where a thing is on the page, in pixels; null when it is not shown. For whoever points at it: a hint, a test. */
  screenOf(name: string): { x: number; y: number } | null {
    const thing = this.#thing(name);
    if (!thing) return null;
    thing.group.updateMatrixWorld();
    return this.#picker.screen(thing.bounds.getCenter(new Vector3()).applyMatrix4(thing.group.matrixWorld));
  }

  /** The same for the handle that turns what is selected. */
  screenOfHandle(): { x: number; y: number } | null {
    const knob = this.#marks.knob;
    return knob && this.#picker.screen(knob);
  }

  /** How the car's front wheels and camera head are drawn, rad. */
  get carStance(): Car["stance"] | null {
    return this.#car?.stance ?? null;
  }

  dispose(): void {
    this.#loading++;
    this.#end.abort();
    this.#size.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#hands.dispose();
    this.#world?.dispose();
    this.#car?.dispose();
    this.#marks.dispose();
    this.#sky.dispose();
    this.#canvas.dispose();
  }

  #draw(): void {
    this.#isDirty = true;
    this.#schedule();
  }

  #steer(change: () => void): void {
    change();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#frame || document.hidden || this.#end.signal.aborted) return;
    if (this.#isIdle) this.#resumedMs = performance.now();
    this.#isIdle = false;
    this.#frame = requestAnimationFrame(() => this.#next());
  }

  #attend(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (document.hidden) return;
    this.#playback.skip();
    this.#draw();
  }

  #next(): void {
    this.#frame = 0;
    const now = performance.now();
    if (this.#canvas.isEarly(now)) return this.#schedule();
    const elapsed = Math.min(0.2, (now - this.#lastMs) / 1000);
    this.#lastMs = now;
    const cut = this.#show(now);
    const car = this.#applied.get(VEHICLE) ?? null;
    // A camera that followed the car in somebody's hand would move the ground below the hand.
    if (!this.#placing.isHeld(VEHICLE)) this.#followed = car;
    if (this.#rig.update(elapsed, this.#followed, cut)) this.#isDirty = true;
    if (this.#isDirty) {
      this.#isDirty = false;
      this.#followMarks();
      if (this.#car) this.#car.group.visible = car !== null && this.#rig.view !== "driver";
      this.#canvas.draw(this.#scene, this.#camera, now, this.#resumedMs);
      this.#drawnView = this.#rig.view;
      // The camera behind the car comes to rest after it.
      this.#schedule();
    } else if (this.#canvas.isCoarse && !this.#canvas.drawFinely(this.#scene, this.#camera, now)) {
      this.#schedule();
    }
    if (!this.#playback.isSettled || this.#placing.isMoving) this.#schedule();
    this.#isIdle = this.#frame === 0;
  }

  /** Puts everything where it is at this moment; says whether that does not follow from before. */
  #show(now: number): boolean {
    const shown = this.#playback.at(now);
    if (!shown || !this.#world) return false;
    const cut = shown.cut || this.#shown === null;
    if (shown.cut) this.#placing.clear();
    this.#shown = shown;
    for (const model of this.#world.models.values()) {
      const actual = shown.objects[model.name];
      if (!actual) continue;
      const pose = this.#placing.shown(model.name, actual, now);
      if (this.#isNew(model.name, pose)) place(model.group, pose);
    }
    if (shown.vehicle && this.#car) {
      if (this.#car.stand(shown.joints)) this.#isDirty = true;
      const pose = this.#placing.shown(VEHICLE, shown.vehicle, now);
      if (this.#isNew(VEHICLE, pose) || cut) this.#car.show(pose, cut || pose !== shown.vehicle);
    }
    return cut;
  }

  #isNew(name: string, pose: Pose): boolean {
    const before = this.#applied.get(name);
    if (before && (before === pose || isSame(before, pose))) return false;
    this.#applied.set(name, pose);
    this.#isDirty = true;
    return true;
  }

  #followMarks(): void {
    const thing = this.#selected === null ? null : this.#thing(this.#selected);
    if (thing) this.#marks.follow(thing.group, this.#camera.position.distanceTo(thing.group.position));
  }

  /** What can be picked: neither walls nor the track. */
  *#things(): Iterable<Pickable> {
    for (const model of this.#world?.models.values() ?? []) if (model.movable) yield model;
    if (this.#car?.group.visible) yield { name: VEHICLE, group: this.#car.group, bounds: this.#car.bounds };
  }

  #thing(name: string): Pickable | null {
    if (name === VEHICLE) return this.#car && { name, group: this.#car.group, bounds: this.#car.bounds };
    const model = this.#world?.models.get(name);
    return model?.movable ? model : null;
  }

  #grab(x: number, y: number, isTouch: boolean): Grab {
    if (this.#rig.view === "driver") return "camera";
    const isTaken = this.#carrying.grab(x, y, isTouch, this.#selected, this.#marks.knob, this.#things());
    return isTaken ? "thing" : "camera";
  }

  #carryTo(x: number, y: number): void {
    const name = this.#carrying.to(x, y);
    if (name === null) return;
    this.#choose(name);
    this.#canvas.element.style.cursor = "grabbing";
    this.#draw();
  }

  #drop(isCancelled: boolean): void {
    const name = this.#carrying.drop();
    this.#canvas.element.style.cursor = "";
    if (name === null) return;
    if (isCancelled) this.#placing.cancel(name, performance.now());
    else {
      const commit = (pose: { x: number; y: number; yaw: number }) => this.events.onPlace(name, pose);
      void this.#placing.send(name, () => performance.now(), commit).then(() => this.#draw());
    }
    this.#draw();
  }

  #click(x: number, y: number): void {
    const hit = this.#rig.view === "driver" ? null : this.#picker.hit(x, y, this.#things());
    this.#choose(hit?.name ?? null);
    if (hit && this.#world?.models.get(hit.name)?.type === "light") this.events.onOpenLight(hit.name);
  }

  #choose(name: string | null): void {
    if (name === this.#selected) return;
    this.select(name);
    this.events.onSelect(name);
  }

  #hover(x: number, y: number): void {
    const knob = this.#marks.knob;
    const onKnob = knob !== null && this.#picker.distance(x, y, knob) < HANDLE_PX;
    const onThing = this.#rig.view !== "driver" && this.#picker.hit(x, y, this.#things()) !== null;
    this.#canvas.element.style.cursor = onKnob || onThing ? "grab" : "";
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.host;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#canvas.resize(clientWidth, clientHeight);
    this.#rig.resize(clientWidth, clientHeight, this.#margins);
    this.#draw();
  }

  /** One triangle that covers the picture, behind everything. */
  #backdrop(): Mesh {
    const corners = new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3);
    const mesh = new Mesh(new BufferGeometry().setAttribute("position", corners), this.#sky);
    mesh.frustumCulled = false;
    // After everything solid, so that only what is left is filled.
    mesh.renderOrder = SKY_ORDER;
    mesh.onBeforeRender = () => {
      const worldFromClip = this.#sky.uniforms.worldFromClip?.value as Matrix4;
      worldFromClip.multiplyMatrices(this.#camera.matrixWorld, this.#camera.projectionMatrixInverse);
      this.#sky.uniformsNeedUpdate = true;
    };
    return mesh;
  }
}

/** What should be seen of a world at first: the track and the scenery around it, but no ground without end. */
function extentOf(world: World): Box3 {
  const { bounds } = world.document;
  if (!bounds) return world.movable.expandByPoint(new Vector3()).expandByScalar(NO_TRACK_M);
  const track = new Box3(new Vector3(bounds.minX, bounds.minY, 0), new Vector3(bounds.maxX, bounds.maxY, 0));
  return track.union(world.scenery.intersect(track.clone().expandByScalar(AROUND_M)));
}
