import { counted } from "@stipple/contract/counted";
import { figure } from "../exports/report/elements.ts";
import type { SpatialComparison, SpatialKind } from "./compare-in-space.ts";
import { MIN_EXPECTED_CELLS } from "./compare-composition.ts";
import type { Comparison } from "./compare-samples.ts";

/** Measures are called different at this false discovery rate. */
export const FDR = 0.05;

/** What a spatial comparison is called, what it measures, and how far to trust it. */
export const SPATIAL_TEXTS: Readonly<
  Record<
    SpatialKind,
    { title: string; measure: string; one: string; many: string; reliability: string }
  >
> = {
  neighbors: {
    title: "Which types are neighbors",
    measure: "log2 of neighbors over those by chance",
    one: "pair of types",
    many: "pairs of types",
    reliability:
      "Neighbors depend on the names of cells and on how cells were outlined; types that are hard to tell apart seem to be neighbors. Only pairs with at least 5 expected edges in every unit are compared.",
  },
  patterns: {
    title: "Which genes have a pattern",
    measure: "Moran's I",
    one: "gene",
    many: "genes",
    reliability:
      "Moran's I grows with the number of counts: a gene that is counted more often in one condition has a higher I there even if its pattern is the same. Compare its expression as well.",
  },
  together: {
    title: "Which types are together",
    measure: "log2 of the co-occurrence within about 100 µm",
    one: "pair of types",
    many: "pairs of types",
    reliability:
      "Co-occurrence depends on where the section was cut and on the names of cells. Pairs that are never together in some unit are left out.",
  },
};

/** What a spatial comparison found, in a sentence. */
export function spatialSentence(
  space: Exclude<SpatialComparison, { refusal: string }>,
  groups: readonly [string, string],
): string {
  const { one, many, measure } = SPATIAL_TEXTS[space.kind];
  const different = space.rows.filter(({ fdr }) => fdr < FDR);
  const [most] = space.rows.toSorted((a, b) => a.p - b.p);
  return `${different.length} of ${space.rows.length} ${space.rows.length === 1 ? one : many} ${different.length === 1 ? "differs" : "differ"} at a false discovery rate of 5%. Most certain: ${most.name} (${measure} ${figure(most.means[1])} in ${groups[1]}, ${figure(most.means[0])} in ${groups[0]}; p = ${figure(most.p)}).`;
}

/** Orders answers, the most certain first and those without a p-value last. */
export function byCertainty(a: { p: number }, b: { p: number }): number {
  return (Number.isNaN(a.p) ? 2 : a.p) - (Number.isNaN(b.p) ? 2 : b.p);
}

/** What was compared, what differs, and what was left out: a sentence each. */
export function comparisonSummary(comparison: Comparison): string[] {
  const { units, design, groups, region, composition, expression, notes } = comparison;
  const of = (group: string): number =>
    design.units.filter((i) => units[i].condition === group).length;
  const shares = composition.filter(({ logOdds }) => !Number.isNaN(logOdds));
  const changed = shares.filter(({ fdr }) => fdr < FDR).length;
  // The last one is of all cells together.
  const ofTypes = expression.slice(0, -1);
  const tested = ofTypes.flatMap((type) => ("refusal" in type ? [] : [type.genes]));
  const genes = tested.flat().filter(({ fdr }) => fdr < FDR).length;
  return [
    `${of(groups[1])} units of ${groups[1]} are compared with ${of(groups[0])} of ${groups[0]}; a unit is a patient under a condition. Model: ${design.terms.join(" + ")}.`,
    ...(region === null ? [] : [`Only cells in the regions called "${region}" are compared.`]),
    `The share of ${changed} of ${shares.length} cell types differs at a false discovery rate of 5%.`,
    `Expression was compared in ${tested.length} of ${ofTypes.length} types; ${counted(genes, "gene")} of a type ${genes === 1 ? "differs" : "differ"} at a false discovery rate of 5%.`,
    ...notes,
  ];
}

export const COMPOSITION_RELIABILITY = `Shares depend on the names of cells and on which part of the tissue was cut; if one type grows, all others shrink. Look at the confidence of the names, and at whether sections show the same regions. Only types with at least ${MIN_EXPECTED_CELLS} expected cells in every unit are compared.`;
export const EXPRESSION_RELIABILITY =
  "Where a spot covers several cells, the model shares its counts among them: a gene that differs in one type can also seem to differ in the types around it. Look at all types together, and at each sample's quality. All cells together also differ where the shares of types do.";
