import type { Page } from "playwright-core";

/** Further ahead than real time can get. */
const AHEAD_MS = 3_600_000;

/** How long to wait for a response that a test holds back. */
const HELD_MS = 1_000;

/**
 * Counts a page's pending calls from page start. The browser itself would report them only after some seconds of page
 * time.
 */
export const COUNT_CALLS = `{
  window.callsUnderWay = 0;
  const call = window.fetch;
  window.fetch = (...wanted) => {
    window.callsUnderWay += 1;
    const answer = call(...wanted);
    const ended = () => { window.callsUnderWay -= 1; };
    answer.then(ended, ended);
    return answer;
  };
}`;

/** Stops the installed clock of a page and its other tabs an hour ahead, after firing everything due. */
export async function stopClock(page: Page): Promise<void> {
  await answered(page);
  await page.clock.pauseAt(Date.now() + AHEAD_MS);
  await settle(page);
}

/** Advances a stopped clock second by second, letting responses arrive after each. */
export async function pass(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await page.clock.runFor(1_000);
    if (await isWaiting(page)) await settle(page);
  }
  await settle(page);
}

/** Lets pending responses arrive and the page process them, which it does in zero-delay timers. */
export async function settle(page: Page): Promise<void> {
  await answered(page);
  for (let round = 0; round < 2; round++) {
    await page.waitForTimeout(15);
    await page.clock.runFor(1);
  }
}

async function answered(page: Page): Promise<void> {
  const latest = performance.now() + HELD_MS;
  while ((await isWaiting(page)) && performance.now() < latest) await page.waitForTimeout(25);
}

async function isWaiting(page: Page): Promise<boolean> {
  const tabs = page.context().pages();
  const waiting = await Promise.all(tabs.map((tab) => tab.evaluate("window.callsUnderWay > 0")));
  return waiting.includes(true);
}
