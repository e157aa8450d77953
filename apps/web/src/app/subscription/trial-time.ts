import { TRIAL } from "@stipple/contract/business/plans";

const HOUR_MS = 3_600_000;

export interface TrialTime {
  days: number;
  hours: number;
  /** Fewer than two days remain. */
  urgent: boolean;
  over: boolean;
}

/** Whole days and hours from `now` until the trial's end, rounded down, never negative; null without an end. */
export function trialTime(end: string | null | undefined, now: Date): TrialTime | null {
  const left = Date.parse(end ?? "") - now.getTime();
  if (Number.isNaN(left)) return null;
  const hours = Math.max(0, Math.floor(left / HOUR_MS));
  return {
    days: Math.floor(hours / 24),
    hours: hours % 24,
    urgent: left < TRIAL.urgentBelowDays * 24 * HOUR_MS,
    over: left <= 0,
  };
}
