/**
 * How surfaces are lit: as the car's camera does it, so that the page and the camera show the same colours.
 *
 * Everything is computed on sRGB values as they come and go: texture times (diffuse times gain plus emissive), cut off at
 * full, then times brightness.
 */
import {
  Color,
  type IUniform,
  Matrix4,
  ShaderMaterial,
  type Texture,
  Vector3,
} from "three";
import { type Rgb, type SceneBackground, type SceneLight, triple } from "./document";

/** Shared by every surface of a scene, so that a change is one assignment. */
export interface Daylight {
  brightness: IUniform<number>;
  toSun: IUniform<Vector3>;
  sun: IUniform<Color>;
  ambient: IUniform<Color>;
  ambientFall: IUniform<number>;
}

const GAMMA = "0.4545454545";

// Light is computed at the corners, as in the camera: the shapes are fine enough, and pixels are many.
const VERTEX = /* glsl */ `
  uniform vec3 toSun;
  uniform vec3 sun;
  uniform vec3 ambient;
  uniform float ambientFall;
  #ifdef COLOURED
    attribute vec3 tint;
    attribute vec3 glow;
  #else
    uniform vec3 tint;
    uniform vec3 glow;
  #endif
  varying vec2 vUv;
  varying vec3 vColour;
  void main() {
    vUv = uv;
    // The way back from the eye's frame; a normal keeps its length only under rotations.
    vec3 worldNormal = normalize((vec4(normalMatrix * normal, 0.0) * viewMatrix).xyz);
    float towards = dot(worldNormal, toSun);
    vec3 light = ambient * (1.0 + ambientFall * min(towards, 0.0)) + sun * max(towards, 0.0);
    vColour = tint * pow(light, vec3(${GAMMA})) + glow;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  uniform float brightness;
  uniform float opacity;
  #ifdef TEXTURED
    uniform sampler2D map;
  #endif
  varying vec2 vUv;
  varying vec3 vColour;
  void main() {
    vec3 colour = vColour;
    #ifdef TEXTURED
      vec4 texel = texture2D(map, vUv);
      if (texel.a < 0.5) discard;
      colour *= texel.rgb;
    #endif
    gl_FragColor = vec4(min(colour, 1.0) * brightness, opacity);
  }
`;

export function daylight(): Daylight {
  return {
    brightness: { value: 1 },
    toSun: { value: new Vector3(0.4, -0.25, 0.88).normalize() },
    sun: { value: new Color(0.68, 0.66, 0.62) },
    ambient: { value: new Color(0.38, 0.4, 0.44) },
    ambientFall: { value: 0.3 },
  };
}

export function setDaylight(shared: Daylight, light: SceneLight): void {
  const towards = new Vector3(...triple(light.direction)).negate();
  shared.toSun.value.copy(towards.lengthSq() > 0 ? towards.normalize() : new Vector3(0, 0, 1));
  shared.sun.value.setRGB(...triple(light.sun));
  shared.ambient.value.setRGB(...triple(light.ambient));
  shared.ambientFall.value = light.ambient_fall;
}

/** What is left of the brightness of level ground without the sun. */
export function shadowGain(shared: Daylight): Color {
  const height = Math.max(0, shared.toSun.value.z);
  const gain = (channel: "r" | "g" | "b") => {
    const ambient = shared.ambient.value[channel];
    const lit = ambient + shared.sun.value[channel] * height;
    return Math.min(1, (ambient / Math.max(lit, 1e-3)) ** (1 / 2.2));
  };
  return new Color(gain("r"), gain("g"), gain("b"));
}

/** For a geometry whose vertices carry their colours. */
export function coloured(shared: Daylight, texture: Texture | null, opacity: number): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    defines: texture ? { COLOURED: "", TEXTURED: "" } : { COLOURED: "" },
    uniforms: { ...shared, opacity: { value: opacity }, map: { value: texture } },
    transparent: opacity < 1,
  });
}

/** Of one colour that can be changed. */
export function lamp(shared: Daylight): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { ...shared, opacity: { value: 1 }, tint: { value: new Color() }, glow: { value: new Color() } },
  });
}

/** Recolours a lamp: one that is on shines by itself, one that is off is lit like any surface. */
export function setLamp(material: ShaderMaterial, on: boolean, colour: Rgb, off: Rgb): void {
  const { tint, glow } = material.uniforms as Record<"tint" | "glow", IUniform<Color>>;
  tint.value.setRGB(...(on ? ([0, 0, 0] as const) : off));
  glow.value.setRGB(...(on ? colour : ([0, 0, 0] as const)));
}

const SKY_VERTEX = /* glsl */ `
  uniform mat4 worldFromClip;
  varying vec3 vFar;
  void main() {
    vec4 far = worldFromClip * vec4(position.xy, 1.0, 1.0);
    vFar = far.xyz / far.w - cameraPosition;
    gl_Position = vec4(position.xy, 1.0, 1.0);
  }
`;

const SKY_FRAGMENT = /* glsl */ `
  uniform float brightness;
  uniform vec3 zenith;
  uniform vec3 horizon;
  uniform vec3 ground;
  uniform float haze;
  varying vec3 vFar;
  void main() {
    float sine = normalize(vFar).z;
    vec3 colour = sine >= 0.0
      ? mix(horizon, zenith, 1.0 - (1.0 - sine) * (1.0 - sine))
      : mix(horizon, ground, min(-sine * haze, 1.0));
    gl_FragColor = vec4(colour * brightness, 1.0);
  }
`;

/** Covers what nothing else does; drawn as one triangle over the whole picture. */
export function skyMaterial(shared: Daylight): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: SKY_VERTEX,
    fragmentShader: SKY_FRAGMENT,
    uniforms: {
      brightness: shared.brightness,
      worldFromClip: { value: new Matrix4() },
      zenith: { value: new Color(0.34, 0.56, 0.84) },
      horizon: { value: new Color(0.8, 0.87, 0.93) },
      ground: { value: new Color(0.5, 0.53, 0.47) },
      haze: { value: 16 },
    },
    depthWrite: false,
  });
}

export function setSky(material: ShaderMaterial, background: SceneBackground): void {
  const { zenith, horizon, ground, haze } = material.uniforms as Record<string, IUniform>;
  const set = (uniform: IUniform | undefined, colour: readonly number[]) => {
    (uniform?.value as Color).setRGB(...triple(colour));
  };
  if (background.kind === "sky") {
    set(zenith, background.zenith);
    set(horizon, background.horizon);
    set(ground, background.ground);
    if (haze) haze.value = background.haze;
  } else {
    for (const uniform of [zenith, horizon, ground]) set(uniform, background.colour);
  }
}
