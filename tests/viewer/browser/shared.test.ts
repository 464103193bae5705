import { expect, it } from "vitest";
import { bench } from "./support/setup";
import { waitUntil } from "./support/wait";

const b = bench();

it("brightness is the same on every page", async () => {
  const [first, second] = [await b.visit(), await b.visit()];
  const slider = (page: typeof first.page) => page.getByTestId("brightness").locator("input");
  await slider(first.page).fill("0.5");
  await waitUntil(() => slider(second.page).inputValue(), (value) => value === "0.5", "the second page's slider");
  await waitUntil(() => b.simulator.get<{ value: number }>("/brightness"), ({ value }) => value === 0.5, "the server's value");
  await b.simulator.post("/brightness", { value: 1 });
  await waitUntil(() => slider(first.page).inputValue(), (value) => value === "1", "the first page's slider");
});

it("a text on screen is shown to everybody and expires by itself", async () => {
  const [first, second] = [await b.visit(), await b.visit()];
  const show = async (text: string, seconds: number) => {
    await first.page.getByTestId("overlay-text").fill(text);
    await first.page.getByTestId("overlay-seconds").fill(`${seconds}`);
    await first.page.getByTestId("overlay-show").click();
  };
  await show("Lap one", 600);
  await second.page.getByTestId("overlay").getByText("Lap one").waitFor();
  // Takes the place of the first text, and nobody has to look while it is there.
  await show("Lap two", 1);
  await first.page.getByTestId("overlay").waitFor({ state: "detached" });
  await second.page.getByTestId("overlay").waitFor({ state: "detached" });
});

it("pause stops the time and resume lets it go on", async () => {
  const { page } = await b.visit();
  await page.getByTestId("pause").click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  const { paused } = await b.simulator.get<{ paused: boolean }>("/clock");
  expect(paused).toBe(true);
  await page.getByRole("button", { name: "Resume" }).click();
  await waitUntil(() => b.simulator.get<{ paused: boolean }>("/clock"), (clock) => !clock.paused, "a running clock");
});

it("held keys drive the car and letting go stops it", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit();
  const car = async () => (await b.simulator.get<{ vehicle: { x: number; speed: number } }>("/state")).vehicle;
  const start = await car();
  await page.keyboard.down("w");
  await waitUntil(car, (now) => now.x - start.x > 0.3, "the car driving");
  await page.keyboard.up("w");
  await waitUntil(car, (now) => Math.abs(now.speed) < 0.02, "the car standing");
});

it("the robot's camera and lidar are shown", async () => {
  const { page } = await b.visit();
  await page.getByTestId("toggle-lidar").click();
  await page.getByTestId("toggle-camera").click();
  const picture = page.getByTestId("camera").locator("img");
  await waitUntil(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), (width) => width > 100, "a picture");
  await page.getByTestId("toggle-camera").click();
  await page.getByTestId("camera").waitFor({ state: "detached" });
});
