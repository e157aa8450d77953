import type { VerdictTopic } from "@stipple/contract/verdict";

/** Words around the verdict; its sentences come from the analysis. */
export const verdictTexts = {
  title: "How far to trust these results",
  pill: (grade: string) => `Reliability: ${grade}`,
  show: (grade: string) => `Reliability: ${grade}. Show why`,
  dismiss: "Hide the reliability notice",
  details: "Why",
  next: "What to do next",
  topics: {
    genes: "Genes",
    heldout: "Held-out spots",
    cells: "Cells",
    types: "Cell types",
    registration: "Registration",
    image: "Image",
  } satisfies Record<VerdictTopic, string>,
} as const;
