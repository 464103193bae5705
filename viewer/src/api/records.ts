/** What ended sessions leave. */
import type { Outcome } from "./evaluation";

/** A line of the board. */
export interface RecordEntry {
  session_id: string;
  world: string;
  command: string | null;
  outcome: Outcome;
  record: unknown;
  better: "lower" | "higher" | null;
  reason: string | null;
  sim_time_s: number;
  started_at: string;
}

/** One sample of the driven line: where the car was, and how fast. */
export interface Sample {
  t: number;
  x: number;
  y: number;
  speed: number;
}

/** The entry that ranks first: a finished session with the best finite number. */
export function bestOf(records: readonly RecordEntry[]): string | null {
  let best: RecordEntry | null = null;
  for (const entry of records) {
    if (entry.outcome !== "finished" || typeof entry.record !== "number") continue;
    const sign = entry.better === "higher" ? -1 : 1;
    if (!best || sign * entry.record < sign * (best.record as number)) best = entry;
  }
  return best?.session_id ?? null;
}
