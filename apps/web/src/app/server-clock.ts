let aheadMs = 0;

/** Raises "change" when the known offset of the server's clock changes. */
export const serverClock = new EventTarget();

/** Smaller differences are network delay. */
const TOLERANCE_MS = 5_000;

/** Uses the server's time: its dates are compared with its own clock, not with this machine's. */
export function noteServerTime(serverTime: string): void {
  const difference = Date.parse(serverTime) - Date.now();
  if (!Number.isFinite(difference)) return;
  const before = aheadMs;
  aheadMs = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
  if (Math.abs(aheadMs - before) > TOLERANCE_MS) serverClock.dispatchEvent(new Event("change"));
}

/** The current time by the server's clock. */
export function serverNow(): Date {
  return new Date(Date.now() + aheadMs);
}
