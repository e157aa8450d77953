import type { Plan } from "@stipple/contract";
import type { Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { BillingClock } from "./billing-clock.ts";
import type { Provider } from "./provider.ts";
import type { Reconciler } from "./reconcile.ts";

/** Opens a hosted checkout of a plan for a customer, or finds the one that is open. One checkout can be paid once. */
export async function openCheckout(
  parts: {
    db: Db;
    clock: BillingClock;
    provider: Provider;
    reconciler: Reconciler;
    /** Address of the pages. */
    publicUrl: string;
  },
  { userId, customer, plan }: { userId: string; customer: string; plan: Plan },
): Promise<{ id: string; url: string }> {
  const { db, clock, provider, reconciler, publicUrl } = parts;
  const { sessions } = provider.stripe.checkout;
  const successUrl = `${publicUrl}/success?stripe_success=true`;
  // Counted before looking: a call too early to see another's checkout gets the same number, and so the same checkout.
  const { count } = await db
    .selectFrom("checkouts")
    .select((select) => select.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  // A second click, or the way back from the payment page, leads to the same checkout.
  for (const { id, tier } of await reconciler.openCheckouts(userId)) {
    if (tier !== plan.tier) continue;
    const known = await sessions.retrieve(id);
    const fits = known.amount_total === plan.priceCents && known.success_url === successUrl;
    if (known.status === "open" && known.url && fits) return { id, url: known.url };
    await reconciler.checkout(id);
  }
  const monthly = plan.billing === "monthly";
  const metadata = { user_id: userId, tier: plan.tier, plan: plan.title };
  const session = await sessions.create(
    {
      mode: monthly ? "subscription" : "payment",
      // Cards succeed or fail immediately; other payment methods take days.
      allowed_payment_method_types: ["card"],
      // Prices and our books are in US dollars.
      adaptive_pricing: { enabled: false },
      customer,
      client_reference_id: userId,
      line_items: [{ price: await provider.priceOf(plan), quantity: 1 }],
      metadata,
      ...(monthly ? { subscription_data: { metadata } } : { payment_intent_data: { metadata } }),
      success_url: successUrl,
      cancel_url: `${publicUrl}/pricing`,
    },
    { idempotencyKey: `checkout-${userId}-${plan.tier}-${plan.priceCents}-${count}-${publicUrl}` },
  );
  if (!session.url) throw new ApiError("payment_provider_failed");
  await db
    .insertInto("checkouts")
    .values({ id: session.id, user_id: userId, tier: plan.tier, created_at: await clock.now() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  return { id: session.id, url: session.url };
}
