/** Sentences for an account that has no analysis left. */
export const QUOTA_TEXTS = {
  used: (limit: number): string =>
    limit === 1
      ? "You have used your plan's analysis"
      : `You have used all ${limit} analyses in your plan`,
  usedText:
    "You can create new projects but not analyze them until you choose a plan. The sample dataset and reruns of analyzed projects remain free.",
  renewedText: (date: string): string =>
    `You get new analyses when your plan renews on ${date}, or now with another plan. The sample dataset and reruns of analyzed projects remain free.`,
  expired: "Your plan has expired",
  expiredText: "You can create new projects but not analyze them until you choose a plan.",
  seePlans: "See plans",
};
