import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bench } from "./support/setup";
import { waitUntil } from "./support/wait";

const b = bench();
/** Drives nowhere, says something, and fails once the gate is open: the shortest run that has every part. */
const failing = (gate: string) => `echo hello from the student; until [ -e ${gate} ]; do sleep 0.1; done; echo it broke >&2; exit 3`;

it("an evaluation is started, seen by a page that comes later, and ends in a result card with a record", async () => {
  const gate = join(b.simulator.data, "gate");
  const { page } = await b.visit();
  await page.getByTestId("flag").click();
  await page.getByTestId("dialog-start").waitFor();
  await page.getByTestId("command").fill(failing(gate));
  await page.getByTestId("time-limit").fill("600");
  await page.getByTestId("start").click();
  await page.getByTestId("hud").waitFor();
  await page.getByTestId("log").getByText("hello from the student").waitFor();

  const late = (await b.visit()).page;
  await late.getByTestId("hud").waitFor();
  await late.getByTestId("log").getByText("hello from the student").waitFor();
  writeFileSync(gate, "");

  for (const one of [page, late]) {
    const result = one.getByTestId("result");
    await result.waitFor();
    expect(await result.getAttribute("data-outcome")).toBe("script_error");
    await one.getByTestId("last-lines").getByText("it broke").waitFor();
    await one.getByTestId("hud").waitFor({ state: "detached" });
  }

  await page.getByTestId("dialog-result").getByRole("button", { name: "Records" }).click();
  await page.getByTestId("records").getByTestId("record").first().click();
  await page.getByTestId("speedplot").waitFor();
  const link = await page.getByTestId("records").getByRole("link").getAttribute("href");
  const recording = Buffer.from(await (await fetch(new URL(link!, b.simulator.page))).arrayBuffer());
  expect(recording.subarray(0, 8).toString("latin1")).toBe("\x89MCAP0\r\n");
});

it("anybody can stop a session", async () => {
  const [first, second] = [await b.visit(), await b.visit()];
  await first.page.getByTestId("flag").click();
  await first.page.getByTestId("command").fill("sleep 600");
  await first.page.getByTestId("start").click();
  await second.page.getByTestId("stop").click();
  for (const { page } of [first, second]) {
    await page.locator("[data-testid=result][data-outcome=stopped]").waitFor();
  }
  await waitUntil(
    () => b.simulator.get<{ active: boolean }>("/evaluation/session"),
    ({ active }) => !active,
    "no active session",
  );
});
