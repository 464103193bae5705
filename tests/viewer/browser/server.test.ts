import { it } from "vitest";
import { bench } from "./support/setup";
import { loaded } from "./support/pages";
import { waitUntil } from "./support/wait";

const b = bench();
/** A browser writes down each request that a dead server did not answer. */
const DEAD = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;

it("a killed server is announced, and the page goes on by itself when it is back", async () => {
  const { page } = await b.visit({ mayComplain: DEAD });
  await b.simulator.kill("SIGKILL");
  await page.getByTestId("banner").waitFor();
  await b.simulator.start();
  await page.getByTestId("banner").waitFor({ state: "detached" });
  const time = () => page.getByTestId("time").textContent();
  const before = await time();
  await waitUntil(time, (now) => now !== before, "time going on");
  const { current } = await b.simulator.get<{ current: string }>("/status");
  await loaded(page, current);
});
