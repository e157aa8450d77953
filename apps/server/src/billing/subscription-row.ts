import type { Plan, PlanTier } from "@stipple/contract";
import type Stripe from "stripe";
import { idOf, type Provider } from "./provider.ts";

/** A time of the provider's. */
export const at = (unixSeconds: number): Date => new Date(unixSeconds * 1000);

/** What our row of a subscription is to hold. */
export async function subscriptionRow(
  provider: Provider,
  found: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  plan: Plan,
) {
  const ended = ["canceled", "incomplete_expired"].includes(found.status);
  const status = ended
    ? ("ended" as const)
    : ["active", "trialing"].includes(found.status)
      ? ("active" as const)
      : ("past_due" as const);
  const start = item.current_period_start;
  // The provider's own pages end a plan at a time, which need not be the end of its period.
  const last = found.cancel_at ?? Infinity;
  return {
    tier: plan.tier,
    status,
    period_start: at(status === "past_due" ? await unpaidSince(provider, found.id, start) : start),
    period_end: at(Math.min(item.current_period_end, last)),
    cancel_at_period_end: found.cancel_at_period_end || last <= item.current_period_end,
    schedule_id: idOf(found.schedule),
    next_tier: ended ? null : await nextTierOf(provider, found, item.current_period_end),
    ended_at: found.ended_at ? at(found.ended_at) : null,
  };
}

/** When the first renewal that is unpaid was due: a provider may be set up to go on without payment. */
async function unpaidSince(
  { stripe }: Provider,
  subscription: string,
  periodStart: number,
): Promise<number> {
  let since = periodStart;
  for await (const { status, created } of stripe.invoices.list({ subscription, limit: 100 })) {
    if (status === "paid") break;
    since = Math.min(since, created);
  }
  return since;
}

/** The tier of the phase that begins when the period ends; null without a schedule. */
async function nextTierOf(
  provider: Provider,
  { schedule }: Stripe.Subscription,
  periodEnd: number,
): Promise<PlanTier | null> {
  const id = idOf(schedule);
  if (!id) return null;
  const { phases } = await provider.stripe.subscriptionSchedules.retrieve(id);
  const next = phases.find(({ start_date }) => start_date >= periodEnd);
  const plan = await planOfPrice(provider, idOf(next?.items[0]?.price));
  return plan?.tier ?? null;
}

/** The plan of a price, given the provider's id of it. */
export async function planOfPrice(
  provider: Provider,
  id: string | null,
): Promise<Plan | undefined> {
  return id === null ? undefined : provider.planOf(await provider.stripe.prices.retrieve(id));
}
