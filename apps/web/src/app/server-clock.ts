let aheadMs = 0;

/** Raises "change" when the server's clock turns out to be another one than thought. */
export const serverClock = new EventTarget();

/** Differences below this are the answer's way and nobody's fault. */
const TOLERANCE_MS = 5_000;

/** Takes the server's word for what time it is: its dates are judged by its own clock, not by this machine's. */
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
