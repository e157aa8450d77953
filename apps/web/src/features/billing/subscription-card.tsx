import type { Subscription as User } from "@stipple/contract";
import {
  isTrial,
  planByTier,
  tierName,
  type SubscriptionStatus,
} from "@stipple/contract/business/plans";
import { daysRemaining } from "@stipple/contract/business/time";
import { Info } from "lucide-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { dollars } from "../../app/dollars.ts";
import { longDate } from "../../app/long-date.ts";
import { useSession, refreshSession } from "../../app/session.ts";
import { useNow } from "../../app/use-now.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { PROFILE_TEXTS as TEXTS } from "./texts.ts";
import { UndoDowngrade } from "./undo-downgrade.tsx";
import { isRenewed, usageOf } from "../../app/subscription/usage.ts";
import { cancelSubscription, reactivateSubscription } from "@stipple/contract/routes/billing";
import { api } from "../../app/api.ts";
import { notifyAlert } from "../../app/notify-alert.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { toast } from "../../components/toast-store.ts";
import { StatusPill, type Tone } from "../../components/status-pill.tsx";
import { statusName } from "../../app/subscription/status-names.ts";

const MINUTE_MS = 60_000;

/** Usage, end date, status, and plan actions. */
export function SubscriptionCard() {
  const { user, verified } = useSession();
  const title = user.is_one_time ? TEXTS.oneTime : TEXTS.subscription;
  const next = user.scheduled_downgrade;
  const unpaid = unpaidPlan(user);
  if (!verified) {
    return (
      <Card title={title}>
        <Skeleton className="h-40" />
      </Card>
    );
  }
  return (
    <Card title={title} actions={<SubscriptionPill status={user.subscription_status} />}>
      <Usage user={user} />
      <PeriodEnd user={user} />
      {isTrial(user.subscription_tier) && <TrialPrompt user={user} />}
      {(mayReactivate(user) || unpaid) && (
        <p className="mt-6 flex items-start gap-2 rounded-control bg-warn-tint px-4 py-3 text-warn">
          <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
          {unpaid ? TEXTS.unpaid(unpaid) : TEXTS.endsOn(longDate(user.subscription_end_date))}
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
      {!isTrial(user.subscription_tier) && <PlanActions user={user} />}
    </Card>
  );
}

const mayCancel = (user: User): boolean =>
  !user.is_one_time && user.subscription_status === "active";
const mayReactivate = (user: User): boolean =>
  !user.is_one_time && user.subscription_status === "cancelled";
/** The title of the plan whose renewal is unpaid. */
const unpaidPlan = ({ unpaid_subscription: unpaid }: User): string | undefined =>
  unpaid ? planByTier(unpaid.tier)?.title : undefined;

function Usage({ user }: { user: User }) {
  const { allowed, percent } = usageOf(user);
  const text = TEXTS.usageText(user.analyses_count, allowed);
  return (
    <>
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-ink-3">{TEXTS.usage}</span>
        <span className="font-medium">{text}</span>
      </div>
      <ProgressBar
        className="mt-2"
        label={TEXTS.usage}
        value={percent}
        valueText={text}
        tone={percent >= 100 ? "warn" : "primary"}
      />
    </>
  );
}

/** When the period ends, and what follows. */
function PeriodEnd({ user }: { user: User }) {
  const days = daysRemaining(user.subscription_end_date, useNow(MINUTE_MS));
  const next = user.scheduled_downgrade;
  // Nothing follows a plan that ends then.
  const renewed = isRenewed(user) ? planByTier(next?.tier ?? user.subscription_tier) : undefined;
  return (
    <dl className="mt-6">
      <div>
        <dt className="text-ink-3">{user.is_one_time ? TEXTS.validUntil : TEXTS.endDate}</dt>
        <dd className="mt-0.5 font-medium">{longDate(user.subscription_end_date)}</dd>
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
  );
}

function TrialPrompt({ user }: { user: User }) {
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-4 rounded-control bg-primary-tint px-5 py-4">
      <div>
        <p className="font-medium">
          {user.subscription_status === "expired" ? TEXTS.trialOverTitle : TEXTS.trialPromptTitle}
        </p>
        <p className="text-ink-2">{TEXTS.trialPrompt}</p>
      </div>
      <ButtonLink to="/pricing" variant="primary">
        {TEXTS.upgrade}
      </ButtonLink>
    </div>
  );
}

function PlanActions({ user }: { user: User }) {
  const [asking, setAsking] = useState<Change | null>(null);
  return (
    <div className="mt-6 flex flex-wrap gap-3 border-t border-line pt-5">
      {mayReactivate(user) && (
        <Button variant="primary" onClick={() => setAsking("reactivate")}>
          {TEXTS.reactivate}
        </Button>
      )}
      <ButtonLink to="/pricing">{TEXTS.seePlans}</ButtonLink>
      {mayCancel(user) && (
        <Button variant="ghost" className="text-bad!" onClick={() => setAsking("cancel")}>
          {TEXTS.cancel}
        </Button>
      )}
      {user.unpaid_subscription && (
        <Button variant="ghost" className="text-bad!" onClick={() => setAsking("stop")}>
          {TEXTS.stop}
        </Button>
      )}
      <ChangeDialog asking={asking} onClose={() => setAsking(null)} />
    </div>
  );
}

type Change = "cancel" | "reactivate" | "stop";

/** What the dialog says about each change, and what follows it. */
const CHANGES = {
  cancel: {
    title: TEXTS.cancelTitle,
    text: TEXTS.cancelText,
    action: TEXTS.confirmCancel,
    keep: TEXTS.keep,
    done: TEXTS.cancelled,
    failed: TEXTS.cancelFailed,
  },
  reactivate: {
    title: TEXTS.reactivateTitle,
    text: TEXTS.reactivateText,
    action: TEXTS.confirmReactivate,
    keep: TEXTS.dismiss,
    done: TEXTS.reactivated,
    failed: TEXTS.reactivateFailed,
  },
  stop: {
    title: TEXTS.stopTitle,
    text: (_date: string, plan: string) => TEXTS.stopText(plan),
    action: TEXTS.confirmStop,
    keep: TEXTS.keep,
    done: TEXTS.stopped,
    failed: TEXTS.stopFailed,
  },
};

/** Asks for confirmation before a subscription is changed; open while `asking` is set. */
function ChangeDialog({ asking, onClose }: { asking: Change | null; onClose: () => void }) {
  const { user } = useSession();
  const { title, text, action, keep, done, failed } = CHANGES[asking ?? "cancel"];

  const changing = useMutation({
    mutationFn: async () => {
      if (asking === "reactivate") await api(reactivateSubscription);
      else {
        const id = user.stripe_subscription_id ?? user.unpaid_subscription?.id;
        await api(cancelSubscription, { body: id ? { subscription_id: id } : {} });
      }
      onClose();
      toast(done);
      await refreshSession();
    },
    onError: () => notifyAlert(failed),
  });

  return (
    <ConfirmDialog
      open={asking !== null}
      onClose={onClose}
      title={title}
      description={text(longDate(user.subscription_end_date), unpaidPlan(user) ?? "")}
      action={action}
      cancel={keep}
      tone={asking === "reactivate" ? "primary" : "danger"}
      busy={changing.isPending}
      onConfirm={() => changing.mutate()}
    />
  );
}

const TONES: Partial<Record<SubscriptionStatus, Tone>> = {
  trial: "info",
  active: "ok",
  cancelled: "warn",
  expired: "bad",
};

/** The subscription's status; gray for unknown values. */
function SubscriptionPill({ status }: { status: SubscriptionStatus }) {
  return <StatusPill tone={TONES[status] ?? "neutral"}>{statusName(status)}</StatusPill>;
}
