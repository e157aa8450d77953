import type Stripe from "stripe";
import { idOf } from "./provider.ts";

/**
 * Whether the running period of a subscription has been paid. The provider also calls one active whose renewal waits
 * as a draft to be charged, which takes an hour, and would credit what nobody has paid.
 */
export async function isPaid(stripe: Stripe, id: string): Promise<boolean> {
  // Our row may not know of a payment yet.
  const { status, latest_invoice } = await stripe.subscriptions.retrieve(id);
  if (status !== "active") return false;
  const invoice = idOf(latest_invoice);
  return invoice === null || (await stripe.invoices.retrieve(invoice)).status === "paid";
}

/**
 * Ends a subscription at once. The rest of a paid period is credited. Otherwise nothing is left to pay: the provider's
 * pages would still take money for open invoices, and it would charge a draft.
 */
export async function endNow(stripe: Stripe, id: string): Promise<void> {
  if (await isPaid(stripe, id)) {
    await stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true });
    return;
  }
  await stripe.subscriptions.cancel(id);
  for await (const invoice of stripe.invoices.list({ subscription: id, limit: 100 })) {
    if (invoice.status === "open") await stripe.invoices.voidInvoice(invoice.id);
    // To void a draft, it would have to be finalized, which uses up the person's credit.
    if (invoice.status === "draft") {
      await stripe.invoices.update(invoice.id, { auto_advance: false });
    }
  }
}
