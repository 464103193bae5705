/** The view from above, where pixels and metres have a fixed ratio. */
import type { Page } from "playwright-core";
import type { StageElement } from "../../../../viewer/src/ui/stagehost";
import { waitUntil } from "./wait";

export interface Spot {
  x: number;
  y: number;
}

/** Where the page shows a thing. */
export async function spotOf(page: Page, name: string): Promise<Spot> {
  const look = () => page.getByTestId("stage").evaluate((host, wanted) => (host as StageElement).stage?.screenOf(wanted) ?? null, name);
  return (await waitUntil(look, (spot) => spot !== null, `${name} on the page`))!;
}

/** Where the page shows the handle that turns the selected thing, once it is drawn beside it. */
export async function handleSpot(page: Page, name: string): Promise<Spot> {
  const middle = await spotOf(page, name);
  const look = () => page.getByTestId("stage").evaluate((host) => (host as StageElement).stage?.screenOfHandle() ?? null);
  const isBeside = (spot: Spot | null) => spot !== null && Math.hypot(spot.x - middle.x, spot.y - middle.y) < 100;
  return (await waitUntil(look, isBeside, "a handle on the page"))!;
}

/** Chooses the view from above and waits until it is drawn: things can be pointed at then. */
export async function lookFromAbove(page: Page): Promise<void> {
  await page.keyboard.press("3");
  const view = () => page.getByTestId("stage").evaluate((host) => (host as StageElement).stage?.drawnView ?? null);
  await waitUntil(view, (drawn) => drawn === "top", "a picture from above");
}

/** Pixels per metre, from two things of the same height whose places are known. */
export async function pixelsPerMetre(page: Page, places: Record<string, Spot>, a: string, b: string): Promise<number> {
  const [first, second] = [await spotOf(page, a), await spotOf(page, b)];
  const metres = Math.hypot(places[a]!.x - places[b]!.x, places[a]!.y - places[b]!.y);
  return Math.hypot(first.x - second.x, first.y - second.y) / metres;
}

/** Presses, moves and lets go, like a hand. */
export async function drag(page: Page, from: Spot, to: Spot): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}
