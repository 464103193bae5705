/** A real `sim up` on a port, a data folder and a ROS domain of its own. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LIMIT_MS } from "./wait";

const PROGRAMS = process.env.SIM_PROGRAMS ?? fileURLToPath(new URL("../../../../target/release", import.meta.url));

export class Simulator {
  #process: ChildProcess | null = null;
  #log = "";
  /** A folder that goes away with the simulator. */
  readonly data = mkdtempSync(join(tmpdir(), "sim_viewer_"));
  readonly #domain = 101 + Math.floor(Math.random() * 100);
  #port = "0";

  /** Resolves when the simulator has said that it is running. */
  static async start(): Promise<Simulator> {
    const simulator = new Simulator();
    await simulator.start();
    return simulator;
  }

  /** Also after `kill`: at the same address, with the same data. */
  async start(): Promise<void> {
    const flags = ["--config", "/dev/null", "--bind", `127.0.0.1:${this.#port}`, "--data", this.data, "--domain", `${this.#domain}`];
    // Students' commands read the login files of whoever runs this, if there are any.
    const env = { ...process.env, HOME: this.data };
    const child = spawn(join(PROGRAMS, "sim"), ["up", ...flags], { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    this.#log = "";
    await new Promise<void>((ready, failed) => {
      const late = setTimeout(() => failed(new Error(`the simulator did not start:\n${this.#log}`)), LIMIT_MS);
      const read = (chunk: Buffer) => {
        this.#log += chunk.toString();
        const port = /viewer\s+http:\/\/127\.0\.0\.1:(\d+)\/sim/.exec(this.#log)?.[1];
        if (!port) return;
        this.#port = port;
        clearTimeout(late);
        ready();
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", (code) => failed(new Error(`the simulator ended with ${code}:\n${this.#log}`)));
    });
  }

  /** The address of the page. */
  get page(): string {
    return `http://127.0.0.1:${this.#port}/sim`;
  }

  get log(): string {
    return this.#log;
  }

  async get<T>(path: string): Promise<T> {
    return this.#call<T>("GET", path);
  }

  async post<T>(path: string, body: object = {}): Promise<T> {
    return this.#call<T>("POST", path, body);
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.page}/api${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Publishes one of the official worlds on this simulator's own worlds server; gives its ID. */
  publish(world: string): string {
    const bundle = fileURLToPath(new URL(`../../../../worlds/${world}`, import.meta.url));
    return execFileSync(join(PROGRAMS, "sim"), ["world", "publish", bundle, "--data", this.data], { encoding: "utf8" }).trim();
  }

  /** Ends it; its children die with it. */
  async kill(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await ended;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}
