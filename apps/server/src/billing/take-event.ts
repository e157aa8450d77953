import type Stripe from "stripe";
import type { Database } from "../db/database.ts";
import type { Logger } from "pino";
import type { BillingClock } from "./billing-clock.ts";
import { isClockMove, type ClockMove, type ProviderEvent } from "./events.ts";
import { asking, isGone } from "./provider.ts";
import type { Reconciler } from "./reconcile.ts";

/** Applies one event from the provider, once. Throws if it could not be applied; it is then delivered again. */
export async function takeEvent(
  {
    db,
    clock,
    logger,
    reconciler,
  }: Pick<Database, "db"> & { clock: BillingClock; logger: Logger; reconciler: Reconciler },
  event: ClockMove | ProviderEvent,
): Promise<void> {
  const taken = await db
    .selectFrom("provider_events")
    .select("id")
    .where("id", "=", event.id)
    .executeTakeFirst();
  if (taken) return;
  if (isClockMove(event)) {
    const { ahead_ms, deletes_ahead_ms } = event.data.object;
    await clock.moved(ahead_ms, deletes_ahead_ms);
  } else {
    await asking(() => apply(event as unknown as Stripe.Event, reconciler)).catch(
      (error: unknown) => {
        // What the provider itself does not know has no state that ours could be brought in line with.
        if (!isGone((error as Error).cause)) throw error;
        logger.warn({ event: event.id }, "an event for an object the provider does not have");
      },
    );
  }
  const takenAt = await clock.now();
  // Only now: an event that could not be applied is delivered again.
  await db
    .insertInto("provider_events")
    .values({ id: event.id, type: event.type, taken_at: takenAt })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

async function apply(event: Stripe.Event, reconciler: Reconciler): Promise<void> {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.expired":
      return reconciler.checkout(event.data.object.id);
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
      return reconciler.subscription(event.data.object.id);
    case "invoice.paid":
    case "invoice.payment_failed":
      return event.data.object.id ? reconciler.invoice(event.data.object.id) : undefined;
    case "payment_intent.payment_failed":
      return reconciler.failedPayment(event.data.object.id);
    default:
      return undefined;
  }
}
