/**
 * The genes named in a pasted text, separated by anything but letters, digits, and . - _, in order and each once;
 * case-insensitive unless two genes differ only by case. `unknown`: words that are not genes in the sample.
 */
export function genesInText(
  text: string,
  genes: readonly string[],
): { known: string[]; unknown: string[] } {
  const exact = new Set(genes);
  const byLower = new Map<string, string>();
  for (const gene of genes) {
    const lower = gene.toLowerCase();
    if (!byLower.has(lower)) byLower.set(lower, gene);
  }
  const known = new Set<string>();
  const unknown = new Set<string>();
  for (const word of text.split(/[^\p{L}\p{N}._-]+/u).filter(Boolean)) {
    const gene = exact.has(word) ? word : byLower.get(word.toLowerCase());
    if (gene) known.add(gene);
    else unknown.add(word);
  }
  return { known: [...known], unknown: [...unknown] };
}
