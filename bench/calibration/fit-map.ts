import {
  CONFIDENCE_TABLE,
  SIGNALS,
  type ConfidenceTable,
  type NamingWay,
} from "@stipple/pipeline/steps/5-cluster-analysis/confidence";
import { fitLogistic, type WeighedCell } from "@stipple/tissue/metrics/fit-logistic";
import type { Refusal } from "../judged-tissues/judge-all.ts";
import type { Judgment } from "../judged-tissues/judge.ts";

/** Weight of a tissue in the fit, in cells: large ones count no more than small ones. */
const TISSUE_WEIGHT = 500;
/** Cells of a tissue that are fitted to, about: more of the same tissue say little new. */
const MOST_CELLS = 400;
/** Fewer cells of a way weigh no more than this many would each. */
const FEW_CELLS = 200;
/** Weight of a posterior before any tissue is seen: posteriors are too sure. */
const BEFORE = 0.3;
/** Fewer named cells say nothing of a share. */
const LEAST_CELLS = 50;

/** A judged tissue with the named cells of which it is known whether their name is right. */
export interface NamedTissue extends Judgment {
  cells: { signals: number[]; way: NamingWay; posterior: number; right: boolean }[];
}

/** Those that can be fitted to. */
export function namedTissues(judged: readonly (Judgment | Refusal)[]): NamedTissue[] {
  return judged
    .filter((one) => "named" in one)
    .map((judgment): NamedTissue => ({
      ...judgment,
      cells: judgment.named.flatMap(({ right, signals, way, posterior }) =>
        right === null ? [] : [{ signals, way, posterior, right }],
      ),
    }))
    .filter(({ cells }) => cells.length >= LEAST_CELLS);
}

/**
 * The map from what is known of a cell to the probability that its name is right. A way by which no cell was named keeps
 * its weights of before (scores name cells only where types cannot be fitted).
 */
export function fitMap(tissues: readonly NamedTissue[]): ConfidenceTable {
  const of = (way: NamingWay): readonly number[] => {
    const cells = tissues.flatMap((tissue): WeighedCell[] => {
      const all = tissue.cells.filter((cell) => cell.way === way);
      const step = Math.ceil(all.length / MOST_CELLS);
      const own = all.filter((_, i) => i % step === 0);
      const weight = TISSUE_WEIGHT / Math.max(FEW_CELLS, own.length);
      return own.map(({ signals, right }) => ({ signals, right, weight }));
    });
    if (cells.length === 0) return CONFIDENCE_TABLE[way];
    const names = SIGNALS[way];
    const start = names.map((name) => (name === "posterior" || name === "ofHalves" ? BEFORE : 0));
    return fitLogistic(cells, start, (signal) => names[signal] === "bins").map((weight) =>
      Number(weight.toFixed(4)),
    );
  };
  return { fit: of("fit"), scores: of("scores"), cluster: of("cluster") };
}
