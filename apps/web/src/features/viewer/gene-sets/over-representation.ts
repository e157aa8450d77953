import { adjustForFalseDiscovery } from "@stipple/numerics/false-discovery";

/** A list's share in some chosen genes, compared with chance. */
export interface Representation {
  name: string;
  /** Genes of the list in the background, and among the chosen ones. */
  size: number;
  shared: readonly string[];
  /** Times as many as expected by chance. */
  fold: number;
  /** P(at least as many by chance), hypergeometric. */
  p: number;
  /** Benjamini–Hochberg over the tested lists. */
  fdr: number;
}

/**
 * Lists with more genes among the chosen ones than expected if each gene of the background were equally likely to be
 * chosen, by p. Lists without a gene in the background are not tested. O(genes of the lists + lists · chosen).
 */
export function overRepresentation(
  lists: readonly { name: string; genes: readonly string[] }[],
  chosen: readonly string[],
  background: readonly string[],
): Representation[] {
  const all = new Set(background);
  const taken = new Set(chosen.filter((gene) => all.has(gene)));
  const upper = hypergeometricTail(all.size, taken.size);
  const tested = lists.flatMap(({ name, genes }) => {
    const inside = [...new Set(genes)].filter((gene) => all.has(gene));
    if (inside.length === 0) return [];
    const shared = inside.filter((gene) => taken.has(gene));
    const expected = (inside.length * taken.size) / all.size;
    return [
      {
        name,
        size: inside.length,
        shared,
        fold: expected > 0 ? shared.length / expected : NaN,
        p: upper(inside.length, shared.length),
      },
    ];
  });
  const fdr = adjustForFalseDiscovery(tested.map(({ p }) => p));
  return tested
    .map((one, at) => ({ ...one, fdr: fdr[at]! }))
    .sort((a, b) => a.p - b.p || b.fold - a.fold);
}

/** P(X ≥ shared), X = how many of `size` marked genes are among `drawn` of `all`. */
export function hypergeometricTail(
  all: number,
  drawn: number,
): (size: number, shared: number) => number {
  const logFactorial = new Float64Array(all + 1);
  for (let n = 2; n <= all; n++) logFactorial[n] = logFactorial[n - 1]! + Math.log(n);
  const choose = (n: number, k: number): number =>
    logFactorial[n]! - logFactorial[k]! - logFactorial[n - k]!;
  return (size, shared) => {
    const least = Math.max(0, size + drawn - all);
    if (shared <= least) return 1;
    let sum = 0;
    for (let k = Math.min(size, drawn); k >= shared; k--) {
      sum += Math.exp(choose(size, k) + choose(all - size, drawn - k) - choose(all, drawn));
    }
    return Math.min(1, sum);
  };
}
