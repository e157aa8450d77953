/** Tissues with their own cell types. */
export const TISSUES = [
  "bladder",
  "bone",
  "brain",
  "breast",
  "embryo",
  "heart",
  "intestine",
  "kidney",
  "liver",
  "lung",
  "lymphoid",
  "ovary",
  "pancreas",
  "placenta",
  "prostate",
  "retina",
  "skeletal muscle",
  "skin",
  "stomach",
  "testis",
  "thyroid",
  "uterus",
] as const;
export type KnownTissue = (typeof TISSUES)[number];

/** Alternative names that people use for the tissues. */
const OTHER_NAMES: Readonly<Record<string, KnownTissue>> = {
  colon: "intestine",
  bowel: "intestine",
  gut: "intestine",
  "small intestine": "intestine",
  "large intestine": "intestine",
  "lymph node": "lymphoid",
  tonsil: "lymphoid",
  spleen: "lymphoid",
  muscle: "skeletal muscle",
  cortex: "brain",
  hypothalamus: "brain",
  hippocampus: "brain",
  fetus: "embryo",
  eye: "retina",
  cartilage: "bone",
  endometrium: "uterus",
  "mammary gland": "breast",
};

/** The tissue that a name refers to, in any case; undefined if there is none of this name. */
export function knownTissue(name: string): KnownTissue | undefined {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[-_ ]+/g, " ");
  const meant = Object.hasOwn(OTHER_NAMES, plain) ? OTHER_NAMES[plain] : plain;
  return TISSUES.find((tissue) => tissue === meant);
}

/** What to tell a user who gave another name. */
export function tissueNames(): string {
  return `${TISSUES.join(", ")} (colon, lymph node, tonsil, spleen and muscle also work)`;
}
