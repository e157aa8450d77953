import { PLANS, type Plan } from "@stipple/contract/business/plans";
import { useState } from "react";
import { useLocation } from "wouter";
import { notifyAlert } from "../../app/notify-alert.ts";
import { endSession, useSession, refreshSession } from "../../app/session.ts";
import { storedToken } from "../../app/token.ts";
import { useNow } from "../../app/use-now.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { PRICING_TEXTS as TEXTS } from "./texts.ts";
import { noteBeforeCheckout } from "./awaited-change.ts";
import { CheckoutError, openCheckout } from "./checkout.ts";
import { planAction } from "./plan-action.ts";
import { PlanOffer } from "./plan-offer.tsx";
import { PriceCard } from "./price-card.tsx";
import { downgradeSubscription } from "@stipple/contract/routes/billing";
import { api } from "../../app/api.ts";
import { longDate } from "../../app/long-date.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";

/** How often the cards check that the token still exists, ms: another tab may have signed out. */
const TOKEN_POLL_MS = 1_000;

export function PricingPage() {
  usePageTitle(TEXTS.title);
  const { user } = useSession();
  const [, navigate] = useLocation();
  const [opening, setOpening] = useState<string | null>(null);
  const [downgradeTo, setDowngradeTo] = useState<Plan | null>(null);
  useNow(TOKEN_POLL_MS);

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

/** Asks before a lower tier is scheduled for the end of the period; open while `plan` is set. */
function DowngradeDialog({ plan, onClose }: { plan: Plan | null; onClose: () => void }) {
  const { user } = useSession();
  const [busy, setBusy] = useState(false);

  const confirm = async (): Promise<void> => {
    if (plan === null) return;
    setBusy(true);
    try {
      const answer = await api(downgradeSubscription, { body: { target_tier: plan.tier } });
      onClose();
      notifyAlert(TEXTS.downgradeScheduled(longDate(answer.effective_date)));
      await refreshSession();
    } catch {
      notifyAlert(TEXTS.downgradeFailed);
    } finally {
      setBusy(false);
    }
  };

  const end = user.subscription_end_date;
  return (
    <ConfirmDialog
      open={plan !== null}
      onClose={onClose}
      title={TEXTS.downgradeTitle(plan?.title ?? "")}
      description={[
        TEXTS.downgradeText(end ? longDate(end) : null),
        ...(user.subscription_status === "cancelled" ? [TEXTS.downgradeTakesBack] : []),
      ].join(" ")}
      action={TEXTS.confirmDowngrade}
      cancel={TEXTS.keep}
      tone="primary"
      busy={busy}
      onConfirm={() => void confirm()}
    />
  );
}
