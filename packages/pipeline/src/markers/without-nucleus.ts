import type { Tissue } from "./marker-set.ts";

/**
 * Cells that have no nucleus when mature, and the tissues where their nucleated precursors are found. Mammalian red cells
 * circulate without one after birth; those of the early embryo are nucleated (Palis 2014, Front Physiol 5:3). Their
 * precursors mature in the marrow, and in young mice also in spleen and liver (Blood Adv 2021, 5:16). Platelets are
 * fragments of megakaryocytes, which reside in the marrow (Schulze & Stegner 2018, Res Pract Thromb Haemost 2:461) and also
 * reach the vessels of the lung (Fuentes 2010, J Clin Invest 120:3917).
 */
const NUCLEATED_IN: Readonly<Record<string, readonly Tissue[]>> = {
  Erythroid: ["bone", "lymphoid", "liver", "placenta", "embryo"],
  Platelet: ["bone", "lymphoid", "liver", "placenta", "embryo", "lung"],
};

/** Whether a cell detected by its nucleus is unlikely to be of this type. */
export function hasNoNucleus(name: string, tissue: string): boolean {
  return Object.hasOwn(NUCLEATED_IN, name) && !NUCLEATED_IN[name].some((known) => known === tissue);
}
