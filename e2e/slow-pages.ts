import type { Page } from "playwright-core";

/** How many times slower pages are to run; 0 leaves them as they are. */
const TIMES = Number(process.env["STIPPLE_SLOW_PAGES"] ?? 0);

/** Makes a page slow beside a quick test, if wished: what a journey does not wait for comes out. */
export function slowDown(page: Page): void {
  // A page may be closed before it is slow.
  if (TIMES) void throttle(page).catch(() => undefined);
}

async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: TIMES });
}
