import { Suspense } from "react";
import { lazyPart } from "../app/load-code.ts";
import { Page } from "../components/page.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { usePageTitle } from "../app/use-page-title.ts";
import { PROFILE_TEXTS as TEXTS } from "../features/billing/texts.ts";
import { SecurityCard } from "../features/accounts/security-card.tsx";
import { AccountCard } from "../features/billing/account-card.tsx";
import { SubscriptionCard } from "../features/billing/subscription-card.tsx";
import { TransactionHistory } from "../features/billing/transaction-history.tsx";

const SignInSecurity = lazyPart(
  () => import("../features/accounts/security/sign-in-security.tsx"),
  "SignInSecurity",
);

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
            <SignInSecurity />
          </Suspense>
        </div>
      </div>
    </Page>
  );
}
