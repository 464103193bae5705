/** What the person at this page has open and chosen at the moment. Nothing here outlives the page. */
import type { Sample } from "../api/records";
import type { Direction } from "../drive/keys";
import type { Move } from "./moves";

export type Dialog = "worlds" | "start" | "result";

/** Something the page must tell; errors are the API's own sentences. */
export interface Toast {
  id: number;
  kind: "error" | "done";
  message: string;
}

export interface Choices {
  /** A model's name, or `vehicle`. */
  selected: string | null;
  dialog: Dialog | null;
  /** The board of records is open. */
  board: boolean;
  /** The line of the record that is chosen on the board. */
  trajectory: readonly Sample[] | null;
  camera: boolean;
  lidar: boolean;
  moves: readonly Move[];
  held: ReadonlySet<Direction>;
  toasts: readonly Toast[];
}

export const NOTHING_CHOSEN: Choices = {
  selected: null,
  dialog: null,
  board: false,
  trajectory: null,
  camera: false,
  lidar: false,
  moves: [],
  held: new Set(),
  toasts: [],
};

/** The car's name in selections. */
export const VEHICLE = "vehicle";
