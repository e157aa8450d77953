import type { Plan } from "@stipple/contract";
import { audit } from "../audit/audit.ts";
import type { PaymentServices } from "./provider.ts";
import { receiptKind, receiptUrl } from "./receipts.ts";

interface Payment {
  id: string;
  userId: string;
  plan: Plan;
  amountCents: number;
  /** Whether it pays for a further period of a running plan. */
  renews?: boolean;
  /** When it renews next. */
  until?: Date | null;
  succeeded: boolean;
  paidAt: Date;
}

const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Records a payment, or what has become of it, and tells its payer. */
export async function recordPayment(
  { database, notices, provider: { stripe } }: PaymentServices,
  payment: Payment,
): Promise<void> {
  const status = payment.succeeded ? "succeeded" : "failed";
  const { id, userId, plan, amountCents, renews = false, until = null } = payment;
  const isNews = await database.transaction(async (transaction) => {
    const isNew = await transaction
      .insertInto("payments")
      .values({
        id: payment.id,
        user_id: userId,
        tier: plan.tier,
        amount_cents: amountCents,
        status,
        paid_at: payment.paidAt,
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!isNew) {
      const changed = await transaction
        .updateTable("payments")
        .set({ status, amount_cents: amountCents, paid_at: payment.paidAt })
        .where("id", "=", payment.id)
        // A payment stays paid even if the event of an earlier failure arrives late.
        .where("status", "=", "failed")
        .returning("id")
        .executeTakeFirst();
      if (!changed || status === "failed") return false;
    }
    await audit(transaction, {
      userId,
      what: payment.succeeded
        ? payment.renews
          ? "plan_renewed"
          : "plan_bought"
        : "payment_failed",
      by: "provider",
      about: { plan: plan.title, amount: DOLLARS.format(amountCents / 100) },
    });
    return true;
  });
  if (!isNews) return;
  if (payment.succeeded) {
    const kind = receiptKind({ id, status });
    notices.paid(userId, { plan, amountCents, renews, until }, async () =>
      kind ? receiptUrl(stripe, id, kind) : null,
    );
  } else if (renews) notices.renewalFailed(userId, { plan, amountCents });
}
