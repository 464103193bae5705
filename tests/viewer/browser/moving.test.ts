import { expect, it } from "vitest";
import { drag, handleSpot, lookFromAbove, pixelsPerMetre, spotOf } from "./support/above";
import { REFUSAL, bench } from "./support/setup";
import { waitUntil } from "./support/wait";

interface Pose {
  x: number;
  y: number;
  yaw: number;
}

const b = bench();
const places = async (): Promise<Record<string, Pose>> => {
  const state = await b.simulator.get<{ objects: Record<string, Pose>; vehicle: Pose }>("/state");
  return { ...state.objects, vehicle: state.vehicle };
};
const poseOf = async (name: string): Promise<Pose> => (await places())[name]!;
const near = (a: Pose, x: number, y: number) => Math.hypot(a.x - x, a.y - y) < 0.1;

it("a dragged box goes where it is dropped, and can be brought back", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit();
  await lookFromAbove(page);
  const start = await poseOf("box2");
  const scale = await pixelsPerMetre(page, await places(), "box1", "box2");
  const from = await spotOf(page, "box2");
  await drag(page, from, { x: from.x + 0.8 * scale, y: from.y - 0.9 * scale });
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
  const { page } = await b.visit();
  await lookFromAbove(page);
  const box = await poseOf("box2");
  const middle = await spotOf(page, "box2");
  await page.mouse.click(middle.x, middle.y);
  await page.getByTestId("selection").waitFor();
  const handle = await handleSpot(page, "box2");
  // A quarter turn to the left, on the screen as in the world; the handle is lower than the box's middle, so not quite.
  await drag(page, handle, { x: middle.x + (handle.y - middle.y), y: middle.y - (handle.x - middle.x) });
  const turned = await waitUntil(
    () => poseOf("box2"),
    (pose) => Math.abs(pose.yaw - box.yaw - Math.PI / 2) < 0.4,
    "the box turned",
  );
  expect(near(turned, box.x, box.y)).toBe(true);
});

it("the car is moved the same way", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit();
  await lookFromAbove(page);
  const car = await poseOf("vehicle");
  const scale = await pixelsPerMetre(page, await places(), "box1", "box2");
  const from = await spotOf(page, "vehicle");
  await drag(page, from, { x: from.x + 0.6 * scale, y: from.y - 0.3 * scale });
  await waitUntil(() => poseOf("vehicle"), (pose) => near(pose, car.x + 0.6, car.y + 0.3), "the car in its new place");
});

it("a wall cannot be picked, and a place outside is refused in the API's own words", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit({ mayComplain: REFUSAL });
  await lookFromAbove(page);
  const box = await spotOf(page, "box2");
  await page.mouse.click(box.x, box.y);
  await page.getByTestId("selection").waitFor();
  const walls = async () => {
    const { objects } = await b.simulator.get<{ objects: { type: string; current: Pose }[] }>("/objects");
    return objects.filter((object) => object.type === "wall").map((object) => object.current);
  };
  const before = await walls();
  const scale = await pixelsPerMetre(page, await places(), "box1", "box2");
  const { x, y } = await poseOf("box2");
  const right = Math.max(...before.map((wall) => wall.x));
  const wall = { x: box.x + (right - x) * scale, y: box.y - (1.2 - y) * scale };
  await page.mouse.click(wall.x, wall.y);
  await page.getByTestId("selection").waitFor({ state: "detached" });
  await drag(page, wall, { x: wall.x - 120, y: wall.y });
  expect(await walls()).toEqual(before);
  expect(await page.getByTestId("selection").count()).toBe(0);

  await page.getByTestId("objects").selectOption("box1");
  const [field] = await page.getByTestId("place").locator("input").all();
  await field!.fill("500");
  await field!.press("Enter");
  await page.getByTestId("toasts").getByText("out of range").waitFor();
});

it("a finger chooses a box, and then drags it", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await lookFromAbove(page);
  const start = await poseOf("box2");
  const { x, y } = await spotOf(page, "box2");
  await page.touchscreen.tap(x, y);
  await page.getByTestId("selection").getByText("box2").waitFor();
  await handleSpot(page, "box2");
  const screen = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    screen.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x, y }]);
  for (let i = 1; i <= 6; i++) await touch("touchMove", [{ x: x + 10 * i, y }]);
  await touch("touchEnd", []);
  const moved = await waitUntil(() => poseOf("box2"), (pose) => pose.x > start.x + 0.3, "the box where the finger let go");
  expect(moved.y).toBeCloseTo(start.y, 1);
  expect(moved.yaw).toBeCloseTo(start.yaw, 3);
});

it("the card of what is selected never hides it", async () => {
  await b.simulator.post("/reset");
  const { page } = await b.visit();
  await page.getByTestId("objects").selectOption("box2");
  const card = page.getByTestId("selection");
  await card.waitFor();
  const { minX, maxX, maxY } = await b.simulator.get<{ minX: number; maxX: number; maxY: number }>("/bounds");
  // Into the two far corners of the world, which the card covers from its two places.
  for (const [side, x] of [["left", minX + 0.2], ["right", maxX - 0.2]] as const) {
    await b.simulator.post("/models/box2/pose", { x, y: maxY - 0.2 });
    await waitUntil(() => poseOf("box2"), (pose) => near(pose, x, maxY - 0.2), `the box in the far ${side} corner`);
    const look = async () => ({ spot: await spotOf(page, "box2"), box: (await card.boundingBox())! });
    await waitUntil(
      look,
      ({ spot, box }) => spot.y < box.y + box.height && (side === "left" ? spot.x < box.x : spot.x > box.x + box.width),
      `a card that leaves the ${side} side to the box`,
    );
  }
  await b.simulator.post("/reset");
});
