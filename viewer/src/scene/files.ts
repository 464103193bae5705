/** Fetches what a scene is made of, each file once, and counts how far it is. */
import {
  LinearFilter,
  LinearMipmapLinearFilter,
  NoColorSpace,
  RepeatWrapping,
  Texture,
  TextureLoader,
} from "three";
import { type FileAddress } from "./document";
import { decodeTriangles, type MeshPart } from "./triangles";

export class Files {
  #textures = new Map<string, Promise<Texture | null>>();
  #meshes = new Map<string, Promise<MeshPart[]>>();
  #done = 0;
  #total = 0;

  constructor(
    private readonly world: string,
    private readonly rev: string,
    private readonly address: FileAddress,
    private readonly anisotropy: number,
    private readonly onProgress: (done: number, total: number) => void,
  ) {}

  /** A picture that cannot be had is no reason to show nothing: the surface keeps its colour. */
  texture(path: string): Promise<Texture | null> {
    return once(this.#textures, path, () => this.#counted(this.#readTexture(path).catch(() => null)));
  }

  mesh(path: string, submesh: string | null, center: boolean): Promise<MeshPart[]> {
    const wanted = submesh === null ? "" : `&submesh=${encodeURIComponent(submesh)}&center=${center}`;
    const url = `${this.#url(path)}&format=triangles${wanted}`;
    return once(this.#meshes, url, () => this.#counted(readMesh(path, url)));
  }

  async dispose(): Promise<void> {
    for (const texture of this.#textures.values()) (await texture)?.dispose();
  }

  #url(path: string): string {
    return `${this.address(this.world, path)}?rev=${encodeURIComponent(this.rev)}`;
  }

  async #readTexture(path: string): Promise<Texture> {
    const texture = await new TextureLoader().loadAsync(this.#url(path));
    texture.colorSpace = NoColorSpace;
    texture.wrapS = RepeatWrapping;
    texture.wrapT = RepeatWrapping;
    texture.minFilter = LinearMipmapLinearFilter;
    texture.magFilter = LinearFilter;
    texture.anisotropy = this.anisotropy;
    return texture;
  }

  async #counted<T>(work: Promise<T>): Promise<T> {
    this.#total += 1;
    this.onProgress(this.#done, this.#total);
    const result = await work;
    this.#done += 1;
    this.onProgress(this.#done, this.#total);
    return result;
  }
}

async function readMesh(path: string, url: string): Promise<MeshPart[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the mesh ${path} cannot be loaded: ${await reason(response)}`);
  return decodeTriangles(await response.arrayBuffer());
}

async function reason(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => null)) as { error?: string } | null;
  return answer?.error ?? `status ${response.status}`;
}

function once<T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = kept.get(key) ?? make();
  kept.set(key, found);
  return found;
}
