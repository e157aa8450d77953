/** Which of some genes a sample has. */
export interface MatchedGenes {
  /** As the sample names them, each once. */
  known: readonly string[];
  unknown: readonly string[];
}

/**
 * Finds names among a sample's genes; case-insensitive unless two genes differ only by case. Opening is O(genes), each
 * list O(its names).
 */
export function geneMatcher(genes: readonly string[]): (names: readonly string[]) => MatchedGenes {
  const exact = new Set(genes);
  const byLower = new Map<string, string>();
  for (const gene of genes) {
    const lower = gene.toLowerCase();
    if (!byLower.has(lower)) byLower.set(lower, gene);
  }
  return (names) => {
    const known = new Set<string>();
    const unknown = new Set<string>();
    for (const name of names) {
      const gene = exact.has(name) ? name : byLower.get(name.toLowerCase());
      if (gene === undefined) unknown.add(name);
      else known.add(gene);
    }
    return { known: [...known], unknown: [...unknown] };
  };
}

type Style = "human" | "mouse";

/** Names enough to tell how they are written. */
const MIN_NAMES = 10;
const CLEARLY = 0.7;

/** How most of these symbols are written: CD3E as in human, Cd3e as in mouse; null if neither, or too few. */
function styleOf(names: readonly string[]): Style | null {
  // Ensembl IDs and numbers tell nothing.
  const symbols = names.filter((name) => /^[a-z]{2}/i.test(name) && !/^ens[a-z]*\d{6}/i.test(name));
  if (symbols.length < MIN_NAMES) return null;
  const human = symbols.filter((name) => name === name.toUpperCase()).length;
  const mouse = symbols.filter((name) => /^[A-Z][a-z0-9-]*[a-z]/.test(name)).length;
  if (human >= CLEARLY * symbols.length) return "human";
  return mouse >= CLEARLY * symbols.length ? "mouse" : null;
}

/** The species as which names are written, where the sample's genes are written as of another; null otherwise. */
export function otherSpecies(
  names: readonly string[],
  genes: readonly string[],
): { list: Style; sample: Style } | null {
  const [list, sample] = [styleOf(names), styleOf(genes)];
  return list && sample && list !== sample ? { list, sample } : null;
}
