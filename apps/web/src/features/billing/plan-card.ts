import type { Plan } from "@stipple/contract/business/plans";
import { wholeDollars } from "../../app/dollars.ts";
import { PRICING_TEXTS as TEXTS } from "./texts.ts";

/** Text of a plan's price card. */
export function planCard(plan: Plan) {
  return {
    title: plan.title,
    price: wholeDollars(plan.priceCents / 100),
    priceNote: plan.billing === "monthly" ? TEXTS.perMonth : TEXTS.oneTime,
    points: [
      TEXTS.analyses(plan.analyses),
      TEXTS.storage(plan.retentionLabel),
      TEXTS.room(plan.storageGb),
      ...TEXTS.included,
    ],
    highlighted: plan.highlighted,
  };
}
