import type { Plan } from "@stipple/contract/business/plans";
import { PRICING_TEXTS as TEXTS } from "../../texts/billing.ts";

const DOLLARS = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});

/** What a price card says of its plan. */
export function planCard(plan: Plan) {
  return {
    title: plan.title,
    price: DOLLARS.format(plan.priceCents / 100),
    priceNote: plan.billing === "monthly" ? TEXTS.perMonth : TEXTS.oneTime,
    points: [TEXTS.analyses(plan.analyses), TEXTS.storage(plan.retentionLabel), ...TEXTS.included],
    highlighted: plan.highlighted,
  };
}
