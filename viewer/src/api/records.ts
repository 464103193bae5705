/** What ended sessions leave. */
import type { Outcome } from "./evaluation";

/** A line of the board. */
export interface RecordEntry {
  session_id: string;
  world: string;
  command: string | null;
  outcome: Outcome;
  record: unknown;
  better: string;
  reason: string | null;
  sim_time_s: number;
  started_at: string;
  /** The best of its world. */
  best: boolean;
}

/** Where the car was, as a table. */
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
