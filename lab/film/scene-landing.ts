import type { Page } from "playwright-core";
import { closeTo, WHOLE, type Film } from "./film.ts";

/** The landing page: spots turn into cells, and a visitor wants to try it. */
export async function filmLanding(film: Film, page: Page): Promise<void> {
  // The animation follows the page's clock, which advances by one frame per film frame.
  await page.clock.install();
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  film.cursorSeen = false;
  await page.clock.runFor(900);
  film.caption("landing");
  await film.cutTo(page);
  const tick = async (): Promise<void> => {
    await page.clock.runFor(80);
  };
  await film.pass(0.6, { each: tick, every: 2 });
  await film.pass(2.6, { view: closeTo([960, 330], 1.35), each: tick, every: 2 });
  film.cursorSeen = true;
  await film.pass(1.2, { view: WHOLE, each: tick, every: 2 });
  await film.moveTo(page.getByRole("button", { name: "Try It Free" }).first(), 0.8);
  await film.shoot();
  await film.ring();
}
