import {
  CONFIDENCE_TABLE,
  type ConfidenceTable,
  type TypingWay,
} from "@stipple/pipeline/cell-types";
import { fitLogistic, type WeighedCell } from "@stipple/tissue/metrics/fit-logistic";
import type { Refusal } from "../judged-tissues/judge-all.ts";
import type { Judgment } from "../judged-tissues/judge.ts";
import type { JudgedName } from "../judged-tissues/judged-names.ts";

/** Weight of a tissue in the fit, in cells: large tissues count no more than small ones. */
const TISSUE_WEIGHT = 500;
/** Approximate number of names used per tissue: more from the same tissue add little. */
const MAX_NAMES = 5000;
/** Prior weight of the posterior, the second signal: posteriors are overconfident. */
const BEFORE = 0.3;
/** Minimum number of named cells for a meaningful share. */
const MIN_CELLS = 50;

/** An evaluated tissue with the names that its cells got. */
export interface NamedTissue extends Judgment {
  given: JudgedName[];
}

/** The tissues that can be used for fitting. */
export function namedTissues(judged: readonly (Judgment | Refusal)[]): NamedTissue[] {
  return judged
    .filter((one) => "names" in one)
    .map((judgment): NamedTissue => ({
      ...judgment,
      given: judgment.names.filter(({ given }) => given),
    }))
    .filter(({ given }) => given.length >= MIN_CELLS);
}

/**
 * The map from what is known of a name to the probability that it is right, fitted to the likeliest name of every cell at
 * each level, whether the cell got it or not: otherwise the map would depend on itself. A way of naming with no cells keeps
 * its weights.
 * @param measured names of measured cells, which weigh as much as all tissues together: on real sections, names are wrong
 *   more often than on rendered ones
 */
export function fitMap(
  tissues: readonly Pick<NamedTissue, "names">[],
  measured: readonly (readonly JudgedName[])[] = [],
): ConfidenceTable {
  const of = (way: TypingWay): readonly number[] => {
    const from = (named: readonly JudgedName[], weight: number): WeighedCell[] => {
      const n = Math.min(named.length, MAX_NAMES);
      const own = Array.from({ length: n }, (_, i) => named[Math.floor((i * named.length) / n)]);
      const each = weight / n;
      return own.map(({ signals, right }) => ({ signals, right, weight: each }));
    };
    const ofWay = (names: readonly JudgedName[]): JudgedName[] =>
      names.filter((name) => name.way === way);
    const own = tissues.map(({ names }) => ofWay(names)).filter((names) => names.length > 0);
    const sections = measured.map(ofWay).filter((names) => names.length > 0);
    const cells = [
      ...own.flatMap((names) => from(names, TISSUE_WEIGHT)),
      ...sections.flatMap((names) =>
        from(names, (TISSUE_WEIGHT * Math.max(1, own.length)) / sections.length),
      ),
    ];
    if (cells.length === 0) return CONFIDENCE_TABLE[way];
    const start = CONFIDENCE_TABLE[way].map((_, signal) => (signal === 1 ? BEFORE : 0));
    return fitLogistic(cells, start).map((weight) => Number(weight.toFixed(4)));
  };
  return { ...CONFIDENCE_TABLE, fit: of("fit"), counts: of("counts") };
}
