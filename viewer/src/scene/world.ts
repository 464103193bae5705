/** The loaded world as things to draw: one group for each model, moved as a whole. */
import {
  Box3,
  type BufferGeometry,
  Group,
  Matrix4,
  Mesh,
  type Object3D,
  Quaternion,
  type ShaderMaterial,
  Vector3,
} from "three";
import { Batch, outline, type Piece } from "./batch";
import {
  type LampColours,
  type SceneDocument,
  type SceneGeometry,
  type SceneModel,
  type ScenePlace,
  type SceneVisual,
  triple,
} from "./document";
import { type Files } from "./files";
import { type Pose } from "./motion";
import * as shapes from "./shapes";
import { type Shadows } from "./shadow";
import { type Daylight, lamp, setLamp } from "./surface";

export interface WorldModel {
  name: string;
  type: string;
  movable: boolean;
  group: Group;
  /** Around what is seen of it, in its own frame; empty when nothing is. */
  bounds: Box3;
  origin: Pose;
}

interface Lamps {
  red: ShaderMaterial[];
  green: ShaderMaterial[];
  disc: Object3D | null;
}

const WHITE = [1, 1, 1] as const;
const BLACK = [0, 0, 0] as const;
/** Before the sky. */
const GROUND_ORDER = 300;
const DISC_M = 0.002;
/** Larger planes only cost precision. */
const MAX_PLANE_M = 200;

export class World {
  readonly root = new Group();
  readonly models = new Map<string, WorldModel>();
  #lamps = new Map<string, Lamps>();
  #colours: LampColours;

  private constructor(
    readonly document: SceneDocument,
    private readonly light: Daylight,
    private readonly shadows: Shadows,
    private readonly files: Files,
  ) {
    this.#colours = document.lamps;
  }

  /** Resolves when every file is there; nothing is shown half. */
  static async build(document: SceneDocument, light: Daylight, shadows: Shadows, files: Files): Promise<World> {
    const world = new World(document, light, shadows, files);
    const models = await Promise.all(document.models.map((model) => world.#model(model)));
    for (const model of models) {
      world.models.set(model.name, model);
      world.root.add(model.group);
    }
    return world;
  }

  /** Around what cannot be moved. */
  get scenery(): Box3 {
    return this.#around((model) => !model.movable);
  }

  /** Around what can be moved, where it is at the start. */
  get movable(): Box3 {
    return this.#around((model) => model.movable);
  }

  setLight(name: string, state: string): void {
    const lamps = this.#lamps.get(name);
    if (!lamps) return;
    const { red, red_off, green, green_off } = this.#colours;
    for (const lamp of lamps.red) setLamp(lamp, state === "red", triple(red), triple(red_off));
    for (const lamp of lamps.green) setLamp(lamp, state === "green", triple(green), triple(green_off));
    if (lamps.disc) lamps.disc.visible = state === "yellow";
  }

  dispose(): void {
    this.root.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      (object.geometry as BufferGeometry).dispose();
      (object.material as ShaderMaterial).dispose();
    });
    this.root.removeFromParent();
    this.shadows.dispose();
    void this.files.dispose();
  }

