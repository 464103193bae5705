/** Makes the pictures of docs/images. No claims here: somebody looks at them. `tests/viewer/run PROGRAMS screenshots` runs this. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { it } from "vitest";
import { loaded } from "../browser/support/pages";
import { bench } from "../browser/support/setup";
import { waitUntil } from "../browser/support/wait";

const b = bench();
const wide = { viewport: { width: 1280, height: 760 } };

async function save(page: Page, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../../docs/images/${name}.jpg`, import.meta.url));
  // Two pictures later everything that was asked for is on the screen.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path, type: "jpeg", quality: 84 });
}

it("the city, with a traffic light selected", async () => {
  await b.simulator.post("/switch", { world: "vehicle_city.world" });
  const { page } = await b.visit({ ...wide, colorScheme: "dark" });
  const { lights } = await b.simulator.get<{ lights: { name: string }[] }>("/traffic_lights");
  await page.getByTestId("objects").selectOption(lights[0]!.name);
  // Yellow is short: it goes on when everything is ready for the picture.
  await b.simulator.post("/pause", { paused: true });
  await page.getByTestId("light-red").click();
  await page.getByTestId("countdown").waitFor();
  await b.simulator.post("/pause", { paused: false });
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await save(page, "viewer_city");
  await page.locator("[data-testid=light][data-state=red]").waitFor();
});

it("driving behind the car, with its camera and lidar", async () => {
  await b.simulator.post("/switch", { world: "vehicle_slalom.world" });
  const { page } = await b.visit({ ...wide, colorScheme: "light" });
  await page.keyboard.press("2");
  await page.getByTestId("toggle-lidar").click();
  await page.getByTestId("toggle-camera").click();
  const picture = page.getByTestId("camera").locator("img");
  await waitUntil(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), (width) => width > 100, "a picture");
  await page.keyboard.down("w");
  const speed = async () => (await b.simulator.get<{ vehicle: { speed: number } }>("/state")).vehicle.speed;
  await waitUntil(speed, (now) => now > 0.5, "the car driving");
  await save(page, "viewer_drive");
  await page.keyboard.up("w");
});

it("a record, with the driven line and its speed", async () => {
  await b.simulator.post("/switch", { world: "vehicle_base.world" });
  const { page } = await b.visit({ ...wide, colorScheme: "dark" });
  await page.getByTestId("flag").click();
  await page.getByTestId("start").click();
  await page.locator("[data-testid=hud][data-phase=running]").waitFor();
  const lap = fileURLToPath(new URL("../../../docs/howto/examples/lap_http.py", import.meta.url));
  const driven = promisify(execFile)("python3", [lap, "--base", new URL(b.simulator.page).origin]);
  await page.getByTestId("result").waitFor();
  await page.getByTestId("dialog-result").getByRole("button", { name: "Records" }).click();
  await page.getByTestId("record").first().click();
  await page.getByTestId("speedplot").waitFor();
  await driven;
  await save(page, "viewer_record");
});

it("the worlds", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit({ ...wide, colorScheme: "light" });
  await page.getByTestId("world-chip").click();
  const pictures = page.getByTestId("dialog-worlds").locator("img");
  await waitUntil(
    () => pictures.evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length),
    (count) => count >= 4,
    "the worlds' pictures",
  );
  await save(page, "viewer_worlds");
});

it("a phone", async () => {
  await b.simulator.post("/switch", { world: "vehicle_oval.world" });
  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: "dark" } as const;
  const { page } = await b.visit({ ...phone });
  await loaded(page, "vehicle_oval");
  await save(page, "viewer_phone");
});
