import type Stripe from "stripe";
import { idOf } from "./provider.ts";

/**
 * Ends a subscription at once and credits the rest of its period. Of an unpaid renewal nothing is left to pay: its
 * invoice is voided, which the provider's page would otherwise still take money for.
 */
export async function endNow(stripe: Stripe, id: string): Promise<void> {
  // Our row may not know of a payment yet.
  const isUnpaid = (await stripe.subscriptions.retrieve(id)).status !== "active";
  const rest = isUnpaid ? {} : { prorate: true, invoice_now: true };
  const { latest_invoice } = await stripe.subscriptions.cancel(id, rest);
  const invoice = idOf(latest_invoice);
  if (!isUnpaid || !invoice) return;
  const { status } = await stripe.invoices.retrieve(invoice);
  if (status === "open") await stripe.invoices.voidInvoice(invoice);
}
