import { expect, it } from "vitest";
import { REFUSAL, bench } from "./support/setup";
import { drag, TopView } from "./support/top";
import { waitUntil } from "./support/wait";

interface Pose {
  x: number;
  y: number;
  yaw: number;
}

const b = bench();
const poseOf = async (name: string): Promise<Pose> => {
  const state = await b.simulator.get<{ objects: Record<string, Pose>; vehicle: Pose }>("/state");
  return name === "vehicle" ? state.vehicle : state.objects[name]!;
};
const near = (a: Pose, x: number, y: number) => Math.hypot(a.x - x, a.y - y) < 0.1;
const narrow = { viewport: { width: 1000, height: 700 } };

it("a dragged box goes where it is dropped, and can be brought back", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit(narrow);
  const view = await TopView.of(page, b.simulator);
  await page.getByTestId("panel").click();
  const start = await poseOf("box2");
  await drag(page, view.spot(start.x, start.y, 0.2), view.spot(start.x + 0.8, start.y + 0.9, 0.2));
  await waitUntil(() => poseOf("box2"), (pose) => near(pose, start.x + 0.8, start.y + 0.9), "the box in its new place");
  await page.getByTestId("selection").getByText("box2").waitFor();

  await page.getByTestId("selection").getByTestId("undo").click();
  await waitUntil(() => poseOf("box2"), (pose) => near(pose, start.x, start.y), "the box back by undo");

  const [x] = await page.getByTestId("place").locator("input").all();
  await x!.fill("0.5");
  await x!.press("Enter");
  await waitUntil(() => poseOf("box2"), (pose) => near(pose, 0.5, start.y), "the box at the typed place");
  await page.getByTestId("back-to-origin").click();
  await waitUntil(() => poseOf("box2"), (pose) => near(pose, start.x, start.y), "the box at its origin");
});

it("the handle turns a box", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit(narrow);
  const view = await TopView.of(page, b.simulator);
  await page.getByTestId("panel").click();
  const box = await poseOf("box2");
  const middle = view.spot(box.x, box.y, 0.2);
  await page.mouse.click(middle.x, middle.y);
  await page.getByTestId("selection").waitFor();
  // The handle is in front of the box, a little outside of the circle around it.
  const reach = Math.hypot(0.1, 0.1) + 0.05;
  const at = (angle: number) => view.spot(box.x + reach * Math.cos(angle), box.y + reach * Math.sin(angle), 0.01);
  await drag(page, at(box.yaw), at(box.yaw + 1.2));
  const turned = await waitUntil(() => poseOf("box2"), (pose) => Math.abs(pose.yaw - box.yaw - 1.2) < 0.15, "the box turned");
  expect(near(turned, box.x, box.y)).toBe(true);
});

it("the car is moved the same way", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit(narrow);
  const view = await TopView.of(page, b.simulator);
  const car = await poseOf("vehicle");
  await drag(page, view.spot(car.x, car.y, 0.1), view.spot(car.x + 0.6, car.y + 0.3, 0.1));
  await waitUntil(() => poseOf("vehicle"), (pose) => near(pose, car.x + 0.6, car.y + 0.3), "the car in its new place");
});

it("a wall cannot be picked, and a place outside is refused in the API's own words", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit({ ...narrow, mayComplain: REFUSAL });
  const view = await TopView.of(page, b.simulator);
  await page.getByTestId("panel").click();
  const box = await poseOf("box2");
  const middle = view.spot(box.x, box.y, 0.2);
  await page.mouse.click(middle.x, middle.y);
  await page.getByTestId("selection").waitFor();
  const wall = view.spot(2.515, 1.2, 0.25);
  await page.mouse.click(wall.x, wall.y);
  await page.getByTestId("selection").waitFor({ state: "detached" });
  const [before] = await b.simulator.get<{ objects: { name: string; current: Pose }[] }>("/objects").then((all) => all.objects);
  await drag(page, wall, { x: wall.x - 120, y: wall.y });
  const [after] = await b.simulator.get<{ objects: { name: string; current: Pose }[] }>("/objects").then((all) => all.objects);
  expect(after).toEqual(before);

  await page.getByTestId("panel").click();
  await page.getByTestId("objects").selectOption("box1");
  const [x] = await page.getByTestId("place").locator("input").all();
  await x!.fill("500");
  await x!.press("Enter");
  await page.getByTestId("toasts").getByText("out of range").waitFor();
});
