/** Sentences for an account that has no analysis left. */
export const QUOTA_TEXTS = {
  used: (limit: number): string =>
    limit === 1
      ? "You have used your plan's analysis"
      : `You have used all ${limit} analyses of your plan`,
  usedText:
    "A new project can be created, but not analyzed, until you choose a plan. The sample dataset and further runs of your analyzed projects stay free.",
  renewedText: (date: string): string =>
    `You get new analyses when your plan renews on ${date}, or now with another plan. The sample dataset and further runs of your analyzed projects stay free.`,
  expired: "Your plan has expired",
  expiredText: "A new project can be created, but not analyzed, until you choose a plan.",
  seePlans: "See plans",
};
