/** Shadows on level ground: what throws one is drawn a second time, flat, along the sunlight. Cheap, and as the camera does it. */
import {
  type BufferGeometry,
  type Color,
  CustomBlending,
  DstColorFactor,
  DoubleSide,
  KeepStencilOp,
  Mesh,
  NotEqualStencilFunc,
  ReplaceStencilOp,
  ShaderMaterial,
  ZeroFactor,
} from "three";
import { type Daylight, shadowGain } from "./surface";

/** A sun this low throws shadows without end: none are drawn. */
const LOWEST_SUN = 0.15;
const ABOVE_GROUND_M = 0.002;
/** After the ground with all its layers, before everything that can be seen through. */
const ORDER = 500;

const VERTEX = /* glsl */ `
  uniform vec3 toSun;
  uniform float plane;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    world.xy -= toSun.xy / toSun.z * (world.z - plane);
    world.z = plane + ${ABOVE_GROUND_M};
    gl_Position = projectionMatrix * viewMatrix * world;
  }
`;

const FRAGMENT = /* glsl */ `
  uniform vec3 gain;
  void main() {
    gl_FragColor = vec4(gain, 1.0);
  }
`;

export class Shadows {
  readonly #material: ShaderMaterial | null;

  constructor(light: Daylight, plane: number | null) {
    if (plane === null || light.toSun.value.z < LOWEST_SUN) {
      this.#material = null;
      return;
    }
    const gain: Color = shadowGain(light);
    this.#material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { toSun: light.toSun, plane: { value: plane }, gain: { value: gain } },
      side: DoubleSide,
      depthWrite: false,
      transparent: true,
      blending: CustomBlending,
      // What is there times the gain.
      blendSrc: DstColorFactor,
      blendDst: ZeroFactor,
      polygonOffset: true,
      polygonOffsetFactor: -4,
      polygonOffsetUnits: -64,
      // Overlapping shadows do not add up.
      stencilWrite: true,
      stencilRef: 1,
      stencilFunc: NotEqualStencilFunc,
      stencilFail: KeepStencilOp,
      stencilZFail: KeepStencilOp,
      stencilZPass: ReplaceStencilOp,
    });
  }

  /** The shadow of a shape, to be moved with it; null where there are no shadows. */
  of(shape: BufferGeometry): Mesh | null {
    if (!this.#material) return null;
    const shadow = new Mesh(shape, this.#material);
    shadow.renderOrder = ORDER;
    // It falls elsewhere than where the shape is.
    shadow.frustumCulled = false;
    return shadow;
  }

  dispose(): void {
    this.#material?.dispose();
  }
}
