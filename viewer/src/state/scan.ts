/** The lidar's newest scan as points in the world. */
import { get } from "../api/client";
import type { Scan } from "../api/types";

export interface Point {
  x: number;
  y: number;
}

/** Rays that met nothing give no point. `offset` is how far the lidar sits in front of the car's middle. */
export function scanPoints(scan: Scan, car: { x: number; y: number; yaw: number }, offset: number): Point[] {
  const points: Point[] = [];
  const [eyeX, eyeY] = [car.x + offset * Math.cos(car.yaw), car.y + offset * Math.sin(car.yaw)];
  scan.ranges.forEach((range, i) => {
    if (range === null || range < scan.range_min || range >= scan.range_max) return;
    const angle = car.yaw + scan.angle_min + i * scan.angle_increment;
    points.push({ x: eyeX + range * Math.cos(angle), y: eyeY + range * Math.sin(angle) });
  });
  return points;
}

/** Where the car was at a moment of simulation time. */
export interface TimedPlace {
  time: number;
  x: number;
  y: number;
  yaw: number;
}

/** More than a second of frames. */
const PLACES_KEPT = 40;

export function withPlace(places: readonly TimedPlace[], newest: TimedPlace): readonly TimedPlace[] {
  return [...places.slice(1 - PLACES_KEPT), newest];
}

/** The place nearest in time; null when none is known. */
export function placeAt(places: readonly TimedPlace[], time: number): TimedPlace | null {
  let best: TimedPlace | null = null;
  for (const place of places) {
    if (!best || Math.abs(place.time - time) <= Math.abs(best.time - time)) best = place;
  }
  return best;
}

/** The lidar turns ten times a second. */
const PERIOD_MS = 100;

/** Asks for scans, one after the other, until the returned function is called. */
export function watchScans(onScan: (scan: Scan) => void): () => void {
  const ended = new AbortController();
  const ask = async () => {
    while (!ended.signal.aborted) {
      const began = performance.now();
      if (!document.hidden) {
        const scan = await get<Scan>("/scan", ended.signal).catch(() => null);
        if (scan && !ended.signal.aborted) onScan(scan);
      }
      const rest = PERIOD_MS - (performance.now() - began);
      await new Promise((done) => setTimeout(done, Math.max(20, rest)));
    }
  };
  void ask();
  return () => ended.abort();
}
