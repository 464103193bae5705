/** The names under which the page knows the API's documents. They come from the API's own description. */
import type { components } from "./schema";

export type Schemas = components["schemas"];

/** The same document, some of whose fields are known more closely than the description says them. */
export type Narrowed<T, N extends { [K in keyof N]: K extends keyof T ? T[K] : never }> = Omit<T, keyof N> & N;

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
