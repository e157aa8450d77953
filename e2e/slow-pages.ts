import type { Page } from "playwright-core";

/** How many times slower pages are to run; 0 leaves them as they are. */
const TIMES = Number(process.env["STIPPLE_SLOW_PAGES"] ?? 0);
const LATENCY_MS = 300;

/** Makes a page slow beside a quick test, if wished: what a journey does not wait for comes out. */
export function slowDown(page: Page): void {
  // A page may be closed before it is slow.
  if (TIMES) void throttle(page).catch(() => undefined);
}

async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: TIMES });
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
}
