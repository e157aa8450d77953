import { PLANS, type Plan } from "@stipple/contract/business/plans";
import { useState } from "react";
import { useLocation } from "wouter";
import { notifyAlert } from "../../app/notify-alert.ts";
import { endSession, useSession } from "../../app/session.ts";
import { storedToken } from "../../app/token.ts";
import { useNow } from "../../app/use-now.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { PRICING_TEXTS as TEXTS } from "./texts.ts";
import { noteBeforeCheckout } from "./awaited-change.ts";
import { CheckoutError, openCheckout } from "./checkout.ts";
import { DowngradeDialog } from "./downgrade-dialog.tsx";
import { planAction } from "./plan-action.ts";
import { PlanOffer } from "./plan-offer.tsx";
import { PriceCard } from "./price-card.tsx";

/** How often the cards check that the token still exists, ms: another tab may have signed out. */
const TOKEN_LOOK_MS = 1_000;

export function PricingPage() {
  usePageTitle(TEXTS.title);
  const { user } = useSession();
  const [, navigate] = useLocation();
  const [opening, setOpening] = useState<string | null>(null);
  const [downgradeTo, setDowngradeTo] = useState<Plan | null>(null);
  useNow(TOKEN_LOOK_MS);

  const choose = async (plan: Plan): Promise<void> => {
    const { does } = planAction(plan, storedToken() !== null, user);
    if (does === "login") {
      notifyAlert(TEXTS.pleaseLogin);
      endSession();
      return navigate("/login");
    }
    if (does === "downgrade") return setDowngradeTo(plan);
    if (does === "nothing") return;
    setOpening(plan.title);
    try {
      const url = await openCheckout(plan.title);
      noteBeforeCheckout(user);
      window.location.assign(url);
    } catch (error) {
      setOpening(null);
      notifyAlert(error instanceof CheckoutError ? error.message : TEXTS.paymentFailed);
    }
  };

  return (
    <Page title={TEXTS.title} text={TEXTS.text}>
      <div className="grid gap-x-4 gap-y-6 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
        {PLANS.map((plan) => (
          <PlanOffer
            key={plan.tier}
            plan={plan}
            opening={opening}
            onChoose={() => void choose(plan)}
          />
        ))}
        <PriceCard
          title={TEXTS.customTitle}
          price={TEXTS.customPrice}
          priceNote={TEXTS.customPriceNote}
          points={TEXTS.customPoints}
        >
          <ButtonLink to="/contact" className="w-full">
            {TEXTS.customAction}
          </ButtonLink>
        </PriceCard>
      </div>
      <p className="mt-6 text-center text-ink-3">{TEXTS.note}</p>
      <DowngradeDialog plan={downgradeTo} onClose={() => setDowngradeTo(null)} />
    </Page>
  );
}
