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
  await page.getByTestId("panel").click();
  const lights = async () => (await b.simulator.get<{ lights: Light[] }>("/traffic_lights")).lights;
  const [light] = await lights();
  const spot = await spotOf(page, light!.name);
  await page.mouse.click(spot.x, spot.y);
  const card = page.getByTestId("light");
  await card.waitFor();
  expect(await card.getAttribute("data-state")).toBe("green");

  await page.getByTestId("light-red").click();
  await page.getByTestId("countdown").waitFor();
  expect(await page.getByTestId("light-red").isDisabled()).toBe(true);
  expect(await page.getByTestId("light-green").isDisabled()).toBe(true);
  await page.locator("[data-testid=light][data-state=red]").waitFor();
  expect(await page.getByTestId("countdown").count()).toBe(0);
  expect((await lights())[0]!.state).toBe("red");

  await page.getByTestId("light-green").click();
  await page.locator("[data-testid=light][data-state=green]").waitFor();
  await waitUntil(lights, ([first]) => first!.state === "green", "a green light");
});
