import { counted } from "@stipple/contract/counted";
import type { ListedReference } from "@stipple/contract/routes/references";

/** Texts about references that are offered: built in, the operator's, and a person's own. */
export const referenceTexts = {
  choose: "Kept reference",
  hint: "Condensed profiles of labeled cells, by tissue. Choose one of your tissue and species.",
  none: "None",
  option: ({ name, species, is_own, is_built_in }: ListedReference) =>
    `${name} (${species}${is_own ? ", yours" : is_built_in ? ", built in" : ""})`,
  facts: ({ labels, cells }: ListedReference) =>
    `${counted(cells, "cell")}, ${counted(labels.length, "label")}: ${labels.join(", ")}`,
  source: "Source",
  citation: "Citation",
  license: "License",
  used: (name: string) => `This project now uses the reference ${name}.`,
  useFailed: (reason: string) => `The reference could not be used: ${reason}`,
  noAnswer: "the server did not respond.",
  remove: "Remove from kept references",
  removed: (name: string) => `Removed ${name}. Projects that use it keep their copy.`,
  removeFailed: (reason: string) => `The reference could not be removed: ${reason}`,
  keep: "Keep this reference",
  keepHint:
    "We keep a profile for each label, not the cells, so you can use it in other projects. The file needs raw counts.",
  name: "Name",
  tissue: "Tissue",
  tissuePlaceholder: "e.g. pancreas",
  labels: "Column of labels",
  labelsPlaceholder: "if we don't recognize it",
  optional: "optional",
  save: "Keep",
  cancel: "Cancel",
  kept: (name: string) => `${name} is kept for your other projects.`,
  keepFailed: "The reference could not be kept.",
} as const;
