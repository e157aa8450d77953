import { planByTier, type Plan } from "@stipple/contract";
import Stripe from "stripe";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Notices } from "../notices/notices.ts";
import type { BillingClock } from "./billing-clock.ts";

/** The payment provider: Stripe, or a compatible server at the configured address. */
export interface Provider {
  stripe: Stripe;
  /** The provider's price of a plan, made there on first use, and again if the provider has archived it. */
  priceOf(plan: Plan): Promise<string>;
  /** The plan that a price belongs to, or undefined for a price that is not ours. */
  planOf(price: Stripe.Price): Plan | undefined;
  /** A webhook's content, whatever it is, once its signature is verified; throws otherwise. */
  verifiedEvent(payload: Buffer, signature: string): unknown;
}

/** What it takes to bring our rows in line with the provider's. */
export interface PaymentServices {
  clock: BillingClock;
  database: Database;
  notices: Notices;
  provider: Provider;
}

/** Links prices and plans; a different amount is a different price. */
function lookupKey(plan: Plan): string {
  return `stipple_${plan.tier}_${plan.priceCents}`;
}

/** The plan of a price, even of one from before its amount changed: what was bought at a price renews at it. */
function planOf({ lookup_key: key }: Stripe.Price): Plan | undefined {
  return planByTier(/^stipple_(.+)_\d+$/.exec(key ?? "")?.[1] ?? "");
}

/** Undefined when no payment provider is configured. */
export function openProvider(config: Config): Provider | undefined {
  const { secretKey, webhookSecret, sandboxUrl } = config.stripe;
  if (!secretKey || !webhookSecret) return undefined;
  const local = sandboxUrl ? new URL(sandboxUrl) : undefined;
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: 15_000,
    telemetry: false,
    ...(local
      ? {
          host: local.hostname,
          port: local.port || (local.protocol === "https:" ? "443" : "80"),
          protocol: local.protocol === "https:" ? "https" : "http",
        }
      : {}),
  });
  return {
    stripe,
    priceOf: (plan) => findOrCreatePrice(stripe, plan, lookupKey(plan)),
    planOf,
    verifiedEvent(payload, signature) {
      try {
        return stripe.webhooks.constructEvent(payload, signature, webhookSecret);
      } catch (cause) {
        if (cause instanceof Stripe.errors.StripeSignatureVerificationError) throw cause;
        const wrong =
          "The event is not valid: it must be JSON, and a snapshot event, not a thin one.";
        throw new ApiError("invalid_request", wrong, { cause });
      }
    },
  };
}

async function findOrCreatePrice(stripe: Stripe, plan: Plan, key: string): Promise<string> {
  const [existing] = (await stripe.prices.list({ lookup_keys: [key], limit: 1 })).data;
  if (existing?.active) return existing.id;
  // The provider answers a repeated key with what it made before, also if that is archived by now.
  const making = existing ? `${key}-after-${existing.id}` : key;
  const named = { name: plan.title, metadata: { tier: plan.tier } };
  const product = await once(`product-${making}`, (options) =>
    stripe.products.create(named, options),
  );
  const price: Stripe.PriceCreateParams = {
    product: product.id,
    currency: "usd",
    unit_amount: plan.priceCents,
    lookup_key: key,
    transfer_lookup_key: true,
    ...(plan.billing === "monthly" ? { recurring: { interval: "month" } } : {}),
  };
  return (await once(`price-${making}`, (options) => stripe.prices.create(price, options))).id;
}

/**
 * Creates something once, however often this is called with the same key. Under its key, the provider would repeat a
 * failure for a day.
 */
export function once<T>(
  idempotencyKey: string,
  create: (options: Stripe.RequestOptions) => Promise<T>,
): Promise<T> {
  return create({ idempotencyKey }).catch((error: unknown) => {
    const { headers } = error as Stripe.errors.StripeError;
    if (headers?.["idempotent-replayed"] !== "true") throw error;
    return create({});
  });
}

/** Of an object that the provider shows as its id, or as a whole. */
export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === "string" ? value : (value?.id ?? null);

/** Calls the provider; failures become messages for the waiting user. */
export async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof Stripe.errors.StripeError) {
      throw new ApiError("payment_provider_failed", undefined, { cause });
    }
    throw cause;
  }
}

/** Whether the provider refused a request as invalid, for example because another change came first. */
export function isRefused(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** Whether the provider refused because the object does not exist (anymore). */
export function isGone(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing"
  );
}

/**
 * The provider's answer; undefined if the object does not exist (anymore): it was deleted, or belongs to the test mode
 * or account that this server used before.
 */
export function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (!isGone(error)) throw error;
    return undefined;
  });
}
