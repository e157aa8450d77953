import { isDowngrade, type Plan, type Subscription } from "@stipple/contract";
import type Stripe from "stripe";
import { missingParent } from "../db/database.ts";
import { accountGone, ApiError } from "../http/api-error.ts";
import { isPaid } from "./end-plan.ts";
import { openCheckouts } from "./open-checkouts.ts";
import { ifThere, once, type PaymentServices } from "./provider.ts";
import { reconcileCheckout } from "./reconcile.ts";

/** Opens a hosted checkout of a plan for a customer, or finds the one that is open. One checkout can be paid once. */
export async function openCheckout(
  services: PaymentServices,
  /** Address of the pages. */
  publicUrl: string,
  { userId, customer, plan }: { userId: string; customer: string; plan: Plan },
): Promise<{ id: string; url: string }> {
  const { clock, provider } = services;
  const { db } = services.database;
  const { sessions } = provider.stripe.checkout;
  const successUrl = `${publicUrl}/success?stripe_success=true`;
  // Counted before looking: a call too early to see another's checkout gets the same number, and so the same checkout.
  const { count } = await db
    .selectFrom("checkouts")
    .select((select) => select.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  // A second click, or the way back from the payment page, leads to the same checkout.
  for (const { id, tier } of await openCheckouts(db, userId)) {
    if (tier !== plan.tier) continue;
    const known = await sessions.retrieve(id);
    const fits = known.amount_total === plan.priceCents && known.success_url === successUrl;
    if (known.status === "open" && known.url && fits) return { id, url: known.url };
    await reconcileCheckout(services, id);
  }
  const monthly = plan.billing === "monthly";
  const metadata = { user_id: userId, tier: plan.tier, plan: plan.title };
  const asked: Stripe.Checkout.SessionCreateParams = {
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
  };
  const session = await once(
    `checkout-${userId}-${plan.tier}-${plan.priceCents}-${count}-${publicUrl}`,
    (options) => sessions.create(asked, options),
  );
  if (!session.url) throw new ApiError("payment_provider_failed");
  const row = { id: session.id, user_id: userId, tier: plan.tier, created_at: await clock.now() };
  await unlessGone(
    services,
    customer,
    db
      .insertInto("checkouts")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing()),
  );
  return { id: session.id, url: session.url };
}

/**
 * Stores something about a customer. If the account was deleted meanwhile, the customer is deleted as well, with the email
 * address and all checkouts.
 */
async function unlessGone(
  { provider: { stripe } }: Pick<PaymentServices, "provider">,
  customer: string,
  row: { execute(): Promise<unknown> },
): Promise<void> {
  try {
    await row.execute();
  } catch (error) {
    if (missingParent(error)) await ifThere(stripe.customers.del(customer));
    throw error;
  }
}

/** Throws plan_current, or downgrade_instead. */
export function refuseUnfit(plan: Plan, standing: Subscription): void {
  const live = standing.stripe_subscription_id !== null;
  if (!live || standing.subscription_status === "expired" || plan.billing === "one_time") return;
  if (plan.tier === standing.subscription_tier) throw new ApiError("plan_current");
  if (isDowngrade(standing.subscription_tier, plan.tier)) throw new ApiError("downgrade_instead");
}

/** The person at the provider, made there on first use, and again if the provider has deleted it. */
export async function customerOf(services: PaymentServices, userId: string): Promise<string> {
  const { stripe } = services.provider;
  const { db } = services.database;
  const known = await db
    .selectFrom("customers")
    .select("id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (known && (await isKept(stripe, known.id))) return known.id;
  const { email } = await db
    .selectFrom("users")
    .select("email")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow(() => accountGone());
  // Two clicks at once make one customer.
  const { id } = await once(`customer-${userId}${known ? `-after-${known.id}` : ""}`, (options) =>
    stripe.customers.create({ email, metadata: { user_id: userId } }, options),
  );
  // Both store it; naming the column of the conflict would let the other unique one refuse the second.
  await unlessGone(
    services,
    id,
    known
      ? db.updateTable("customers").set({ id }).where("user_id", "=", userId)
      : db
          .insertInto("customers")
          .values({ user_id: userId, id })
          .onConflict((conflict) => conflict.doNothing()),
  );
  return id;
}

async function isKept(stripe: Stripe, id: string): Promise<boolean> {
  const customer = await ifThere(stripe.customers.retrieve(id));
  return customer !== undefined && !customer.deleted;
}

/** Dollars that ending a subscription now would credit, as calculated by the provider. */
export async function creditOf(
  { provider: { stripe } }: PaymentServices,
  subscriptionId: string,
): Promise<number> {
  if (!(await isPaid(stripe, subscriptionId))) return 0;
  const { total } = await stripe.invoices.createPreview({
    subscription: subscriptionId,
    subscription_details: { cancel_now: true, proration_behavior: "create_prorations" },
  });
  return Math.max(0, -total) / 100;
}
