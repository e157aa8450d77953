import type { Entitlements } from "../billing/entitlements.ts";
import type { Clock } from "../clock.ts";
import { ApiError } from "../http/api-error.ts";

type Access = Awaited<ReturnType<Entitlements["resultAccess"]>>;

/** How long the owner's plan is cached: a page requests hundreds of tiles within seconds. */
const PLAN_LOOK_MS = 5_000;

/** What an owner's plan lets others see at `planTime`. Throws trial_ended or subscription_expired. */
export function planOfOwner(
  entitlements: Entitlements,
  clock: Clock,
): (owner: string, planTime: Date) => Promise<Access> {
  const remembered = rememberFor(PLAN_LOOK_MS, clock, (owner: string) =>
    entitlements.resultAccess(owner),
  );
  return async (owner, planTime) => {
    const access = await remembered(owner);
    if (access.seenUntil > planTime) return access;
    // Check again before refusing: a plan may have been bought since the last check.
    const now = await entitlements.resultAccess(owner);
    if (now.seenUntil <= planTime) throw new ApiError(now.refusal);
    return now;
  };
}

/** Caches the results of `load` by key for `ms`. The cache is emptied when it grows beyond 1,000 keys. */
function rememberFor<T>(
  ms: number,
  clock: Clock,
  load: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const seen = new Map<string, { at: number; value: T }>();
  return async (key) => {
    const now = clock.now().getTime();
    const known = seen.get(key);
    if (known && Math.abs(now - known.at) < ms) return known.value;
    const value = await load(key);
    if (seen.size > 1000) seen.clear();
    seen.set(key, { at: now, value });
    return value;
  };
}
