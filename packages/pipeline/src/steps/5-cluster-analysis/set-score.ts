import type { ResolvedSet } from "../../types/resolve-sets.ts";

/** Σ₊ w z/√n − Σ₋ w z/√n, where absent genes count only if expressed above average. */
export function setScore(resolved: ResolvedSet, z: (gene: number) => number): number {
  return part(resolved.present, z) - part(resolved.absent, (gene) => Math.max(0, z(gene)));
}

function part(genes: ResolvedSet["present"], z: (gene: number) => number): number {
  let sum = 0;
  for (const { gene, weight } of genes) sum += weight * z(gene);
  return sum / lengthOf(genes);
}

/** √Σw²: equals √n if all weights are 1, so that genes with little weight do not dilute the others. */
export function lengthOf(genes: ResolvedSet["present"]): number {
  let squares = 0;
  for (const { weight } of genes) squares += weight * weight;
  return squares > 0 ? Math.sqrt(squares) : 1;
}
