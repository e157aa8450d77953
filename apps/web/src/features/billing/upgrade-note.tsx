import type { Plan } from "@stipple/contract/business/plans";
import { planPreview } from "@stipple/contract/routes/billing";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../app/api.ts";
import { dollars } from "../../app/dollars.ts";
import { useSession } from "../../app/session.ts";
import { PRICING_TEXTS as TEXTS } from "./texts.ts";

/** Shown before a plan replaces the current one: what is charged today, and what happens to the old plan. */
export function UpgradeNote({ plan, id }: { plan: Plan; id: string }) {
  const { user } = useSession();
  const { data } = useQuery({
    queryKey: ["plan-preview", plan.title, user.stripe_subscription_id],
    queryFn: ({ signal }) => api(planPreview, { body: { plan: plan.title }, signal }),
    // The credit shrinks every second; a figure up to a minute old is accurate enough.
    staleTime: 60_000,
    retry: false,
  });
  return (
    <p id={id} className="mb-3 min-h-15 text-[0.8125rem] text-ink-2">
      {data?.ends &&
        TEXTS.upgrade(
          dollars(data.charged_today),
          data.ends.plan,
          data.ends.credit > 0 ? dollars(data.ends.credit) : null,
        )}
    </p>
  );
}
