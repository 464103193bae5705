/** What the page knows about the current world and the car: asked for once per world, not with every frame. */
import type { EvaluationDocument } from "../api/evaluation";
import { get } from "../api/client";
import type { VehicleSpec, WorldBody } from "../api/types";

export interface Known {
  world: WorldBody | null;
  vehicle: VehicleSpec | null;
  /** The evaluation of the current world, if it has one. */
  evaluation: EvaluationDocument | null;
}

export const NOTHING_KNOWN: Known = { world: null, vehicle: null, evaluation: null };

export async function learn(): Promise<Known> {
  const [world, vehicle] = await Promise.all([get<WorldBody>("/world"), get<VehicleSpec>("/vehicle")]);
  // The world may have changed since it was asked; then this is asked again with the next one.
  const evaluation = world.evaluation ? await get<EvaluationDocument>("/evaluation").catch(() => null) : null;
  return { world, vehicle, evaluation };
}

/** The flag is shown only for an evaluation that was made for this robot. */
export function fitsRobot(known: Known): boolean {
  const { evaluation, vehicle } = known;
  if (!evaluation || !vehicle) return false;
  const robot = evaluation.config.robot;
  return robot === undefined || robot === null || robot === vehicle.generation;
}
