/** Where things are on the screen in the view from above, by the page's own camera. */
import type { Page } from "playwright-core";
import { Box3, PerspectiveCamera, Vector3 } from "three";
import { Rig } from "../../../../viewer/src/scene/rig";
import type { Simulator } from "./simulator";

/** As the stage does it for a new world. */
const MARGIN_M = 0.5;

export interface Spot {
  x: number;
  y: number;
}

export class TopView {
  #camera = new PerspectiveCamera();

  /** Chooses the view on the page. The scene must be complete. */
  static async of(page: Page, simulator: Simulator): Promise<TopView> {
    const bounds = await simulator.get<Record<"minX" | "minY" | "maxX" | "maxY", number>>("/bounds");
    await page.keyboard.press("3");
    await page.locator("input[type=radio][value=top]:checked").waitFor({ state: "attached" });
    const size = page.viewportSize() ?? { width: 1, height: 1 };
    const view = new TopView();
    const rig = new Rig(view.#camera);
    rig.resize(size.width, size.height);
    rig.view = "top";
    const low = new Vector3(bounds.minX - MARGIN_M, bounds.minY - MARGIN_M, 0);
    rig.fit(new Box3(low, new Vector3(bounds.maxX + MARGIN_M, bounds.maxY + MARGIN_M, 0)));
    rig.update(0, null, true);
    view.#size = size;
    return view;
  }

  #size = { width: 1, height: 1 };

  /** Pixels of a point in the world. */
  spot(x: number, y: number, z = 0): Spot {
    const at = new Vector3(x, y, z).project(this.#camera);
    return { x: ((at.x + 1) / 2) * this.#size.width, y: ((1 - at.y) / 2) * this.#size.height };
  }
}

/** Presses, moves and lets go, like a hand. */
export async function drag(page: Page, from: Spot, to: Spot): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}
