/** The names under which the scene knows the API's documents. */
import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type SceneDocument = Schemas["SceneResponse"];
export type SceneModel = Schemas["SceneModelBody"];
export type SceneVisual = Schemas["VisualBody"];
export type SceneGeometry = Schemas["GeometryBody"];
export type SceneMaterial = Schemas["MaterialBody"];
export type ScenePlace = Schemas["PlaceBody"];
export type SceneBackground = Schemas["BackgroundBody"];
export type SceneLight = Schemas["SceneLightBody"];
export type LampColours = Schemas["LampColoursBody"];
export type Joints = Schemas["JointsBody"];
export type VehicleLook = Schemas["VehicleLookBody"];
export type { StateFrame } from "../api/types";

/** The address of a file of a world. */
export type FileAddress = (world: string, path: string) => string;

export type Rgb = readonly [number, number, number];

/** A list of three numbers, as the API promises it. */
export function triple(values: readonly number[]): [number, number, number] {
  const [x = 0, y = 0, z = 0] = values;
  return [x, y, z];
}