  #around(isMeant: (model: WorldModel) => boolean): Box3 {
    const all = new Box3();
    for (const model of this.models.values()) {
      model.group.updateMatrix();
      if (isMeant(model) && !model.bounds.isEmpty()) all.union(model.bounds.clone().applyMatrix4(model.group.matrix));
    }
    return all;
  }

  async #model(model: SceneModel): Promise<WorldModel> {
    const group = new Group();
    group.name = model.name;
    const lamps: Lamps = { red: [], green: [], disc: null };
    const [casting, plain] = [new Batch(), new Batch()];
    const visuals = await Promise.all(model.visuals.map((visual) => this.#pieces(visual)));
    const lampMeshes: Mesh[] = [];
    visuals.forEach((pieces, i) => {
      const visual = model.visuals[i];
      const lit = visual?.part === "lamp_red" ? lamps.red : visual?.part === "lamp_green" ? lamps.green : null;
      for (const piece of pieces) {
        if (!lit) (visual?.shadow ? casting : plain).add(piece);
        else lampMeshes.push(this.#lamp(piece, lit));
      }
    });
    const shadowed = casting.meshes(this.light);
    const meshes = [...shadowed, ...plain.meshes(this.light)];
    // The ground is hidden by what stands on it: it comes later.
    if (!model.movable) for (const mesh of meshes) mesh.renderOrder = GROUND_ORDER;
    for (const mesh of [...meshes, ...lampMeshes]) group.add(mesh);
    const shadow = shadowed.length > 0 ? this.shadows.of(outline(shadowed)) : null;
    if (shadow) group.add(shadow);
    const bounds = boundsOf([...meshes, ...lampMeshes]);
    if (model.disc) {
      lamps.disc = this.#disc(model.disc);
      group.add(lamps.disc);
    }
    if (model.type === "light") {
      this.#lamps.set(model.name, lamps);
      this.setLight(model.name, "green");
    }
    place(group, model.pose);
    const { name, type, movable, pose } = model;
    return { name, type, movable, group, bounds, origin: pose };
  }

  #lamp(piece: Piece, kind: ShaderMaterial[]): Mesh {
    const mesh = new Mesh(piece.geometry.applyMatrix4(piece.matrix), lamp(this.light));
    kind.push(mesh.material);
    return mesh;
  }

  #disc(disc: NonNullable<SceneModel["disc"]>): Mesh {
    const mesh = new Mesh(shapes.cylinder(disc.radius, DISC_M), lamp(this.light));
    setLamp(mesh.material, true, triple(this.#colours.yellow), BLACK);
    place(mesh, disc.pose);
    mesh.visible = false;
    return mesh;
  }

  /** What a visual consists of, in the frame of its model. */
  async #pieces(visual: SceneVisual): Promise<Piece[]> {
    const { geometry, opacity } = visual;
    if (opacity <= 0) return [];
    const own = visual.material && {
      diffuse: triple(visual.material.diffuse),
      emissive: triple(visual.material.emissive),
      texture: visual.material.texture ? await this.files.texture(visual.material.texture) : null,
    };
    if (geometry.kind !== "mesh") {
      const [shape, scale] = shapeOf(geometry);
      const look = own ?? { diffuse: WHITE, emissive: BLACK, texture: null };
      return [{ geometry: shape, matrix: matrixOf(visual.pose, scale), ...look, opacity, layer: 0 }];
    }
    if (!geometry.file) return [];
    const parts = await this.files.mesh(geometry.file, geometry.submesh ?? null, geometry.center);
    const matrix = matrixOf(visual.pose, triple(geometry.scale));
    const pieces = parts.map(async (part, layer): Promise<Piece> => {
      const texture = !own && part.texture ? await this.files.texture(part.texture) : null;
      const look = own ?? { diffuse: part.diffuse, emissive: part.emissive, texture };
      return { geometry: shapes.meshPart(part), matrix, ...look, opacity, layer };
    });
    return Promise.all(pieces);
  }
}

function matrixOf(pose: ScenePlace, scale: [number, number, number]): Matrix4 {
  const [x = 0, y = 0, z = 0, w = 1] = pose.q;
  return new Matrix4().compose(new Vector3(pose.x, pose.y, pose.z), new Quaternion(x, y, z, w), new Vector3(...scale));
}

export function place(object: Object3D, pose: ScenePlace | Pose): void {
  const [x = 0, y = 0, z = 0, w = 1] = pose.q;
  object.position.set(pose.x, pose.y, pose.z);
  object.quaternion.set(x, y, z, w);
}

/** The shape, and how much it is stretched. */
function shapeOf(geometry: Exclude<SceneGeometry, { kind: "mesh" }>): [BufferGeometry, [number, number, number]] {
  switch (geometry.kind) {
    case "box":
      return [shapes.box(...triple(geometry.size)), [1, 1, 1]];
    case "cylinder":
      return [shapes.cylinder(geometry.radius, geometry.length), [1, 1, 1]];
    case "capsule":
      return [shapes.cylinder(geometry.radius, geometry.length + 2 * geometry.radius), [1, 1, 1]];
    case "sphere":
      return [shapes.sphere(geometry.radius), [1, 1, 1]];
    case "ellipsoid":
      return [shapes.sphere(1), triple(geometry.radii)];
    case "plane": {
      const [x, y] = triple(geometry.size);
      return [shapes.plane(Math.min(x, MAX_PLANE_M), Math.min(y, MAX_PLANE_M)), [1, 1, 1]];
    }
  }
}

/** Around meshes that have the frame of their parent. */
export function boundsOf(meshes: readonly Mesh[]): Box3 {
  const bounds = new Box3();
  for (const { geometry } of meshes) {
    geometry.computeBoundingBox();
    if (geometry.boundingBox) bounds.union(geometry.boundingBox);
  }
  return bounds;
}
