/** The names under which the page knows the API's documents. They come from the API's own description. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type StateFrame = Schemas["StateResponse"];
export type StatusBody = Schemas["StatusResponse"];
export type WorldBody = Schemas["WorldResponse"];
export type WorldEntry = Schemas["WorldEntryBody"];
export type WorldsBody = Schemas["WorldsResponse"];
export type VehicleSpec = Schemas["VehicleSpecBody"];
export type Scan = Schemas["ScanResponse"];
export type Light = Schemas["LightBody"];
export type Overlay = Schemas["OverlayBody"];
export type InstallAnswer = Schemas["InstallResponse"];
