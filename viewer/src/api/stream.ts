/**
 * The event stream, kept open for as long as it is wanted.
 *
 * A browser's own EventSource gives up on some errors for good and says nothing about the reason. This one is opened again
 * until it works, asks the API why it does not, and never has two connections at once.
 */
import { API, ApiError, get } from "./client";
import type { StateFrame, StatusBody } from "./types";

export interface StreamListener {
  onOpen(): void;
  /** The connection is gone; it is being opened again. */
  onLost(reason: ApiError | null): void;
  onState(frame: StateFrame): void;
  /** Any other named event, decoded. */
  onEvent(name: string, data: unknown): void;
}

const RETRY_MS = 1000;
const NAMES = ["run", "evaluation", "install"];

export class Stream {
  #source: EventSource | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly listener: StreamListener) {}

  open(): void {
    if (this.#source) return;
    clearTimeout(this.#retry);
    const source = new EventSource(`${API}/events`);
    this.#source = source;
    source.onopen = () => this.listener.onOpen();
    source.onerror = () => void this.#failed(source);
    source.addEventListener("state", (event) => this.listener.onState(JSON.parse(event.data) as StateFrame));
    for (const name of NAMES) {
      source.addEventListener(name, (event: MessageEvent<string>) => this.listener.onEvent(name, JSON.parse(event.data)));
    }
  }

  /** Nothing more arrives until `open` is called. */
  close(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  async #failed(source: EventSource): Promise<void> {
    if (source !== this.#source) return;
    source.close();
    const reason = await get<StatusBody>("/status").then(
      () => null,
      (error: unknown) => (error instanceof ApiError ? error : null),
    );
    // Somebody may have closed the stream in the meantime.
    if (source !== this.#source) return;
    this.#source = null;
    this.listener.onLost(reason);
    this.#retry = setTimeout(() => this.open(), RETRY_MS);
  }
}
