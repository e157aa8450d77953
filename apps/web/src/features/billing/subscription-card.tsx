import { isTrial, planByTier, tierName } from "@stipple/contract/business/plans";
import { daysRemaining } from "@stipple/contract/business/time";
import { Info } from "lucide-react";
import { useState } from "react";
import { dollars } from "../../app/dollars.ts";
import { longDate } from "../../app/long-date.ts";
import { useSession } from "../../app/session.ts";
import { SubscriptionPill } from "../../app/subscription/subscription-pill.tsx";
import { useNow } from "../../app/use-now.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { PROFILE_TEXTS as TEXTS } from "./texts.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { UndoDowngrade } from "./undo-downgrade.tsx";
import { usageOf } from "../../app/subscription/usage.ts";

const MINUTE_MS = 60_000;

/** Usage, end date, status, and plan actions. */
export function SubscriptionCard() {
  const { user, verified } = useSession();
  const now = useNow(MINUTE_MS);
  const [asking, setAsking] = useState<"cancel" | "reactivate" | null>(null);
  const usage = usageOf(user);
  const days = daysRemaining(user.subscription_end_date, now);
  const mayCancel = !user.is_one_time && user.subscription_status === "active";
  const mayReactivate = !user.is_one_time && user.subscription_status === "cancelled";
  const end = longDate(user.subscription_end_date);
  const next = user.scheduled_downgrade;
  // What follows when the period ends; nothing for a plan that ends then.
  const renewed =
    mayCancel && user.stripe_subscription_id !== null
      ? planByTier(next?.tier ?? user.subscription_tier)
      : undefined;
  const title = user.is_one_time ? TEXTS.oneTime : TEXTS.subscription;
  if (!verified) {
    return (
      <Card title={title}>
        <Skeleton className="h-40" />
      </Card>
    );
  }
  return (
    <Card title={title} actions={<SubscriptionPill status={user.subscription_status} />}>
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-ink-3">{TEXTS.usage}</span>
        <span className="font-medium">{TEXTS.usageText(user.analyses_count, usage.allowed)}</span>
      </div>
      <ProgressBar
        className="mt-2"
        label={TEXTS.usage}
        value={usage.percent}
        valueText={TEXTS.usageText(user.analyses_count, usage.allowed)}
        tone={usage.percent >= 100 ? "warn" : "primary"}
      />
      <dl className="mt-6">
        <div>
          <dt className="text-ink-3">{user.is_one_time ? TEXTS.validUntil : TEXTS.endDate}</dt>
          <dd className="mt-0.5 font-medium">{end}</dd>
          {days !== null && <dd className="text-ink-3">{TEXTS.daysRemaining(days)}</dd>}
          {renewed && (
            <dd className="text-ink-3">
              {(next ? TEXTS.continuesAs : TEXTS.renewsAs)(
                renewed.title,
                dollars(renewed.priceCents / 100),
              )}
            </dd>
          )}
        </div>
      </dl>
      {isTrial(user.subscription_tier) && (
        <div className="mt-6 flex flex-wrap items-center justify-between gap-4 rounded-control bg-primary-tint px-5 py-4">
          <div>
            <p className="font-medium">
              {user.subscription_status === "expired"
                ? TEXTS.trialOverTitle
                : TEXTS.trialPromptTitle}
            </p>
            <p className="text-ink-2">{TEXTS.trialPrompt}</p>
          </div>
          <ButtonLink to="/pricing" variant="primary">
            {TEXTS.upgrade}
          </ButtonLink>
        </div>
      )}
      {mayReactivate && (
        <p className="mt-6 flex items-start gap-2 rounded-control bg-warn-tint px-4 py-3 text-warn">
          <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
          {TEXTS.endsOn(end)}
        </p>
      )}
      {next && (
        <div className="mt-6 flex flex-wrap items-center justify-between gap-4 rounded-control bg-info-tint px-4 py-3">
          <p className="flex min-w-0 flex-1 basis-60 items-start gap-2">
            <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />
            {TEXTS.scheduledDowngrade(tierName(next.tier), longDate(next.effective_date))}
          </p>
          <UndoDowngrade />
        </div>
      )}
      {!isTrial(user.subscription_tier) && (
        <div className="mt-6 flex flex-wrap gap-3 border-t border-line pt-5">
          {mayReactivate && (
            <Button variant="primary" onClick={() => setAsking("reactivate")}>
              {TEXTS.reactivate}
            </Button>
          )}
          <ButtonLink to="/pricing">{TEXTS.seePlans}</ButtonLink>
          {mayCancel && (
            <Button variant="ghost" className="text-bad!" onClick={() => setAsking("cancel")}>
              {TEXTS.cancel}
            </Button>
          )}
        </div>
      )}
      <ChangeDialog asking={asking} onClose={() => setAsking(null)} />
    </Card>
  );
}
