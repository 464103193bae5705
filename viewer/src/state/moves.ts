/** The moves a person made, so that the last ones can be taken back. Pure. */

export interface Place {
  x: number;
  y: number;
  z?: number;
  yaw: number;
}

export interface Move {
  name: string;
  from: Place;
}

/** More than anybody takes back one by one. */
export const MOVES_KEPT = 50;

export function withMove(moves: readonly Move[], move: Move): readonly Move[] {
  return [...moves.slice(1 - MOVES_KEPT), move];
}

export function withoutLast(moves: readonly Move[]): readonly Move[] {
  return moves.slice(0, -1);
}
