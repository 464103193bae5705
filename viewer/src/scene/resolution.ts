/** How finely the picture is drawn: as finely as the screen, less where drawing is slow. Knows no clock. */

/** Slower than this is felt. */
const SLOW_MS = 38;
/** Faster than this leaves room for more. */
const FAST_MS = 19;
/** How much slowness in a row is too much: eight pictures that are just too slow, or two that are far too slow. */
const PATIENCE = 8;
const LONG_PATIENCE = 150;
const LOWEST = 0.5;

export class Resolution {
  #ratio: number;
  #slow = 0;
  #slowness = 0;
  #fast = 0;

  /** `highest` is the screen's own, as far as it is worth it. */
  constructor(readonly highest: number) {
    this.#ratio = highest;
  }

  get ratio(): number {
    return this.#ratio;
  }

  /** Takes the time between two pictures that followed each other; says whether the ratio has changed. */
  note(intervalMs: number): boolean {
    const isSlow = intervalMs > SLOW_MS;
    this.#slow = isSlow ? this.#slow + 1 : 0;
    this.#slowness = isSlow ? this.#slowness + intervalMs / SLOW_MS : 0;
    this.#fast = intervalMs < FAST_MS ? this.#fast + 1 : 0;
    if (this.#slow >= 2 && this.#slowness >= PATIENCE) return this.#set(this.#ratio * 0.8);
    if (this.#fast >= LONG_PATIENCE) return this.#set(this.#ratio * 1.15);
    return false;
  }

  #set(ratio: number): boolean {
    this.#slow = 0;
    this.#slowness = 0;
    this.#fast = 0;
    const next = Math.min(this.highest, Math.max(LOWEST, ratio));
    const changed = next !== this.#ratio;
    this.#ratio = next;
    return changed;
  }
}
