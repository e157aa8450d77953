import {
  cancelSubscription,
  createCheckoutSession,
  downgradeSubscription,
  planPreview,
  reactivateSubscription,
  transactionReceipt,
  transactions,
  undoDowngrade,
} from "@stipple/contract";
import type { FastifyInstance } from "fastify";
import Stripe from "stripe";
import type { Billing } from "./billing.ts";
import type { Logger } from "pino";
import { ok, type Mount } from "../http/route-adapter.ts";

export async function billingRoutes(
  mount: Mount,
  { billing, logger }: { billing: Billing; logger: Logger },
  app: FastifyInstance,
): Promise<void> {
  mount(createCheckoutSession, ({ session, body }) =>
    ok(billing.openCheckout(session.userId, body.plan)),
  );
  mount(downgradeSubscription, async ({ session, body }) => {
    const date = await billing.scheduleDowngrade(session.userId, body.target_tier);
    return ok({ effective_date: date.toISOString() });
  });
  mount(undoDowngrade, ({ session }) => ok(billing.undoDowngrade(session.userId)));
  mount(planPreview, ({ session, body }) => ok(billing.preview(session.userId, body.plan)));
  mount(cancelSubscription, ({ session, body }) =>
    ok(billing.cancel(session.userId, body?.subscription_id)),
  );
  mount(reactivateSubscription, ({ session }) => ok(billing.reactivate(session.userId)));
  mount(transactions, ({ session }) => ok(billing.transactions(session.userId)));
  mount(transactionReceipt, async ({ session, params }) =>
    ok({ url: await billing.receipt(session.userId, params.id) }),
  );

  // Not part of the contract: the provider calls it, and the signature covers the body byte for byte.
  await app.register((webhook, _options, done) => {
    webhook.removeContentTypeParser("application/json");
    webhook.addContentTypeParser(
      "application/json",
      { parseAs: "buffer" },
      (_request, body, parsed) => parsed(null, body),
    );
    webhook.post("/api/stripe-webhook", async (request, reply) => {
      const signature = String(request.headers["stripe-signature"] ?? "");
      try {
        await billing.takeEvent(request.body as Buffer, signature);
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
        logger.warn("a webhook with a wrong signature was refused");
        return reply.code(400).send({ error: "The signature is not valid." });
      }
      return reply.send({ received: true });
    });
    done();
  });
}
