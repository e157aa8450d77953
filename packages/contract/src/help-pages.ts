/** The help pages in reading order: /help/<name> shows docs/guide/<name>.md. */
export const HELP_PAGE_NAMES = [
  "prepare-files",
  "steps",
  "verdict",
  "regions",
  "nuclei",
  "other-programs",
  "clusters-and-genes",
  "studies",
  "annotations",
  "figures",
  "glossary",
] as const;
export type HelpPageName = (typeof HELP_PAGE_NAMES)[number];
