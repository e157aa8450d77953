import type { StudyComparison } from "@stipple/contract/routes/studies";
import {
  byCertainty,
  comparisonSummary,
  COMPOSITION_RELIABILITY,
  EXPRESSION_RELIABILITY,
  FDR,
  SPATIAL_TEXTS,
  spatialSentence,
} from "./answer-texts.ts";
import type { Comparison } from "./compare-samples.ts";
import { volcanoPoints } from "./volcano.ts";

/** Genes, or pairs of types, in a table; the files hold all. */
const SHOWN = 20;

/** What a comparison says without its files. */
export type ShownComparison = Omit<StudyComparison, "files">;

/** A comparison as the page and the report show it. */
export function shownComparison(comparison: Comparison): ShownComparison {
  const { groups, composition } = comparison;
  return {
    ...{ groups, summary: comparisonSummary(comparison) },
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

/** Shares of a type among all cells of each unit of the design. */
function sharesOf({ design, cells }: Comparison, type: string): number[] {
  const at = cells.types.indexOf(type);
  return design.units.map((i) => {
    const numbers = cells.numbers[i];
    return numbers[at] / numbers.reduce((sum, number) => sum + number, 0);
  });
}

function shownExpression({ expression, genes }: Comparison): ShownComparison["expression"] {
  return expression.map((row) => {
    if ("refusal" in row) {
      const none = { units: 0, genes: 0, different: 0, top: [], points: [] };
      return { type: row.type, refusal: row.refusal, ...none };
    }
    return {
      ...{ type: row.type, units: row.units.length, genes: row.genes.length },
      refusal: row.genes.length === 0 ? "Too few counts to compare any gene." : null,
      different: row.genes.filter(({ fdr }) => fdr < FDR).length,
      top: row.genes
        .toSorted((a, b) => a.p - b.p)
        .slice(0, SHOWN)
        .map(({ gene, logFold, low, high, p, fdr }) => ({
          ...{ gene: genes.name[gene], log2_fold_change: finite(logFold) },
          ...{ low: finite(low), high: finite(high), p: finite(p), fdr: finite(fdr) },
        })),
      points: volcanoPoints(row.genes, genes.name),
    };
  });
}

function shownSpace(comparison: Comparison): ShownComparison["space"] {
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

/** JSON has neither NaN nor infinity. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
