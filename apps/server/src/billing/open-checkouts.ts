import Stripe from "stripe";
import type { Db } from "../db/database.ts";
import { ifThere, type PaymentServices } from "./provider.ts";

/** Checkouts whose outcome is not known. */
export function openCheckouts(db: Db, userId: string) {
  return db
    .selectFrom("checkouts")
    .select(["id", "tier"])
    .where("user_id", "=", userId)
    .where("settled", "=", false)
    .execute();
}

/** Closes those of a person's checkouts that are still open and concerned. */
export async function expireCheckouts(
  { database, provider: { stripe } }: PaymentServices,
  userId: string,
  isConcerned: (session: Stripe.Checkout.Session) => boolean,
): Promise<void> {
  for (const { id } of await openCheckouts(database.db, userId)) {
    const session = await ifThere(stripe.checkout.sessions.retrieve(id));
    if (session?.status === "open" && isConcerned(session)) {
      await stripe.checkout.sessions.expire(id).catch((error: unknown) => {
        // Paid at this very moment: then it counts.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      });
    }
  }
}
