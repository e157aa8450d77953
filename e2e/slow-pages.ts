import type { Page } from "playwright-core";

/** Slowdown factor for pages; 0 = none. */
const TIMES = Number(process.env["STIPPLE_SLOW_PAGES"] ?? 0);

/** Optionally slows down a page relative to the test, to reveal missing waits in a journey. */
export function slowDown(page: Page): void {
  // A page may be closed before throttling takes effect.
  if (TIMES) void throttle(page).catch(() => undefined);
}

async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: TIMES });
}
