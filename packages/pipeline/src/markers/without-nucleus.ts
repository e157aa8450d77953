import type { Tissue } from "./marker-set.ts";

/** A type that a segmented nucleus cannot be, except in some tissues. */
interface WithoutNucleus {
  name: string;
  /** Tissues in which its nucleated precursors are found. */
  nucleatedIn: readonly Tissue[];
}

/**
 * Cells that have no nucleus when mature. Mammalian red cells circulate without one after birth; those of the early
 * embryo are nucleated (Palis 2014, Front Physiol 5:3). Their precursors mature in the marrow, and in young mice also
 * in spleen and liver (Blood Adv 2021, 5:16). Platelets are fragments of megakaryocytes, which reside in the marrow
 * (Schulze & Stegner 2018, Res Pract Thromb Haemost 2:461) and also reach the vessels of the lung (Fuentes 2010, J Clin
 * Invest 120:3917).
 */
const WITHOUT_NUCLEUS: readonly WithoutNucleus[] = [
  { name: "Erythroid", nucleatedIn: ["bone", "lymphoid", "liver", "placenta", "embryo"] },
  { name: "Platelet", nucleatedIn: ["bone", "lymphoid", "liver", "placenta", "embryo", "lung"] },
];

/** Whether a cell detected by its nucleus is unlikely to be of this type. */
export function hasNoNucleus(name: string, tissue: string): boolean {
  return WITHOUT_NUCLEUS.some(
    (type) => type.name === name && !type.nucleatedIn.some((known) => known === tissue),
  );
}
