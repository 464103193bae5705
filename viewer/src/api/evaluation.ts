/** The documents and events of evaluations and installs. */

export type Phase = "starting" | "initializing" | "running" | "ended";
export type Outcome = "finished" | "timeout" | "script_error" | "stopped" | "unsupported";

export interface EvaluationDocument {
  version: number;
  config: { description?: string; better?: "lower" | "higher"; time_limit_s?: number; robot?: string };
  script: string;
}

export interface LogLine {
  t: number | null;
  /** `stdout` and `stderr` are the student's, `script` is the judge's. */
  stream: "stdout" | "stderr" | "script";
  line: string;
}

export interface Session {
  session_id: string;
  world: string;
  phase: Phase;
  command: string | null;
  time_limit_s: number;
  elapsed_s: number;
  record: unknown;
  better: "lower" | "higher" | null;
  student: { running: boolean; exit_code: number | null };
  log: LogLine[];
  outcome: Outcome | null;
  reason: string | null;
  started_at: string;
}

export interface SessionAnswer {
  active: boolean;
  session: Session | null;
}

export type RunEvent =
  | { phase: "start"; command: string }
  | { phase: "log"; stream: "stdout" | "stderr"; line: string; truncated?: boolean }
  | { phase: "exit"; exit_code: number };

export type EvaluationEvent = { session_id: string; t: number } & (
  | { kind: "start"; session: Session }
  | { kind: "phase"; phase: Phase }
  | { kind: "record"; value: unknown }
  | { kind: "log"; line: string }
  | { kind: "end"; outcome: Outcome; record: unknown; reason: string | null }
);

export interface InstallEvent {
  world_id: string;
  phase: "download" | "check" | "done" | "failed";
  bytes: number;
  total: number | null;
  error?: string;
}
