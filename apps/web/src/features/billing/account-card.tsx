import { useSession } from "../../app/session.ts";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { PROFILE_TEXTS as TEXTS } from "./texts.ts";
import { planType } from "../../app/subscription/usage.ts";

export function AccountCard() {
  const { user, verified } = useSession();
  return (
    <Card title={TEXTS.account}>
      <dl className="space-y-4">
        <div>
          <dt className="text-ink-3">{TEXTS.email}</dt>
          <dd className="mt-0.5 font-medium break-all">{user.email}</dd>
        </div>
        <div>
          <dt className="text-ink-3">{TEXTS.plan}</dt>
          <dd className="mt-0.5 font-medium">
            {verified ? planType(user) : <Skeleton className="h-5 w-32" />}
          </dd>
        </div>
        <div>
          <dt className="text-ink-3">{TEXTS.spots}</dt>
          <dd className="mt-0.5 font-medium">
            {verified ? (
              user.total_spots.toLocaleString("en-US")
            ) : (
              <Skeleton className="h-5 w-20" />
            )}
          </dd>
        </div>
      </dl>
    </Card>
  );
}
