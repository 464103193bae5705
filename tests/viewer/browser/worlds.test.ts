import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { coloursOf, loaded } from "./support/pages";
import { bench } from "./support/setup";
import { waitUntil } from "./support/wait";

const b = bench();

it("each world can be chosen by its picture and is drawn", async () => {
  const { page } = await b.visit();
  const { worlds } = await b.simulator.get<{ worlds: { name: string; display: string }[] }>("/worlds");
  // The first one is open; it comes back at the end.
  for (const world of [...worlds.slice(1), ...worlds.slice(0, 1)]) {
    await page.getByTestId("world-chip").click();
    await page.getByTestId(`world-${world.name}`).click();
    await loaded(page, world.name);
    const { current } = await b.simulator.get<{ current: string }>("/status");
    expect(current).toBe(world.name);
    await page.getByTestId("world-chip").getByText(world.display, { exact: true }).waitFor();
    await waitUntil(() => coloursOf(page), (colours) => colours > 60, `a picture of ${world.name}`);
  }
});

it("a published world is installed by its ID and deleted again", async () => {
  const { page } = await b.visit();
  const id = b.simulator.publish("vehicle_oval");
  await page.getByTestId("world-chip").click();
  await page.getByTestId("install-id").fill(id);
  await page.getByTestId("install").click();
  await page.getByTestId(`world-custom_${id}`).waitFor();
  await page.getByTestId("toasts").getByText("Installed: Oval").waitFor({ state: "attached" });
  await page.getByTestId(`delete-custom_${id}`).click();
  await page.getByTestId("delete-sure").click();
  await page.getByTestId(`world-custom_${id}`).waitFor({ state: "detached" });
  const { worlds } = await b.simulator.get<{ worlds: { official: boolean }[] }>("/worlds");
  expect(worlds.every((world) => world.official)).toBe(true);
});

it("a world without a picture says so, and the browser has nothing to complain about", async () => {
  const folder = join(b.simulator.data, "worlds", "bare");
  cpSync(fileURLToPath(new URL("../../../worlds/vehicle_oval", import.meta.url)), folder, { recursive: true });
  rmSync(join(folder, "track_iconography"), { recursive: true });
  const { page } = await b.visit();
  await page.getByTestId("world-chip").click();
  await page.getByTestId("world-bare").getByText("No picture").waitFor();
  // The others have theirs.
  const pictures = page.getByTestId("dialog-worlds").locator("img");
  const drawn = () => pictures.evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length);
  await waitUntil(drawn, (count) => count >= 4, "the pictures of the official worlds");
  rmSync(folder, { recursive: true });
});

it("the chosen view is remembered", async () => {
  const { page } = await b.visit();
  await page.keyboard.press("4");
  await page.locator("input[type=radio][value=driver]:checked").waitFor({ state: "attached" });
  await page.reload();
  await page.locator("input[type=radio][value=driver]:checked").waitFor({ state: "attached" });
});

it("a phone shows everything in Korean when it speaks Korean", async () => {
  const { page } = await b.visit({ viewport: { width: 390, height: 780 }, locale: "ko-KR", hasTouch: true, isMobile: true });
  await page.getByRole("button", { name: "조작 패널" }).click();
  await page.getByText("화면 글자").waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  // The card of a chosen object takes the place of the sheet that would cover it.
  await page.getByTestId("objects").selectOption("vehicle");
  await page.getByTestId("selection").getByRole("button", { name: "원위치로" }).click({ trial: true });
});
