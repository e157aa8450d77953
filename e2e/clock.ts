import type { Locator, Page } from "playwright-core";

/** Further ahead than real time can get. */
const AHEAD_MS = 3_600_000;

/** How long to wait for a response that a test holds back. */
const HELD_MS = 4_000;

/**
 * Counts a page's pending calls from page start, each until its body is read. The browser itself would report them only
 * after some seconds of page time.
 */
export const COUNT_CALLS = `{
  window.callsUnderWay = 0;
  const counted = (promise) => {
    window.callsUnderWay += 1;
    const ended = () => { window.callsUnderWay -= 1; };
    promise.then(ended, ended);
    return promise;
  };
  const call = window.fetch;
  window.fetch = (...wanted) => counted(call(...wanted));
  for (const form of ["arrayBuffer", "blob", "json", "text"]) {
    const read = Response.prototype[form];
    Response.prototype[form] = function () { return counted(read.call(this)); };
  }
}`;

/** Stops the installed clock of a page and its other tabs an hour ahead, after firing everything due. */
export async function stopClock(page: Page): Promise<void> {
  await answered(page, performance.now() + HELD_MS);
  await page.clock.pauseAt(Date.now() + AHEAD_MS);
  await settle(page);
}

/** Advances a stopped clock second by second, letting responses arrive after each. */
export async function pass(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await page.clock.runFor(1_000);
    await atRest(page);
    if (await isWaiting(page)) await settle(page);
  }
  await settle(page);
}

/** Advances a stopped clock until something appears, which then stays, because time stands still again. */
export async function passUntil(page: Page, appears: Locator, seconds = 30): Promise<void> {
  await settle(page);
  for (let half = 0; half < 2 * seconds; half++) {
    if (await appears.isVisible()) return;
    await page.clock.runFor(500);
    await atRest(page);
    if (await isWaiting(page)) await settle(page);
  }
  await settle(page);
  await appears.waitFor();
}

/** Lets pending responses arrive and the page process them, which it does in zero-delay timers. */
export async function settle(page: Page): Promise<void> {
  // A response that a test holds back is waited for once, not in each round.
  const latest = performance.now() + HELD_MS;
  for (let round = 0; round < 3; round++) {
    await answered(page, latest);
    await atRest(page);
    await page.clock.runFor(1);
  }
  await atRest(page);
}

async function answered(page: Page, latest: number): Promise<void> {
  while ((await isWaiting(page)) && performance.now() < latest) await page.waitForTimeout(25);
}

async function isWaiting(page: Page): Promise<boolean> {
  return (await inTabs(page, "window.callsUnderWay > 0")).includes(true);
}

/** Lets each tab do what it has queued, however slow it is: a message of its own comes after two rounds of that. */
async function atRest(page: Page): Promise<void> {
  await inTabs(page, REST);
}

const REST = `new Promise((done) => {
  const { port1, port2 } = new MessageChannel();
  let left = 2;
  port1.onmessage = () => (--left > 0 ? port2.postMessage(0) : done(true));
  port2.postMessage(0);
})`;

function inTabs(page: Page, script: string): Promise<unknown[]> {
  return Promise.all(
    page
      .context()
      .pages()
      .map((tab) => tab.evaluate(script)),
  );
}
