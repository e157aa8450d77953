import { createCheckoutSession } from "@stipple/contract/routes/billing";
import { api, ApiError } from "../../app/api.ts";
import { PRICING_TEXTS } from "./texts.ts";

/** The sentence to alert when a checkout cannot be opened. */
export class CheckoutError extends Error {
  override name = "CheckoutError";
}

/** Whether a hosted checkout may live at this address: http(s) only. */
export function isWebAddress(url: unknown): url is string {
  return typeof url === "string" && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Opens a checkout for the plan named by its card title and returns its URL. Throws CheckoutError. */
export async function openCheckout(plan: string): Promise<string> {
  try {
    const { url } = await api(createCheckoutSession, { body: { plan } });
    if (!isWebAddress(url)) throw new CheckoutError(PRICING_TEXTS.providerFailed);
    return url;
  } catch (error) {
    if (error instanceof CheckoutError) throw error;
    const text =
      error instanceof ApiError
        ? error.error || PRICING_TEXTS.checkoutFailed
        : PRICING_TEXTS.paymentFailed;
    throw new CheckoutError(text, { cause: error });
  }
}
