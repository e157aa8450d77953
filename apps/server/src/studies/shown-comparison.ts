import type { StudyComparison } from "@stipple/contract/routes/studies";
import {
  byCertainty,
  comparisonSummary,
  COMPOSITION_RELIABILITY,
  EXPRESSION_RELIABILITY,
  FDR,
  sharesOf,
  SPATIAL_TEXTS,
  spatialSentence,
  volcanoPoints,
  type Comparison,
} from "@stipple/pipeline/study";

/** Genes, or pairs of types, in a table; the files hold all. */
const SHOWN = 20;

/** A comparison as the page shows it. */
export function shownComparison(comparison: Comparison, files: string[]): StudyComparison {
  const { groups, composition } = comparison;
  return {
    ...{ groups, files, summary: comparisonSummary(comparison) },
    composition: composition
      .toSorted(byCertainty)
      .map(({ type, shares, logOdds, low, high, p, fdr }) => ({
        ...{ type, shares, odds_ratio: finite(Math.exp(logOdds)) },
        ...{ low: finite(Math.exp(low)), high: finite(Math.exp(high)) },
        ...{ p: finite(p), fdr: finite(fdr) },
        units: unitValues(comparison, sharesOf(comparison, type)),
      })),
    expression: shownExpression(comparison),
    space: shownSpace(comparison),
    reliability: { composition: COMPOSITION_RELIABILITY, expression: EXPRESSION_RELIABILITY },
  };
}

function shownExpression({ expression, genes }: Comparison): StudyComparison["expression"] {
  return expression.map((row) => {
    if ("refusal" in row) {
      const none = { units: 0, genes: 0, different: 0, top: [], points: [] };
      return { type: row.type, refusal: row.refusal, ...none };
    }
    return {
      ...{ type: row.type, refusal: null, units: row.units.length },
      genes: row.genes.length,
      different: row.genes.filter(({ fdr }) => fdr < FDR).length,
      top: row.genes
        .toSorted((a, b) => a.p - b.p)
        .slice(0, SHOWN)
        .map(({ gene, logFold, low, high, p, fdr }) => ({
          ...{ gene: genes.name[gene], log2_fold_change: finite(logFold) },
          ...{ low: finite(low), high: finite(high), p: finite(p), fdr: finite(fdr) },
        })),
      points: volcanoPoints(row.genes).map(({ gene, x, y, isDifferent }) => [
        genes.name[gene],
        short(x),
        short(y),
        isDifferent,
      ]),
    };
  });
}

function shownSpace(comparison: Comparison): StudyComparison["space"] {
  return comparison.space.map((answer) => {
    const { title, measure, reliability } = SPATIAL_TEXTS[answer.kind];
    const of = answer.kind === "patterns" ? ("genes" as const) : ("types" as const);
    const about = { title, measure, reliability, of };
    if ("refusal" in answer) return { ...about, sentence: null, refusal: answer.refusal, rows: [] };
    return {
      ...{ ...about, refusal: null, sentence: spatialSentence(answer, comparison.groups) },
      rows: answer.rows
        .toSorted((a, b) => a.p - b.p)
        .slice(0, SHOWN)
        .map(({ name, means, values, difference, low, high, p, fdr }) => ({
          ...{ name, means, units: unitValues(comparison, values) },
          ...{ difference: finite(difference), low: finite(low), high: finite(high) },
          ...{ p: finite(p), fdr: finite(fdr) },
        })),
    };
  });
}

/** A value for each unit of the design, with its group and patient. */
function unitValues({ units, design, groups }: Comparison, values: readonly number[]) {
  return design.units.map((unit, i) => {
    const { condition, patient } = units[unit];
    return { value: values[i], group: groups.indexOf(condition), patient };
  });
}

/** Enough for a plot. */
function short(value: number): number {
  return Number(value.toPrecision(3));
}

/** JSON has neither NaN nor infinity. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
