/** A type that a segmented nucleus cannot be, but for some tissues. */
interface WithoutNucleus {
  name: string;
  /** Tissues in which its nucleated forms are common. */
  nucleatedIn: readonly string[];
}

/**
 * Cells that have no nucleus when they are mature. What is said of them:
 * red cells lose theirs in the bone marrow and circulate without it in adult mammals, while embryonic and placental
 * blood holds nucleated ones (Palis 2014, Front Physiol 5:3); platelets are pieces of megakaryocytes, which stay in the
 * marrow and the lung (Machlus & Italiano 2013, J Cell Biol 201:785).
 */
const WITHOUT_NUCLEUS: readonly WithoutNucleus[] = [
  { name: "Erythroid", nucleatedIn: ["bone", "placenta", "embryo"] },
  { name: "Platelet", nucleatedIn: ["bone", "placenta", "embryo", "lung"] },
];

/** Whether a cell that was found by its nucleus can hardly be of this type. */
export function hasNoNucleus(name: string, tissue: string): boolean {
  return WITHOUT_NUCLEUS.some((type) => type.name === name && !type.nucleatedIn.includes(tissue));
}
