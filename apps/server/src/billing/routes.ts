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
import type { Mount } from "../http/route-adapter.ts";

export async function billingRoutes(
  mount: Mount,
  { billing, logger }: { billing: Billing; logger: Logger },
  app: FastifyInstance,
): Promise<void> {
  mount(createCheckoutSession, async ({ session, body }) => ({
    status: 200,
    body: await billing.openCheckout(session.userId, body.plan),
  }));
  mount(downgradeSubscription, async ({ session, body }) => {
    const date = await billing.scheduleDowngrade(session.userId, body.target_tier);
    return { status: 200, body: { effective_date: date.toISOString() } };
  });
  mount(undoDowngrade, async ({ session }) => ({
    status: 200,
    body: await billing.undoDowngrade(session.userId),
  }));
  mount(planPreview, async ({ session, body }) => ({
    status: 200,
    body: await billing.preview(session.userId, body.plan),
  }));
  mount(cancelSubscription, async ({ session, body }) => ({
    status: 200,
    body: await billing.cancel(session.userId, body?.subscription_id),
  }));
  mount(reactivateSubscription, async ({ session }) => ({
    status: 200,
    body: await billing.reactivate(session.userId),
  }));
  mount(transactions, async ({ session }) => ({
    status: 200,
    body: await billing.transactions(session.userId),
  }));
  mount(transactionReceipt, async ({ session, params }) => ({
    status: 200,
    body: { url: await billing.receipt(session.userId, params.id) },
  }));

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
