import { TISSUES, type Tissue } from "./marker-set.ts";

/** Alternative names that people use for the tissues. */
const OTHER_NAMES: Readonly<Record<string, Tissue>> = {
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
export function knownTissue(name: string): Exclude<Tissue, "any"> | undefined {
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
