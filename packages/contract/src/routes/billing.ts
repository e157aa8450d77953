import * as z from "zod/mini";
import { DOWNGRADE_TIERS } from "../business/plans.ts";
import { defineRoute } from "./define.ts";

export const createCheckoutSession = defineRoute("POST", "/create-checkout-session", "session", {
  summary: "Open a hosted checkout for a plan, named by its card title.",
  body: z.object({ plan: z.string() }),
  answers: { 200: z.object({ id: z.string(), url: z.string() }) },
});

export const downgradeSubscription = defineRoute("POST", "/downgrade-subscription", "session", {
  summary: "Schedule a lower tier for the end of the current billing period.",
  body: z.object({ target_tier: z.enum(DOWNGRADE_TIERS) }),
  answers: { 200: z.object({ effective_date: z.string() }) },
});

/** A plan after a change. */
const changedPlan = z.object({
  message: z.string(),
  subscription_status: z.string(),
  subscription_end_date: z.nullable(z.string()),
});

/** Additive. */
export const undoDowngrade = defineRoute("POST", "/undo-downgrade", "session", {
  summary: "Undo a scheduled downgrade; the current plan renews instead.",
  answers: { 200: changedPlan },
});

/** Additive. */
export const planPreview = defineRoute("POST", "/plan-preview", "session", {
  summary:
    "Preview what buying a plan, named by its card title, would charge today and what happens to the current plan. Buys nothing.",
  body: z.object({ plan: z.string() }),
  answers: {
    200: z.object({
      /** Dollars with cents, as the checkout shows them. */
      charged_today: z.number(),
      /** The plan that ends immediately, with the credit in dollars for its unused days; null if none is active. */
      ends: z.nullable(z.object({ plan: z.string(), credit: z.number() })),
    }),
  },
});

export const cancelSubscription = defineRoute("POST", "/cancel-subscription", "session", {
  summary:
    "Cancel at the end of the period; access stays until then. A plan whose renewal is unpaid ends at once.",
  body: z.optional(z.object({ subscription_id: z.optional(z.string()) })),
  answers: { 200: changedPlan },
});

export const reactivateSubscription = defineRoute("POST", "/reactivate-subscription", "session", {
  summary: "Undo a cancellation before the period ends.",
  answers: { 200: changedPlan },
});

export const transaction = z.object({
  id: z.string(),
  date: z.string(),
  plan_type: z.string(),
  /** Dollars with cents, e.g. 250.00. */
  amount: z.number(),
  status: z.enum(["succeeded", "failed"]),
  /** Whether the provider has a receipt or invoice for it. */
  has_receipt: z.boolean(),
});
export type Transaction = z.infer<typeof transaction>;

export const transactions = defineRoute("GET", "/user/transactions", "session", {
  summary: "Every payment attempt, newest first.",
  answers: { 200: z.array(transaction) },
});

export const transactionReceipt = defineRoute("GET", "/user/transactions/:id/receipt", "session", {
  summary: "A fresh link to the provider's receipt or invoice for one payment.",
  answers: { 200: z.object({ url: z.string() }) },
});
