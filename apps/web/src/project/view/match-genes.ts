/** Which of some genes a sample has. */
export interface MatchedGenes {
  /** As the sample names them, in the order of the list, each once. */
  known: readonly string[];
  unknown: readonly string[];
}

/**
 * Finds a name among a sample's genes; case-insensitive unless two genes differ only by case. Opening is O(genes).
 */
export function geneFinder(genes: readonly string[]): (name: string) => string | undefined {
  const exact = new Set(genes);
  const byLower = new Map<string, string>();
  for (const gene of genes) {
    const lower = gene.toLowerCase();
    if (!byLower.has(lower)) byLower.set(lower, gene);
  }
  return (name) => (exact.has(name) ? name : byLower.get(name.toLowerCase()));
}

/** Finds names as `geneFinder` does. Each list takes O(its names). */
export function geneMatcher(genes: readonly string[]): (names: readonly string[]) => MatchedGenes {
  const find = geneFinder(genes);
  return (names) => {
    const known = new Set<string>();
    const unknown = new Set<string>();
    for (const name of names) {
      const gene = find(name);
      if (gene === undefined) unknown.add(name);
      else known.add(gene);
    }
    return { known: [...known], unknown: [...unknown] };
  };
}

/**
 * The names in a pasted text: what stands between blanks, commas, and semicolons if the sample has such a gene
 * ("si:dkey-21h14.12", "Su(var)3-9"), otherwise what is separated by anything but letters, digits, and . - _.
 */
export function geneWords(text: string, isKnown: (name: string) => boolean): string[] {
  return text
    .split(/[\s,;]+/)
    .flatMap((part) => {
      const bare = part.replaceAll(/^["'[({]+|["'\])}]+$/g, "");
      return [part, bare].find(isKnown) ?? part.split(/[^\p{L}\p{N}._-]+/u);
    })
    .filter(Boolean);
}

/** The genes named in a pasted text (see `geneWords`). */
export function genesInText(text: string, genes: readonly string[]): MatchedGenes {
  const find = geneFinder(genes);
  return geneMatcher(genes)(geneWords(text, (name) => find(name) !== undefined));
}
