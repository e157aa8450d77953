const DAY_MS = 86_400_000;

/** Whole days from `now` until `end`, rounded up, never negative; null when there is no end. UTC. */
export function daysRemaining(end: string | null | undefined, now: Date): number | null {
  if (!end) return null;
  return Math.max(0, Math.ceil((Date.parse(end) - now.getTime()) / DAY_MS));
}
