import type { Plan } from "@stipple/contract";
import type { Mail } from "./mailer.ts";

export interface Payment {
  plan: Plan;
  amountCents: number;
  /** Whether it pays for a further period of a running plan. */
  renews: boolean;
  /** When it renews next; null for one-time plans. */
  until: Date | null;
}

type Content = Omit<Mail, "to">;

const DOLLARS = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const DAY = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
const MINUTE = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});
const dollars = (cents: number): string => DOLLARS.format(cents / 100);

export function paid(
  { plan, amountCents, renews, until }: Payment,
  { receipt, publicUrl }: { receipt: string | null; publicUrl: string },
): Content {
  const amount = dollars(amountCents);
  const isCredit = amountCents === 0;
  return {
    subject: isCredit
      ? `Stipple: ${plan.title} paid from your credit`
      : `Stipple: payment of ${amount} received`,
    text: [
      isCredit
        ? `Your credit covered ${plan.title}. Your card was not charged.`
        : `We received your payment of ${amount} for ${plan.title}. Thank you.`,
      renews
        ? `Your plan has been renewed${until ? ` until ${DAY.format(until)}` : ""}.`
        : until
          ? `Your plan renews on ${DAY.format(until)}. You can cancel it at any time on your profile page.`
          : `It adds ${plan.analyses === 1 ? "one analysis" : `${plan.analyses} analyses`}. Results are kept for ${plan.retentionDays} days.`,
      "",
      ...(receipt ? ["Receipt:", receipt, ""] : []),
      "All payments and receipts:",
      `${publicUrl}/profile`,
    ].join("\n"),
  };
}

export function renewalFailed(
  { plan, amountCents }: Pick<Payment, "plan" | "amountCents">,
  publicUrl: string,
): Content {
  return {
    subject: `Stipple: your ${plan.title} plan could not be renewed`,
    text: [
      `Your card could not be charged ${dollars(amountCents)} for ${plan.title}, so the plan is paused.`,
      "We will try again over the next few days. To continue now with another card, choose a plan:",
      `${publicUrl}/pricing`,
    ].join("\n"),
  };
}

export function cancelled(
  { plan, until }: { plan: Plan | undefined; until: Date },
  publicUrl: string,
): Content {
  return {
    subject: `Stipple: ${plan?.title ?? "your plan"} is canceled`,
    text: [
      `Your subscription${plan ? ` to ${plan.title}` : ""} is canceled. You won't be charged again.`,
      `You can use everything until ${DAY.format(until)}.`,
      "",
      "If you change your mind, reactivate it before then on your profile page:",
      `${publicUrl}/profile`,
    ].join("\n"),
  };
}

export function signedIn(
  { device, address, at }: { device: string; address: string; at: Date },
  publicUrl: string,
): Content {
  return {
    subject: "Stipple: new sign-in to your account",
    text: [
      "Someone signed in to your account from a browser that has not been used with it before:",
      `${device}, address ${address}, on ${MINUTE.format(at)} UTC.`,
      "",
      "If this was you, there is nothing to do. If not, change your password, which signs out everyone else:",
      `${publicUrl}/profile`,
    ].join("\n"),
  };
}
