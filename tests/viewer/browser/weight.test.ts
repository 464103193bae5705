/** What the page costs: the network, the simulation, and a machine on which nobody looks at it. */
import { expect, it } from "vitest";
import { bench } from "./support/setup";
import { waitUntil } from "./support/wait";

const b = bench();

const eventClients = async (): Promise<number> => {
  const metrics = await (await fetch(`${b.simulator.page}/api/metrics`)).text();
  return Number(/^sim_api_event_clients (\d+)/m.exec(metrics)?.[1]);
};

it("ten open event streams leave the simulation as fast as none", async () => {
  const simTime = async () => (await b.simulator.get<{ sim_time: number }>("/clock")).sim_time;
  const speed = async (): Promise<number> => {
    const [simBegan, began] = [await simTime(), performance.now()];
    await new Promise((done) => setTimeout(done, 1500));
    return (1000 * ((await simTime()) - simBegan)) / (performance.now() - began);
  };
  const withClients = async (): Promise<number> => {
    const end = new AbortController();
    let frames = 0;
    const reading = Array.from({ length: 10 }, async () => {
      const { body } = await fetch(`${b.simulator.page}/api/events`, { signal: end.signal });
      const reader = body!.getReader();
      while (!(await reader.read()).done) frames++;
    });
    await waitUntil(() => frames, (count) => count >= 10, "frames at the clients");
    const before = frames;
    const measured = await speed();
    // The clock changes all the time, so everybody is sent frames all the time.
    expect(frames - before).toBeGreaterThan(10);
    end.abort();
    await Promise.allSettled(reading);
    await waitUntil(eventClients, (count) => count === 0, "no client left");
    return measured;
  };
  const [alone, watched]: [number[], number[]] = [[], []];
  // In turns, so that whatever else the machine does falls on both alike.
  for (let i = 0; i < 3; i++) {
    alone.push(await speed());
    watched.push(await withClients());
  }
  const middle = (values: number[]) => [...values].sort((a, z) => a - z)[1]!;
  expect(middle(watched) / middle(alone)).toBeGreaterThan(0.95);
});

it("a page that nobody sees neither draws nor listens, and is up to date when it is seen again", async () => {
  const { page } = await b.visit({ countDraws: true });
  const draws = () => page.evaluate(() => (window as unknown as { draws: number }).draws);
  const setHidden = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  const shown = await draws();
  await b.simulator.post("/brightness", { value: 0.6 });
  await waitUntil(draws, (count) => count > shown, "a picture of the darker world");

  await setHidden(true);
  await waitUntil(eventClients, (count) => count === 0, "a closed event stream");
  const hidden = await draws();
  await b.simulator.post("/brightness", { value: 1.4 });
  await b.simulator.post("/drive", { speed: 0.5, steering: 0 });
  await new Promise((done) => setTimeout(done, 1000));
  expect(await draws()).toBe(hidden);

  await setHidden(false);
  const slider = page.getByTestId("brightness").locator("input");
  await waitUntil(() => slider.inputValue(), (value) => value === "1.4", "the brightness of now");
  await waitUntil(draws, (count) => count > hidden, "a picture");
});

it("the first visit loads less than a megabyte, world included", async () => {
  const { page } = await b.visit();
  const sizes = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => {
    const { name, encodedBodySize } = entry as PerformanceResourceTiming;
    return { name, encodedBodySize };
  }));
  const total = sizes.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  // The scripts are among what was counted.
  expect(sizes.some(({ name, encodedBodySize }) => name.includes("/assets/stage") && encodedBodySize > 50_000)).toBe(true);
  expect(total, JSON.stringify(sizes)).toBeLessThan(1_000_000);
});
