import type { Page } from "playwright-core";

/** Far enough ahead that nothing real can have got there. */
const AHEAD_MS = 3_600_000;

/** Counts the page's calls that have no answer yet. The browser would report them only some seconds of the page later. */
const COUNT_CALLS = `
  if (!("callsUnderWay" in window)) {
    window.callsUnderWay = 0;
    const call = window.fetch;
    window.fetch = (...wanted) => {
      window.callsUnderWay += 1;
      const answer = call(...wanted);
      const ended = () => { window.callsUnderWay -= 1; };
      answer.then(ended, ended);
      return answer;
    };
  }
`;

/** Stops the clock of a page whose clock is installed, an hour ahead, and lets what was due happen. */
export async function stopClock(page: Page): Promise<void> {
  await page.evaluate(COUNT_CALLS);
  await page.clock.pauseAt(Date.now() + AHEAD_MS);
  await settle(page);
}

/** Lets time pass on a stopped clock, second by second, each with its answers. */
export async function pass(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await page.clock.runFor(1_000);
    if (await isWaiting(page)) await settle(page);
  }
  await settle(page);
}

/**
 * Answers that are under way arrive, and the page takes them in, which it does in timers of its own without delay.
 * An answer that is held back is waited for a quarter of a second.
 */
export async function settle(page: Page): Promise<void> {
  for (let wait = 0; (await isWaiting(page)) && wait < 10; wait++) await page.waitForTimeout(25);
  for (let round = 0; round < 2; round++) {
    await page.waitForTimeout(15);
    await page.clock.runFor(1);
  }
}

async function isWaiting(page: Page): Promise<boolean> {
  return (await page.evaluate("window.callsUnderWay > 0")) as boolean;
}
