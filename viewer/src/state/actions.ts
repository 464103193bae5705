/** Everything a person can do to the simulation from this page. A refusal is shown as the API's own sentence. */
import { ApiError, post, remove, UNREACHABLE } from "../api/client";
import type { StartedAnswer } from "../api/evaluation";
import { text } from "../texts";
import { VEHICLE } from "./choices";
import { type Place, withMove, withoutLast } from "./moves";
import { choices, choose, known, live, preferences, tell } from "./page";

const TOAST_MS = 6000;
let toasts = 0;

export function toast(kind: "error" | "done", message: string): void {
  const id = ++toasts;
  choices.update((state) => ({
    ...state,
    // The same complaint again replaces itself.
    toasts: [...state.toasts.filter((shown) => shown.message !== message).slice(-2), { id, kind, message }],
  }));
  setTimeout(() => dismiss(id), TOAST_MS);
}

export function dismiss(id: number): void {
  choices.update((state) => ({ ...state, toasts: state.toasts.filter((shown) => shown.id !== id) }));
}

/** Does it, or says why not. The answer is null in that case. */
export async function attempt<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    toast("error", sentence(error));
    return null;
  }
}

export function sentence(error: unknown): string {
  if (error instanceof ApiError && error.code === UNREACHABLE) return text(preferences.get().language, "lost");
  return error instanceof Error ? error.message : String(error);
}

/** Where something is now. */
export function placeOf(name: string): Place | null {
  const frame = live.get().frame;
  const pose = name === VEHICLE ? frame?.vehicle : frame?.objects[name];
  if (pose) return { x: pose.x, y: pose.y, z: pose.z, yaw: pose.yaw };
  // Lights and fixed things are where their light says, or where the world put them.
  const light = frame?.lights.find((one) => one.name === name);
  const origin = known.get().world?.objects[name]?.origin;
  if (light) return { x: light.x, y: light.y, yaw: light.yaw, ...(origin ? { z: origin.z } : {}) };
  return origin ?? null;
}

/** Puts something elsewhere; what is left out stays. Can be taken back. Rejects, after telling the person, when the API refuses. */
export async function place(name: string, to: Partial<Place>): Promise<void> {
  const from = placeOf(name);
  try {
    await put(name, to);
  } catch (error) {
    toast("error", sentence(error));
    throw error;
  }
  if (from) choices.update((state) => ({ ...state, moves: withMove(state.moves, { name, from }) }));
}

export async function backToOrigin(name: string): Promise<void> {
  const origin = originOf(name);
  // `place` has told the person already when it fails.
  if (origin) await place(name, origin).catch(() => undefined);
}

/** The car's origin is where the route begins, looking along it. */
export function originOf(name: string): Place | null {
  const world = known.get().world;
  if (name !== VEHICLE) return world?.objects[name]?.origin ?? null;
  const [first, second] = world?.track.route?.waypoints ?? [];
  if (!first || !second) return world ? { x: 0, y: 0, yaw: 0 } : null;
  return { x: first[0]!, y: first[1]!, yaw: Math.atan2(second[1]! - first[1]!, second[0]! - first[0]!) };
}

export async function undo(): Promise<void> {
  const last = choices.get().moves.at(-1);
  if (!last) return;
  choices.update((state) => ({ ...state, moves: withoutLast(state.moves) }));
  await attempt(put(last.name, last.from));
}

function put(name: string, { x, y, z, yaw }: Partial<Place>): Promise<unknown> {
  if (name === VEHICLE) return post("/pose", { x, y, yaw });
  return post(`/models/${encodeURIComponent(name)}/pose`, { x, y, z, yaw });
}

export function setLight(name: string, state: "red" | "green"): Promise<unknown> {
  return attempt(post(`/traffic_lights/${encodeURIComponent(name)}`, { state }));
}

export function setPaused(paused: boolean): Promise<unknown> {
  return attempt(post("/pause", { paused }));
}

export function resetPositions(): Promise<unknown> {
  return attempt(post("/reset"));
}

export function reloadWorld(): Promise<unknown> {
  return attempt(post("/respawn"));
}

export function setBrightness(value: number): Promise<unknown> {
  return attempt(post("/brightness", { value }));
}

export function showOverlay(overlay: { text: string; ttl?: number; size?: number }): Promise<unknown> {
  return attempt(post("/overlay", overlay));
}

export function switchWorld(file: string): Promise<unknown> {
  return attempt(post("/switch", { world: file }));
}

export function deleteWorld(name: string): Promise<unknown> {
  return attempt(remove(`/worlds/${encodeURIComponent(name)}`));
}

export async function startEvaluation(options: { command?: string; time_limit_s?: number }): Promise<void> {
  const answer = await attempt(post<StartedAnswer>("/evaluation/start", options));
  if (!answer) return;
  choose({ dialog: null });
  // The stream has usually told of the session before this answer, and knows newer things.
  if (live.get().session?.session_id !== answer.session.session_id) {
    tell({ kind: "session", session: answer.session });
  }
  if (answer.session.phase === "ended") choose({ dialog: "result" });
}

export function stopEvaluation(): Promise<unknown> {
  return attempt(post("/evaluation/stop"));
}
