import { expect, it } from "vitest";
import { lookFromAbove, spotOf } from "./support/above";
import { bench } from "./support/setup";
import { waitUntil } from "./support/wait";

interface Light {
  name: string;
  state: string;
}

const b = bench();

it("a click on a light opens red and green, and yellow counts down", async () => {
  await b.simulator.post("/switch", { world: "vehicle_city.world" });
  const { page } = await b.visit();
  await lookFromAbove(page);
  const lights = async () => (await b.simulator.get<{ lights: Light[] }>("/traffic_lights")).lights;
  const [light] = await lights();
  const spot = await spotOf(page, light!.name);
  await page.mouse.click(spot.x, spot.y);
  const card = page.getByTestId("light");
  await card.waitFor();
  expect(await card.getAttribute("data-state")).toBe("green");

  // Yellow lasts three seconds of simulation time: while that stands still there is time to look.
  await b.simulator.post("/pause", { paused: true });
  await page.getByTestId("light-red").click();
  await page.getByTestId("countdown").getByText("Red in 3.0 s").waitFor();
  expect(await page.getByTestId("light-red").isDisabled()).toBe(true);
  expect(await page.getByTestId("light-green").isDisabled()).toBe(true);
  await b.simulator.post("/pause", { paused: false });
  await page.locator("[data-testid=light][data-state=red]").waitFor();
  expect(await page.getByTestId("countdown").count()).toBe(0);
  expect((await lights())[0]!.state).toBe("red");

  await page.getByTestId("light-green").click();
  await page.locator("[data-testid=light][data-state=green]").waitFor();
  await waitUntil(lights, ([first]) => first!.state === "green", "a green light");
});
