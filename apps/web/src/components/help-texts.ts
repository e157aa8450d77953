import type { HelpPageName } from "@stipple/contract/help-pages";

/** Titles of the help pages; their text is in docs/guide/<name>.md. */
export const HELP_PAGES: Readonly<Record<HelpPageName, string>> = {
  "prepare-files": "Prepare your files",
  steps: "What each step does",
  verdict: "Read the verdict",
  regions: "Regions and distances",
  nuclei: "Correct the nuclei",
  "other-programs": "Continue in scanpy, Seurat, or QuPath",
  "clusters-and-genes": "Your own clusters and gene lists",
  studies: "Compare several samples",
  annotations: "Annotate your results",
  figures: "Figures for papers",
  glossary: "Glossary",
};

/** Sections of the glossary that a "?" leads to. */
export const GLOSSARY_SECTIONS = [
  "confidence",
  "counts",
  "detected-genes",
  "fdr",
  "lead-over-the-next-best-type",
  "protein",
  "rate",
  "rate-uncertainty",
  "reliable-gene",
] as const;
export type GlossarySection = (typeof GLOSSARY_SECTIONS)[number];

export const helpTexts = {
  title: "Help",
  lead: "Short pages about preparing your data, reading the results, and working with them.",
  pages: "Help pages",
  loading: "Loading…",
  /** Name of a "?" link, which opens a new tab. */
  about: (title: string) => `Help: ${title} (opens in a new tab)`,
} as const;
