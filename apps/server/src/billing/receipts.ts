import type Stripe from "stripe";

export type ReceiptKind = "invoice" | "charge";

/** What the provider shows of a payment: an invoice (paid, or still to be paid), a receipt of a charge, or nothing. */
export function receiptKind(payment: { id: string; status: string }): ReceiptKind | null {
  if (payment.id.startsWith("in_")) return "invoice";
  return payment.id.startsWith("pi_") && payment.status === "succeeded" ? "charge" : null;
}

/** A link to it; asked for each time, because the provider's links end after some weeks. */
export async function receiptUrl(
  stripe: Stripe,
  paymentId: string,
  kind: ReceiptKind,
): Promise<string | null> {
  if (kind === "invoice") {
    return (await stripe.invoices.retrieve(paymentId)).hosted_invoice_url ?? null;
  }
  const intent = await stripe.paymentIntents.retrieve(paymentId, { expand: ["latest_charge"] });
  const charge = intent.latest_charge;
  return typeof charge === "object" ? (charge?.receipt_url ?? null) : null;
}
