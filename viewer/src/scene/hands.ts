/** Pointers on the canvas, of mouse, pen and fingers alike, as what people mean by them. */

export interface HandsEvents {
  /** A pointer went down: what would moving it do? */
  onGrab(x: number, y: number, isTouch: boolean): Grab;
  onCarry(x: number, y: number): void;
  /** Let go; or taken away, when the move should not count. */
  onDrop(isCancelled: boolean): void;
  onClick(x: number, y: number): void;
  onRotate(dx: number, dy: number): void;
  onPan(dx: number, dy: number): void;
  onZoom(factor: number): void;
  onHover(x: number, y: number): void;
}

/** A thing to be carried, or nothing but the camera. */
export type Grab = "thing" | "camera";

type Gesture = "none" | "pressed" | "thing" | "rotate" | "pan" | "pinch";

/** Less than this is a hand that is not quite still. */
const CLICK_PX = 6;
const ZOOM_PER_PX = 0.0015;

interface Spot {
  x: number;
  y: number;
}

export class Hands {
  #pointers = new Map<number, Spot>();
  #gesture: Gesture = "none";
  #grab: Grab = "camera";
  #start: Spot = { x: 0, y: 0 };
  #pans = false;
  #end = new AbortController();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly events: HandsEvents,
  ) {
    const { signal } = this.#end;
    canvas.style.touchAction = "none";
    canvas.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.#move(event), { signal });
    canvas.addEventListener("pointerup", (event) => this.#up(event, false), { signal });
    canvas.addEventListener("pointercancel", (event) => this.#up(event, true), { signal });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    window.addEventListener("keydown", (event) => event.key === "Escape" && this.#cancel(), { signal });
  }

  dispose(): void {
    this.#end.abort();
  }

  #down(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.#pointers.size > 1) {
      if (this.#gesture === "thing") this.events.onDrop(true);
      this.#gesture = "pinch";
      return;
    }
    this.#start = { x: event.clientX, y: event.clientY };
    this.#gesture = "pressed";
    this.#pans = event.button !== 0 || event.shiftKey;
    this.#grab = this.#pans ? "camera" : this.events.onGrab(event.clientX, event.clientY, event.pointerType === "touch");
  }

  #move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") this.events.onHover(event.clientX, event.clientY);
      return;
    }
    const now = { x: event.clientX, y: event.clientY };
    if (this.#gesture === "pinch") this.#pinch(event.pointerId, before, now);
    this.#pointers.set(event.pointerId, now);
    if (this.#gesture === "pressed") {
      if (Math.hypot(now.x - this.#start.x, now.y - this.#start.y) < CLICK_PX) return;
      this.#gesture = this.#grab === "thing" ? "thing" : this.#pans ? "pan" : "rotate";
    }
    if (this.#gesture === "thing") this.events.onCarry(now.x, now.y);
    if (this.#gesture === "rotate") this.events.onRotate(now.x - before.x, now.y - before.y);
    if (this.#gesture === "pan") this.events.onPan(now.x - before.x, now.y - before.y);
  }

  /** Two fingers: apart and together zooms, both along moves the ground. */
  #pinch(id: number, before: Spot, now: Spot): void {
    const other = [...this.#pointers].find(([pointer]) => pointer !== id)?.[1];
    if (!other) return;
    const [was, is] = [before, now].map((spot) => Math.hypot(spot.x - other.x, spot.y - other.y)) as [number, number];
    if (is > 1) this.events.onZoom(was / is);
    this.events.onPan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  #up(event: PointerEvent, isCancelled: boolean): void {
    this.#pointers.delete(event.pointerId);
    if (this.#gesture === "thing") this.events.onDrop(isCancelled);
    if (this.#gesture === "pressed" && !isCancelled && !this.#pans) this.events.onClick(event.clientX, event.clientY);
    // A finger that is left of two does nothing until it is lifted as well.
    this.#gesture = this.#pointers.size > 0 ? "pinch" : "none";
  }

  #cancel(): void {
    if (this.#gesture !== "thing") return;
    this.events.onDrop(true);
    this.#gesture = "none";
    this.#pointers.clear();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 32 : event.deltaY;
    this.events.onZoom(Math.exp(Math.max(-300, Math.min(300, pixels)) * ZOOM_PER_PX));
  }
}
