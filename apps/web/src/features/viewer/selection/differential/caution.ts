import type { CellSet, Criterion } from "@stipple/viewer/cells";

/** What to keep in mind about a comparison, by how its cells were chosen. */
export type Caution = "expression" | "place" | "quality" | "unknown";

/**
 * The caution for comparing `a` with `b` (null = all other cells). Cells chosen by expression differ by design, unless
 * the same choice was made on both sides, as in "T cells here against T cells there".
 */
export function cautionOf(a: CellSet, b: CellSet | null): Caution {
  const ofB = b ? b.chosenBy : a.chosenBy;
  if (!a.chosenBy || !ofB) return "unknown";
  const all = [...a.chosenBy, ...ofB];
  const alike = b !== null && expressionOf(a.chosenBy) === expressionOf(ofB);
  if (all.some(isExpression) && !(alike && all.includes("place"))) return "expression";
  if (all.includes("place")) return "place";
  return all.includes("quality") ? "quality" : "unknown";
}

function isExpression(criterion: Criterion): boolean {
  return criterion.startsWith("expression");
}

function expressionOf(chosenBy: readonly Criterion[]): string {
  return chosenBy.filter(isExpression).sort().join();
}
