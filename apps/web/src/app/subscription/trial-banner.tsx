import { isTrial, TRIAL } from "@stipple/contract/business/plans";
import { TRIAL_BANNER_REFRESH_MS } from "@stipple/contract/business/intervals";
import { Clock, TriangleAlert } from "lucide-react";
import { ButtonLink } from "../../components/button.tsx";
import { joinClasses } from "../../components/join-classes.ts";
import { useSession } from "../session.ts";
import { useNow } from "../use-now.ts";

/** The trial's remaining time, with a link to the plans; red with a warning below two days; nothing without a trial. */
export function TrialBanner({ className }: { className?: string }) {
  const { user, verified } = useSession();
  const now = useNow(TRIAL_BANNER_REFRESH_MS);
  const time = trialTime(user.subscription_end_date, now);
  if (!verified || !isTrial(user.subscription_tier) || !time) return null;
  const Icon = time.urgent ? TriangleAlert : Clock;
  return (
    <div
      className={joinClasses(
        "flex flex-wrap items-center justify-between gap-3 rounded-card border px-5 py-3",
        time.urgent
          ? "border-bad/30 bg-bad-tint text-bad"
          : "border-info/25 bg-info-tint text-info",
        className,
      )}
    >
      <p className="flex items-center gap-2.5 font-medium">
        <Icon aria-hidden className="size-5 shrink-0" />
        <span>
          <span>{time.over ? TRIAL_TEXTS.over : TRIAL_TEXTS.expiresIn(time.days, time.hours)}</span>
          {time.urgent && (
            <span className="font-normal">
              {" "}
              {time.over ? TRIAL_TEXTS.overWarning : TRIAL_TEXTS.warning}
            </span>
          )}
        </span>
      </p>
      <ButtonLink to="/pricing" variant="primary" size="sm">
        {TRIAL_TEXTS.upgrade}
      </ButtonLink>
    </div>
  );
}

const HOUR_MS = 3_600_000;

interface TrialTime {
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

const TRIAL_TEXTS = {
  expiresIn: (days: number, hours: number): string =>
    `Trial Expires in ${days} days ${hours} hours`,
  over: "Your trial has expired.",
  warning: "Projects are deleted when the trial ends.",
  overWarning: "Trial projects will be deleted soon.",
  upgrade: "Upgrade Now",
};
