import { isTrial } from "@stipple/contract/business/plans";
import { TRIAL_BANNER_REFRESH_MS } from "@stipple/contract/business/intervals";
import { Clock, TriangleAlert } from "lucide-react";
import { ButtonLink } from "../../components/button.tsx";
import { joinClasses } from "../../components/join-classes.ts";
import { TRIAL_TEXTS } from "./trial-texts.ts";
import { useSession } from "../session.ts";
import { trialTime } from "./trial-time.ts";
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
