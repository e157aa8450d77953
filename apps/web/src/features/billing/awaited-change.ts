import type { Subscription } from "@stipple/contract";

const KEY = "stipple.before-checkout";

/** What a payment changes. */
function fingerprint(user: Subscription): string {
  return JSON.stringify([
    user.subscription_tier,
    user.subscription_status,
    user.subscription_end_date,
    user.single_analyses_purchased,
    user.analyses_limit,
  ]);
}

/** Notes the plan as it is before the person leaves for the checkout. */
export function noteBeforeCheckout(user: Subscription): void {
  sessionStorage.setItem(KEY, fingerprint(user));
}

/** Whether the plan differs from the noted one; without a note (another tab paid) a paid plan counts. */
export function paymentArrived(user: Subscription): boolean {
  const before = sessionStorage.getItem(KEY);
  return before === null ? user.subscription_status === "active" : before !== fingerprint(user);
}
