import {
  CONFIDENCE_TABLE,
  type ConfidenceTable,
  type TypingWay,
} from "@stipple/pipeline/cell-types";
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

/** A named cell for which it is known whether the name is right. */
export interface KnownName {
  signals: number[];
  way: TypingWay;
  posterior: number;
  right: boolean;
}

/** An evaluated tissue with its named cells. */
export interface NamedTissue extends Judgment {
  cells: KnownName[];
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
 * @param measured names of measured cells, which weigh as much as all tissues together: on real sections, names are wrong
 *   more often than their features say on rendered ones
 */
export function fitMap(
  tissues: readonly Pick<NamedTissue, "cells">[],
  measured: readonly KnownName[] = [],
): ConfidenceTable {
  const of = (way: TypingWay): readonly number[] => {
    const from = (named: readonly KnownName[], weight: number): WeighedCell[] => {
      const all = named.filter((cell) => cell.way === way);
      const step = Math.ceil(all.length / MAX_CELLS);
      const own = all.filter((_, i) => i % step === 0);
      const each = weight / Math.max(FEW_CELLS, own.length);
      return own.map(({ signals, right }) => ({ signals, right, weight: each }));
    };
    const own = tissues.filter((tissue) => tissue.cells.some((cell) => cell.way === way));
    const cells = [
      ...own.flatMap((tissue) => from(tissue.cells, TISSUE_WEIGHT)),
      ...from(measured, TISSUE_WEIGHT * Math.max(1, own.length)),
    ];
    if (cells.length === 0) return CONFIDENCE_TABLE[way];
    const start = CONFIDENCE_TABLE[way].map((_, signal) => (signal === 1 ? BEFORE : 0));
    return fitLogistic(cells, start).map((weight) => Number(weight.toFixed(4)));
  };
  return { ...CONFIDENCE_TABLE, fit: of("fit"), counts: of("counts") };
}
