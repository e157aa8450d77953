import type { Subscription } from "@stipple/contract";
import { ApiError } from "./api.ts";

/**
 * Outcome of a subscription check: `refused` = the token is no longer valid; `failed` = no response despite retries.
 */
export type CheckOutcome =
  { kind: "ok"; user: Subscription } | { kind: "refused" } | { kind: "failed" };

/** Pauses before the second and third try, in milliseconds. */
export const RETRY_PAUSES_MS = [300, 900] as const;

/**
 * Requests the subscription. A 401 or 403 counts immediately; a network error or a 5xx is retried twice, because a
 * brief outage must not sign anyone out.
 */
export async function checkSubscription(
  verify: () => Promise<Subscription>,
  wait: (ms: number) => Promise<void>,
): Promise<CheckOutcome> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return { kind: "ok", user: await verify() };
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      if (status === 401 || status === 403) return { kind: "refused" };
      const pause = RETRY_PAUSES_MS[attempt];
      if ((status > 0 && status < 500) || pause === undefined) return { kind: "failed" };
      await wait(pause);
    }
  }
}
