import { tierName, type Plan } from "@stipple/contract/business/plans";
import { longDate } from "../../app/long-date.ts";
import { useSession } from "../../app/session.ts";
import { storedToken } from "../../app/token.ts";
import { Button } from "../../components/button.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { planAction } from "./plan-action.ts";
import { PriceCard } from "./price-card.tsx";
import { PRICING_TEXTS as TEXTS } from "./texts.ts";
import { UndoDowngrade } from "./undo-downgrade.tsx";
import { planPreview } from "@stipple/contract/routes/billing";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";
import { dollars, wholeDollars } from "../../app/dollars.ts";

/** A plan with its button, and what the button would do or why it does nothing. */
export function PlanOffer({
  plan,
  opening,
  onChoose,
}: {
  plan: Plan;
  /** Title of the plan whose checkout is being opened. */
  opening: string | null;
  onChoose: () => void;
}) {
  const { user, verified } = useSession();
  const action = planAction(plan, storedToken() !== null, user);
  const current = action.does === "nothing";
  const next = user.scheduled_downgrade;
  const isNext = next?.tier === plan.tier;
  const isBarred = action.does === "downgrade" && next !== null && !isNext;
  const replaces =
    action.does === "checkout" &&
    plan.billing === "monthly" &&
    user.stripe_subscription_id !== null &&
    user.subscription_status !== "expired";
  const why = `why-${plan.tier}`;
  return (
    <PriceCard
      {...planCard(plan)}
      pill={
        current ? (
          <StatusPill tone="ok">{TEXTS.currentPlan}</StatusPill>
        ) : (
          isNext && <StatusPill tone="info">{TEXTS.scheduled}</StatusPill>
        )
      }
    >
      {current && (
        <p id={why} className="mb-3 text-[0.8125rem] text-ink-3">
          {next
            ? TEXTS.changesTo(tierName(next.tier), longDate(next.effective_date))
            : TEXTS.disabledBecause}
        </p>
      )}
      {isNext && (
        <p className="mb-3 text-[0.8125rem] text-ink-2">
          {TEXTS.startsOn(longDate(next.effective_date))}
        </p>
      )}
      {isBarred && (
        <p id={why} className="mb-3 text-[0.8125rem] text-ink-3">
          {TEXTS.scheduledAlready(tierName(next.tier))}
        </p>
      )}
      {replaces && <UpgradeNote plan={plan} id={why} />}
      {current && next && <UndoDowngrade className="mb-2 w-full" />}
      <Button
        variant={plan.highlighted && !current ? "primary" : "secondary"}
        className="w-full"
        disabled={current || isNext || isBarred || !verified || opening !== null}
        busy={opening === plan.title}
        aria-describedby={current || isBarred || replaces ? why : undefined}
        onClick={onChoose}
      >
        {action.label}
      </Button>
    </PriceCard>
  );
}

/** Shown before a plan replaces the current one: what is charged today, and what happens to the old plan. */
function UpgradeNote({ plan, id }: { plan: Plan; id: string }) {
  const { user } = useSession();
  const { data } = useQuery({
    queryKey: ["plan-preview", plan.title, user.stripe_subscription_id],
    queryFn: ({ signal }) => api(planPreview, { body: { plan: plan.title }, signal }),
    // The credit shrinks every second; a figure up to a minute old is accurate enough.
    staleTime: 60_000,
    retry: false,
  });
  return (
    <p id={id} className="mb-3 min-h-15 text-[0.8125rem] text-ink-2">
      {data?.ends &&
        TEXTS.upgrade(
          dollars(data.charged_today),
          data.ends.plan,
          data.ends.credit > 0 ? dollars(data.ends.credit) : null,
        )}
    </p>
  );
}

/** Text of a plan's price card. */
export function planCard(plan: Plan) {
  return {
    title: plan.title,
    price: wholeDollars(plan.priceCents / 100),
    priceNote: plan.billing === "monthly" ? TEXTS.perMonth : TEXTS.oneTime,
    points: [
      TEXTS.analyses(plan.analyses),
      TEXTS.storage(plan.retentionLabel),
      TEXTS.room(plan.storageGb),
      ...TEXTS.included,
    ],
    highlighted: plan.highlighted,
  };
}
