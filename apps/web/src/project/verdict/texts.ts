/** Words around the verdict; its sentences come from the analysis. */
export const verdictTexts = {
  title: "How much you can trust these results",
  pill: (grade: string) => `Reliability: ${grade}`,
  show: (grade: string) => `Reliability: ${grade}. Show why`,
  dismiss: "Hide the reliability notice",
  /** What to do with good results. */
  next: "Before you draw conclusions from a gene, look up its expected correlation in the report.",
  details: "Show all checks",
} as const;
