import type { Logger } from "pino";
import { isClockMove, type Change, type ProviderEvent } from "./events.ts";
import { asking, isGone, type PaymentServices } from "./provider.ts";
import {
  reconcileCheckout,
  reconcileFailedPayment,
  reconcileInvoice,
  reconcileSubscription,
} from "./reconcile.ts";

/** Applies one event from the provider, once. Throws if it could not be applied; it is then delivered again. */
export async function takeEvent(
  services: PaymentServices,
  logger: Logger,
  event: ProviderEvent,
): Promise<void> {
  const { clock } = services;
  const { db } = services.database;
  const taken = await db
    .selectFrom("provider_events")
    .select("id")
    .where("id", "=", event.id)
    .executeTakeFirst();
  if (taken) return;
  if (isClockMove(event)) {
    const { ahead_ms, deletes_ahead_ms } = event.data.object;
    await clock.moved(ahead_ms, deletes_ahead_ms);
  } else if ("data" in event) {
    await asking(() => apply(services, event)).catch((error: unknown) => {
      // What the provider itself does not know has no state that ours could be brought in line with.
      if (!isGone((error as Error).cause)) throw error;
      logger.warn({ event: event.id }, "an event for an object the provider does not have");
    });
  }
  const takenAt = await clock.now();
  // Only now: an event that could not be applied is delivered again.
  await db
    .insertInto("provider_events")
    .values({ id: event.id, type: event.type, taken_at: takenAt })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

function apply(services: PaymentServices, { type, data }: Change): Promise<void> {
  const { id } = data.object;
  if (type.startsWith("checkout.")) return reconcileCheckout(services, id);
  if (type.startsWith("customer.")) return reconcileSubscription(services, id);
  if (type.startsWith("invoice.")) return reconcileInvoice(services, id);
  return reconcileFailedPayment(services, id);
}
