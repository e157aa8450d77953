import {
  CONFIDENCE_TABLE,
  type ConfidenceTable,
  type TypingWay,
} from "@stipple/pipeline/cell-types/confidence";
import { fitLogistic, type WeighedCell } from "@stipple/tissue/metrics/fit-logistic";
import type { Refusal } from "../judged-tissues/judge-all.ts";
import type { Judgment } from "../judged-tissues/judge.ts";

/** Weight of a tissue in the fit, in cells: large tissues count no more than small ones. */
const TISSUE_WEIGHT = 500;
/** Approximate number of cells used per tissue: more from the same tissue add little. */
const MAX_CELLS = 400;
/** With fewer cells named in a given way, each weighs no more than it would among this many. */
const FEW_CELLS = 200;
/** Prior weight of the posterior, the second signal: posteriors are overconfident. */
const BEFORE = 0.3;
/** Minimum number of named cells for a meaningful share. */
const MIN_CELLS = 50;

/** An evaluated tissue with those named cells for which it is known whether the name is right. */
export interface NamedTissue extends Judgment {
  cells: { signals: number[]; way: TypingWay; posterior: number; right: boolean }[];
}

/** The tissues that can be used for fitting. */
export function namedTissues(judged: readonly (Judgment | Refusal)[]): NamedTissue[] {
  return judged
    .filter((one) => "named" in one)
    .map((judgment): NamedTissue => ({
      ...judgment,
      cells: judgment.named.flatMap(({ right, signals, way, posterior }) =>
        right === null ? [] : [{ signals, way, posterior, right }],
      ),
    }))
    .filter(({ cells }) => cells.length >= MIN_CELLS);
}

/**
 * The map from a cell's features to the probability that its name is right. A way of naming with no cells keeps its
 * weights.
 */
export function fitMap(tissues: readonly NamedTissue[]): ConfidenceTable {
  const of = (way: TypingWay): readonly number[] => {
    const cells = tissues.flatMap((tissue): WeighedCell[] => {
      const all = tissue.cells.filter((cell) => cell.way === way);
      const step = Math.ceil(all.length / MAX_CELLS);
      const own = all.filter((_, i) => i % step === 0);
      const weight = TISSUE_WEIGHT / Math.max(FEW_CELLS, own.length);
      return own.map(({ signals, right }) => ({ signals, right, weight }));
    });
    if (cells.length === 0) return CONFIDENCE_TABLE[way];
    const start = CONFIDENCE_TABLE[way].map((_, signal) => (signal === 1 ? BEFORE : 0));
    return fitLogistic(cells, start).map((weight) => Number(weight.toFixed(4)));
  };
  return { ...CONFIDENCE_TABLE, fit: of("fit") };
}
