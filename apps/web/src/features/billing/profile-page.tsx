import { lazy, Suspense } from "react";
import { loadCode } from "../../app/load-code.ts";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { usePageTitle } from "../../app/use-page-title.ts";
import { PROFILE_TEXTS as TEXTS } from "../../texts/billing.ts";
import { SecurityCard } from "../accounts/security-card.tsx";
import { AccountCard } from "./account-card.tsx";
import { SubscriptionCard } from "./subscription-card.tsx";
import { TransactionHistory } from "./transaction-history.tsx";

const AccountSafety = lazy(async () => ({
  default: (await loadCode(() => import("../accounts/safety/account-safety.tsx"))).AccountSafety,
}));

export function ProfilePage() {
  usePageTitle(TEXTS.title);
  return (
    <Page title={TEXTS.title}>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_2fr]">
        <AccountCard />
        <SubscriptionCard />
        <div className="lg:col-span-2">
          <TransactionHistory />
        </div>
        <div className="lg:col-span-2">
          <SecurityCard />
        </div>
        <div className="lg:col-span-2">
          <Suspense fallback={<Skeleton className="h-96" />}>
            <AccountSafety />
          </Suspense>
        </div>
      </div>
    </Page>
  );
}
