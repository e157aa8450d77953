/** Which of some genes a sample has. */
export interface MatchedGenes {
  /** As the sample names them, in the order of the list, each once. */
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

/** The genes named in a pasted text, separated by anything but letters, digits, and . - _. */
export function genesInText(text: string, genes: readonly string[]): MatchedGenes {
  return geneMatcher(genes)(text.split(/[^\p{L}\p{N}._-]+/u).filter(Boolean));
}
