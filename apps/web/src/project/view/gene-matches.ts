/**
 * Genes matching `text`: exact matches first, then prefix matches, then substring matches, each in the order of
 * `genes`; case-insensitive. Stops at `limit`. O(genes), about 1 ms for 36,000.
 */
export function geneMatches(genes: readonly string[], text: string, limit: number): string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return genes.slice(0, limit);
  const exact: string[] = [];
  const beginning: string[] = [];
  const containing: string[] = [];
  for (const gene of genes) {
    const at = gene.toLowerCase().indexOf(wanted);
    if (at < 0) continue;
    if (at > 0) {
      if (containing.length < limit) containing.push(gene);
    } else if (gene.length === wanted.length) exact.push(gene);
    else if (beginning.length < limit) beginning.push(gene);
  }
  return [...exact, ...beginning, ...containing].slice(0, limit);
}
