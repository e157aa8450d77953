import type {
  ConfidenceTable,
  NamingWay,
} from "@stipple/pipeline/steps/5-cluster-analysis/confidence";
import { fitLogistic, type WeighedCell } from "@stipple/tissue/metrics/fit-logistic";
import type { Refusal } from "../judged-tissues/judge-all.ts";
import type { Judgment } from "../judged-tissues/judge.ts";

/** Weight of a tissue in the fit, in cells: large ones count no more than small ones. */
const TISSUE_WEIGHT = 500;
/** Fewer cells of a way weigh no more than this many would each. */
const FEW_CELLS = 200;
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

/** The map from what is known of a cell to the probability that its name is right. */
export function fitMap(tissues: readonly NamedTissue[]): ConfidenceTable {
  const of = (way: NamingWay): number[] => {
    const cells = tissues.flatMap((tissue): WeighedCell[] => {
      const own = tissue.cells.filter((cell) => cell.way === way);
      const weight = TISSUE_WEIGHT / Math.max(FEW_CELLS, own.length);
      return own.map(({ signals, right }) => ({ signals, right, weight }));
    });
    const width = cells[0]?.signals.length ?? 0;
    return fitLogistic(cells, width).map((weight) => Number(weight.toFixed(4)));
  };
  return { fit: of("fit"), scores: of("scores"), cluster: of("cluster") };
}
