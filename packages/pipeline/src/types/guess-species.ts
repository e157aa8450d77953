export type Species = "human" | "mouse" | "unknown";

/** With fewer informative genes, or a smaller majority of them, the species is unknown. */
const MIN_GENES = 5;
const MAJORITY = 0.7;

/**
 * Guesses the species from Ensembl IDs if there are any, otherwise from the case of symbols: all capitals in human
 * (CD3D, MT-CO1), one capital in mouse (Cd3d, mt-Co1). Symbols without two consecutive letters are uninformative.
 * O(genes).
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
