/** One simulator and one browser for all tests of a file; pages are closed after each test. */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launch, loaded, open, type VisitOptions, type Watched } from "./pages";
import { Simulator } from "./simulator";

export interface Bench {
  simulator: Simulator;
  /** A page with the scene of the current world on it. */
  visit(options?: VisitOptions & { mayComplain?: RegExp }): Promise<Watched>;
}

/** Everything a browser complains about fails the test, unless the test said that it would. */
export function bench(): Bench {
  let browser: Browser;
  const visits: { watched: Watched; mayComplain: RegExp | undefined }[] = [];
  const made = {
    visit: async ({ mayComplain, ...options } = {}) => {
      const watched = await open(browser, made.simulator.page, options);
      visits.push({ watched, mayComplain });
      const { current } = await made.simulator.get<{ current: string }>("/status");
      await loaded(watched.page, current);
      return watched;
    },
  } as Bench;
  beforeAll(async () => {
    [made.simulator, browser] = await Promise.all([Simulator.start(), launch()]);
  });
  afterEach(async () => {
    for (const { watched, mayComplain } of visits.splice(0)) {
      const serious = watched.complaints.filter((complaint) => !mayComplain?.test(complaint));
      await watched.close();
      expect(serious).toEqual([]);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await made.simulator?.end();
  });
  return made;
}

/** The browser writes down every answer that is a refusal. */
export const REFUSAL = /Failed to load resource: the server responded with a status of 4/;
