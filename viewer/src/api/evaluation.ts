/** The documents and events of evaluations and installs. The API's description knows the documents; events it does not describe. */
import type { Narrowed, Schemas } from "./types";

export type Phase = "starting" | "initializing" | "running" | "ended";
export type Outcome = "finished" | "timeout" | "script_error" | "stopped" | "unsupported";

type Stream = "stdout" | "stderr" | "script";

/** What the file may say; it is the world's, so anything else may stand there as well. */
export type EvaluationDocument = Narrowed<
  Schemas["EvaluationResponse"],
  { config: { description?: string; better?: "lower" | "higher"; time_limit_s?: number; robot?: string } }
>;

/** `stdout` and `stderr` are the student's, `script` is the judge's. Lines of `run` events carry no time. */
export type LogLine = Omit<Schemas["LogLineBody"], "stream" | "t"> & { stream: Stream; t: number | null };

export type Session = Narrowed<
  Schemas["SessionBody"],
  { phase: Phase; outcome: Outcome | null; log: Narrowed<Schemas["LogLineBody"], { stream: Stream }>[] }
>;

export type SessionAnswer = Narrowed<Schemas["SessionResponse"], { session: Session | null }>;
export type StartedAnswer = Narrowed<Schemas["StartedResponse"], { session: Session }>;

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
