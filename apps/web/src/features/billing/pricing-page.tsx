import { PLANS, tierName, type Plan } from "@stipple/contract/business/plans";
import { useState } from "react";
import { useLocation } from "wouter";
import { longDate } from "../../app/long-date.ts";
import { notifyAlert } from "../../app/notify-alert.ts";
import { endSession, useSession } from "../../app/session.ts";
import { storedToken } from "../../app/token.ts";
import { useNow } from "../../app/use-now.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { PRICING_TEXTS as TEXTS } from "./texts.ts";
import { noteBeforeCheckout } from "./awaited-change.ts";
import { CheckoutError, openCheckout } from "./checkout.ts";
import { DowngradeDialog } from "./downgrade-dialog.tsx";
import { planAction } from "./plan-action.ts";
import { planCard } from "./plan-card.ts";
import { PriceCard } from "./price-card.tsx";
import { UndoDowngrade } from "./undo-downgrade.tsx";
import { UpgradeNote } from "./upgrade-note.tsx";

/** How often the cards check that the token still exists, ms: another tab may have signed out. */
const TOKEN_LOOK_MS = 1_000;

export function PricingPage() {
  usePageTitle(TEXTS.title);
  const { user, verified } = useSession();
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
        {PLANS.map((plan: Plan) => {
          const action = planAction(plan, storedToken() !== null, user);
          const current = action.does === "nothing";
          const next = user.scheduled_downgrade;
          const isNext = next?.tier === plan.tier;
          const isBarred = action.does === "downgrade" && next !== null && !isNext;
          const replaces =
            action.does === "checkout" &&
            plan.billing === "monthly" &&
            user.stripe_subscription_id !== null &&
            user.subscription_status !== "expired";
          return (
            <PriceCard
              key={plan.tier}
              {...planCard(plan)}
              pill={
                current ? (
                  <StatusPill tone="ok">{TEXTS.currentPlan}</StatusPill>
                ) : (
                  isNext && <StatusPill tone="info">{TEXTS.scheduled}</StatusPill>
                )
              }
            >
              {current && (
                <p id={`why-${plan.tier}`} className="mb-3 text-[0.8125rem] text-ink-3">
                  {next
                    ? TEXTS.changesTo(tierName(next.tier), longDate(next.effective_date))
                    : TEXTS.disabledBecause}
                </p>
              )}
              {isNext && (
                <p className="mb-3 text-[0.8125rem] text-ink-2">
                  {TEXTS.startsOn(longDate(next.effective_date))}
                </p>
              )}
              {isBarred && (
                <p id={`why-${plan.tier}`} className="mb-3 text-[0.8125rem] text-ink-3">
                  {TEXTS.scheduledAlready(tierName(next.tier))}
                </p>
              )}
              {replaces && <UpgradeNote plan={plan} id={`why-${plan.tier}`} />}
              {current && next && <UndoDowngrade className="mb-2 w-full" />}
              <Button
                variant={plan.highlighted && !current ? "primary" : "secondary"}
                className="w-full"
                disabled={current || isNext || isBarred || !verified || opening !== null}
                busy={opening === plan.title}
                aria-describedby={current || isBarred || replaces ? `why-${plan.tier}` : undefined}
                onClick={() => void choose(plan)}
              >
                {action.label}
              </Button>
            </PriceCard>
          );
        })}
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
