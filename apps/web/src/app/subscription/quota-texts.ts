/** Sentences for an account that has no analysis left. */
export const QUOTA_TEXTS = {
  used: (limit: number): string =>
    limit === 1
      ? "You have used your plan's analysis"
      : `You have used all ${limit} analyses in your plan`,
  usedText:
    "You can create projects, but you need a plan to analyze them. The sample dataset and reruns of analyzed projects stay free.",
  renewedText: (date: string): string =>
    `You get new analyses when your plan renews on ${date}, or now with another plan. The sample dataset and reruns of analyzed projects stay free.`,
  expired: "Your plan has expired",
  expiredText: "You can create projects, but you need a plan to analyze them.",
  seePlans: "See plans",
};
