/** The canvas and what draws on it. */
import { ColorManagement, LinearSRGBColorSpace, type PerspectiveCamera, type Scene, WebGLRenderer } from "three";
import { Resolution } from "./resolution";

/** Finer than this nobody sees, and it costs. */
const MAX_RATIO = 2;
/** Between two pictures on a machine that draws without a graphics card: its processor has other work, too. */
const SOFTWARE_INTERVAL_MS = 45;
const INTERVAL_MS = 0;
/** After this long a picture is worth being drawn finely. */
const STILL_MS = 350;
/** Sharpness of textures at flat angles; on a processor it costs more than it shows. */
const ANISOTROPY = 8;

// Colours are computed on sRGB values throughout, as in the car's camera.
ColorManagement.enabled = false;

export class Canvas {
  readonly element: HTMLCanvasElement;
  #renderer: WebGLRenderer;
  #resolution: Resolution;
  #minInterval: number;
  #lastMs = -Infinity;
  readonly anisotropy: number;

  /** Throws where there is no WebGL. */
  constructor(host: HTMLElement) {
    const software = isSoftware();
    this.#renderer = new WebGLRenderer({ antialias: !software, stencil: true, powerPreference: "high-performance" });
    this.#renderer.outputColorSpace = LinearSRGBColorSpace;
    this.#resolution = new Resolution(software ? 1 : Math.min(MAX_RATIO, window.devicePixelRatio));
    this.anisotropy = software ? 1 : ANISOTROPY;
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

  /** `resumedMs` is when pictures began to follow each other: time before it says nothing about speed. */
  draw(scene: Scene, camera: PerspectiveCamera, nowMs: number, resumedMs: number): void {
    const interval = nowMs - this.#lastMs;
    const follows = this.#lastMs >= resumedMs;
    this.#lastMs = nowMs;
    // Waiting on purpose is not slowness.
    if (follows) this.#resolution.note(interval - this.#minInterval);
    this.#render(scene, camera, this.#resolution.ratio);
  }

  /** Whether the picture is coarser than it has to be when nothing moves. */
  get isCoarse(): boolean {
    return this.#renderer.getPixelRatio() < this.#resolution.highest;
  }

  /** The same once more, as finely as the screen shows it, when it has stood for a while; says whether it has. */
  drawFinely(scene: Scene, camera: PerspectiveCamera, nowMs: number): boolean {
    if (nowMs - this.#lastMs < STILL_MS) return false;
    this.#render(scene, camera, this.#resolution.highest);
    return true;
  }

  #render(scene: Scene, camera: PerspectiveCamera, ratio: number): void {
    if (this.#renderer.getPixelRatio() !== ratio) this.#renderer.setPixelRatio(ratio);
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
