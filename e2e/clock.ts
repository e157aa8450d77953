import type { Page, Request } from "playwright-core";

/** Far enough ahead that nothing real can have got there. */
const AHEAD_MS = 3_600_000;

/** Calls that have no answer yet, of the pages whose clock was stopped. */
const underWay = new WeakMap<Page, Set<Request>>();

/** Stops the clock of a page whose clock is installed, an hour ahead, and lets what was due happen. */
export async function stopClock(page: Page): Promise<void> {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => requests.add(request));
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
  await page.clock.pauseAt(Date.now() + AHEAD_MS);
  await settle(page);
}

/** Lets time pass on a stopped clock, second by second, each with its answers. */
export async function pass(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await page.clock.runFor(1_000);
    if (underWay.get(page)?.size) await settle(page);
  }
  await settle(page);
}

/**
 * Answers that are under way arrive, and the page takes them in, which it does in timers of its own without delay.
 * An answer that is held back is waited for a quarter of a second.
 */
export async function settle(page: Page): Promise<void> {
  for (let wait = 0; underWay.get(page)?.size && wait < 10; wait++) await page.waitForTimeout(25);
  for (let round = 0; round < 2; round++) {
    await page.waitForTimeout(15);
    await page.clock.runFor(1);
  }
}
