/**
 * Drives the car while keys or on-screen buttons are held.
 *
 * Commands go out about ten times a second because the robot forgets them after a while. Only one request is under way at a
 * time, so a slow server gets no pile of old commands. Letting go sends a stop at once, and nothing after it.
 */
import { commandFor, type Direction, type DriveCommand, type DriveLimits, STOP } from "./keys";

const REPEAT_MS = 100;

export interface DriverOptions {
  send(command: DriveCommand): Promise<void>;
  limits(): DriveLimits;
  onChange(held: ReadonlySet<Direction>): void;
}

export class Driver {
  #held = new Set<Direction>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #sending = false;
  #stopWanted = false;

  constructor(readonly options: DriverOptions) {}

  press(direction: Direction): void {
    if (this.#held.has(direction)) return;
    this.#held.add(direction);
    this.#stopWanted = false;
    this.#timer ??= setInterval(() => void this.#send(), REPEAT_MS);
    this.#changed();
  }

  release(direction: Direction): void {
    if (!this.#held.delete(direction)) return;
    if (this.#held.size === 0) this.#stop();
    else this.#changed();
  }

  /** As if every key were let go: the window lost the keyboard. */
  releaseAll(): void {
    if (this.#held.size === 0) return;
    this.#held.clear();
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stopWanted = true;
    this.#changed();
  }

  #changed(): void {
    this.options.onChange(new Set(this.#held));
    void this.#send();
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    const command = this.#held.size ? commandFor(this.#held, this.options.limits()) : this.#stopWanted ? STOP : null;
    if (!command) return;
    this.#stopWanted = false;
    this.#sending = true;
    try {
      await this.options.send(command);
    } finally {
      this.#sending = false;
    }
    // The keys were let go while this command was under way: the stop must be the last word.
    if (this.#stopWanted) await this.#send();
  }
}
