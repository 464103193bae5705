/** What ended sessions leave. */
import type { Outcome } from "./evaluation";
import type { Narrowed, Schemas } from "./types";

/** A line of the board. */
export type RecordEntry = Narrowed<Schemas["RecordEntryBody"], { outcome: Outcome }>;
export type RecordsAnswer = Narrowed<Schemas["RecordsResponse"], { records: RecordEntry[] }>;

/** The whole record, as `full=true` hands it out. */
export type FullRecord = Schemas["RecordResponse"] & { trajectory?: Trajectory };

/** Where the car was, as a table; among what the description leaves out as a record's bulk. */
export interface Trajectory {
  columns: string[];
  rows: number[][];
}

/** One sample of the driven line: where the car was, and how fast. */
export interface Sample {
  t: number;
  x: number;
  y: number;
  speed: number;
}

/** The rows with names; a row without a finite number in each place is left out. */
export function samplesOf(trajectory: Trajectory | null | undefined): Sample[] {
  if (!trajectory) return [];
  const column = (name: string) => trajectory.columns.indexOf(name);
  const [t, x, y, speed] = [column("t"), column("x"), column("y"), column("speed")];
  return trajectory.rows
    .map((row) => ({ t: row[t] ?? NaN, x: row[x] ?? NaN, y: row[y] ?? NaN, speed: row[speed] ?? NaN }))
    .filter((sample) => Object.values(sample).every(Number.isFinite));
}
