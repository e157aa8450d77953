export type Species = "human" | "mouse" | "unknown";

/** Fewer telling genes, or a smaller majority of them, leave the species open. */
const MIN_GENES = 5;
const MAJORITY = 0.7;

/**
 * Species by Ensembl ids where there are any, else by how symbols are written: all capitals in human (CD3D, MT-CO1),
 * one capital in mouse (Cd3d, mt-Co1). Symbols without two letters in a row are not informative. O(genes).
 */
export function guessSpecies(symbols: readonly string[], ids: readonly string[]): Species {
  const byId = majority(
    ids.filter((id) => /^ENSG\d/.test(id)).length,
    ids.filter((id) => /^ENSMUSG\d/.test(id)).length,
  );
  if (byId !== "unknown") return byId;
  return majority(
    symbols.filter((symbol) => /^[A-Z][A-Z0-9]*[A-Z][A-Z0-9]*(-|$|\d|[A-Z])/.test(symbol)).length,
    symbols.filter((symbol) => /^([A-Z][a-z]|mt-[A-Z])/.test(symbol)).length,
  );
}

function majority(human: number, mouse: number): Species {
  const all = human + mouse;
  if (all < MIN_GENES) return "unknown";
  if (human >= MAJORITY * all) return "human";
  return mouse >= MAJORITY * all ? "mouse" : "unknown";
}
