import { CONFIDENCE_TABLE, type ConfidenceTable } from "@stipple/pipeline/cell-types";
import { fitLogistic, type WeighedCell } from "./fit-logistic.ts";
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
 * The map from what is known of a name to the probability that it is right. That of types fitted to spots is fitted to the
 * likeliest name of every cell at each level, whether the cell got it or not: otherwise the map would depend on itself. The
 * others are kept.
 * @param measured names of measured cells, by sample, which together weigh as much as all tissues: on real sections, names
 *   are wrong more often than on rendered ones
 */
export function fitMap(
  tissues: readonly Pick<NamedTissue, "names">[],
  measured: readonly JudgedName[][] = [],
): ConfidenceTable {
  const own = tissues.map(namesByFit).filter((names) => names.length > 0);
  const sections = measured
    .map((names) => namesByFit({ names }))
    .filter((names) => names.length > 0);
  const ofSection = (TISSUE_WEIGHT * Math.max(1, own.length)) / sections.length;
  const cells = [
    ...own.flatMap((names) => weighed(names, TISSUE_WEIGHT)),
    ...sections.flatMap((names) => weighed(names, ofSection)),
  ];
  if (cells.length === 0) return CONFIDENCE_TABLE;
  const start = CONFIDENCE_TABLE.fit.map((_, signal) => (signal === 1 ? BEFORE : 0));
  const fit = fitLogistic(cells, start).map((weight) => Number(weight.toFixed(4)));
  return { ...CONFIDENCE_TABLE, fit };
}

function namesByFit({ names }: Pick<NamedTissue, "names">): JudgedName[] {
  return names.filter(({ way }) => way === "fit");
}

/** At most MAX_NAMES of the names, evenly spaced, with a total weight. */
function weighed(names: readonly JudgedName[], weight: number): WeighedCell[] {
  const n = Math.min(names.length, MAX_NAMES);
  return Array.from({ length: n }, (_, i) => {
    const { signals, right } = names[Math.floor((i * names.length) / n)];
    return { signals, right, weight: weight / n };
  });
}
