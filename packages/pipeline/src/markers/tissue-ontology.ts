import type { OntologyTerm } from "./cell-ontology.ts";
import type { Tissue } from "./marker-set.ts";

/** Tissues with their Uberon terms (release 2025-08-15). */
const TERMS: Readonly<Record<Exclude<Tissue, "any">, readonly [id: string, label: string]>> = {
  bladder: ["UBERON:0001255", "urinary bladder"],
  bone: ["UBERON:0002481", "bone tissue"],
  brain: ["UBERON:0000955", "brain"],
  breast: ["UBERON:0000310", "breast"],
  embryo: ["UBERON:0000922", "embryo"],
  heart: ["UBERON:0000948", "heart"],
  intestine: ["UBERON:0000160", "intestine"],
  kidney: ["UBERON:0002113", "kidney"],
  liver: ["UBERON:0002107", "liver"],
  lung: ["UBERON:0002048", "lung"],
  lymphoid: ["UBERON:0001744", "lymphoid tissue"],
  ovary: ["UBERON:0000992", "ovary"],
  pancreas: ["UBERON:0001264", "pancreas"],
  placenta: ["UBERON:0001987", "placenta"],
  prostate: ["UBERON:0002367", "prostate gland"],
  retina: ["UBERON:0000966", "retina"],
  "skeletal muscle": ["UBERON:0001134", "skeletal muscle tissue"],
  skin: ["UBERON:0002097", "skin of body"],
  stomach: ["UBERON:0000945", "stomach"],
  testis: ["UBERON:0000473", "testis"],
  thyroid: ["UBERON:0002046", "thyroid gland"],
  uterus: ["UBERON:0000995", "uterus"],
};

export function tissueOntologyTerm(tissue: Exclude<Tissue, "any">): OntologyTerm {
  const [id, label] = TERMS[tissue];
  return { id, label };
}
