/** The canvas and what draws on it. */
import { ColorManagement, LinearSRGBColorSpace, type PerspectiveCamera, type Scene, WebGLRenderer } from "three";
import { Resolution } from "./resolution";

/** Finer than this nobody sees, and it costs. */
const MAX_RATIO = 2;
/** Between two pictures on a machine that draws without a graphics card: its processor has other work, too. */
const SOFTWARE_INTERVAL_MS = 30;
const INTERVAL_MS = 0;
/** Two pictures further apart than this did not follow each other. */
const PAUSE_MS = 400;

// Colours are computed on sRGB values throughout, as in the car's camera.
ColorManagement.enabled = false;

export class Canvas {
  readonly element: HTMLCanvasElement;
  #renderer: WebGLRenderer;
  #resolution: Resolution;
  #minInterval: number;
  #lastMs = -Infinity;

  /** Throws where there is no WebGL. */
  constructor(host: HTMLElement) {
    const software = isSoftware();
    this.#renderer = new WebGLRenderer({ antialias: !software, stencil: true, powerPreference: "high-performance" });
    this.#renderer.outputColorSpace = LinearSRGBColorSpace;
    this.#renderer.info.autoReset = true;
    this.#resolution = new Resolution(software ? 1 : Math.min(MAX_RATIO, window.devicePixelRatio));
    this.#minInterval = software ? SOFTWARE_INTERVAL_MS : INTERVAL_MS;
    this.#renderer.setPixelRatio(this.#resolution.ratio);
    this.element = this.#renderer.domElement;
    this.element.style.display = "block";
    host.append(this.element);
  }

  resize(width: number, height: number): void {
    this.#renderer.setSize(width, height);
  }

  /** Whether it is too early for another picture. */
  isEarly(nowMs: number): boolean {
    return nowMs - this.#lastMs < this.#minInterval;
  }

  draw(scene: Scene, camera: PerspectiveCamera, nowMs: number): void {
    const interval = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    if (interval < PAUSE_MS && this.#resolution.note(interval)) this.#renderer.setPixelRatio(this.#resolution.ratio);
    this.#renderer.render(scene, camera);
  }

  dispose(): void {
    this.#renderer.dispose();
    this.element.remove();
  }
}

function isSoftware(): boolean {
  const probe = document.createElement("canvas").getContext("webgl2");
  const info = probe?.getExtension("WEBGL_debug_renderer_info");
  const name = probe && info ? String(probe.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  probe?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
