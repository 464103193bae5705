/** Chromium with software WebGL, and pages that remember what went wrong on them. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { LIMIT_MS } from "./wait";

const CHROMIUM = process.env.SIM_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const FLAGS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launch(): Promise<Browser> {
  if (!CHROMIUM) throw new Error("The browser tests need Chromium: install the package chromium, or name it in SIM_CHROMIUM.");
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

export interface Watched {
  page: Page;
  /** Everything the browser complained about. */
  complaints: string[];
  close(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** `window.draws` counts what WebGL is asked to draw. */
  countDraws?: boolean;
}

/** A page of its own, as a person with a fresh browser sees it. */
export async function open(browser: Browser, url: string, { countDraws, ...options }: VisitOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 680 }, locale: "en", ...options });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  if (countDraws) await page.addInitScript(countingDraws);
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}

/** Runs in the page, before everything else. */
function countingDraws(): void {
  const counter = window as unknown as { draws: number };
  counter.draws = 0;
  const gl = WebGL2RenderingContext.prototype;
  const { drawElements, drawArrays } = gl;
  gl.drawElements = function (...what) {
    counter.draws++;
    drawElements.apply(this, what);
  };
  gl.drawArrays = function (...what) {
    counter.draws++;
    drawArrays.apply(this, what);
  };
}

/** The scene of this world is complete on the page. */
export async function loaded(page: Page, world: string): Promise<void> {
  await page.locator(`[data-testid=stage][data-loaded="${world}.world"]`).waitFor();
}

/** How many different colours, in coarse steps, the stage shows: an empty one has only those of a gradient. */
export async function coloursOf(page: Page): Promise<number> {
  const png = (await page.getByTestId("stage").screenshot()).toString("base64");
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    if (!context) return 0;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const seen = new Set<number>();
    for (let i = 0; i < data.length; i += 4) seen.add(((data[i]! >> 4) << 8) | ((data[i + 1]! >> 4) << 4) | (data[i + 2]! >> 4));
    return seen.size;
  }, png);
}
