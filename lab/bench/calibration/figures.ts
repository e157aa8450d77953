import { calibrationError } from "@stipple/tissue/metrics/calibration";
import type { Judgment } from "../judged-tissues/judge.ts";
import { nameOf } from "../judged-tissues/name-of.ts";
import type { NamedTissue } from "./fit-map.ts";

const BINS = 10;

/** Stated confidence versus the share that is right, in ten bins; null = no cells. */
export interface ReliabilityDiagram {
  name: string;
  way: Judgment["way"];
  /** Whether the tissue was made so that the cells' appearance is informative about their types. */
  lookTells: boolean;
  cells: number;
  namedShare: number;
  right: number;
  bins: { cells: number; stated: number | null; right: number | null }[];
  /** Expected calibration error of a map not fitted on this kind of tissue. */
  error: number;
  /** Expected calibration error of a map not fitted on this tissue, but on others of its kind. */
  errorOneOut: number;
  errorBefore: number;
}

/**
 * Figures of one tissue; `confidence` is from a map not fitted on its kind, `oneOut` from one not fitted on this
 * tissue.
 */
export function figuresOf(
  tissue: NamedTissue,
  confidence: readonly number[],
  oneOut: readonly number[],
): ReliabilityDiagram {
  const { way, given: cells, namedShare } = tissue;
  const right = cells.map((cell) => cell.right);
  const bins = Array.from({ length: BINS }, (_, bin) => {
    const own = [...oneOut.keys()].filter(
      (cell) => Math.min(BINS - 1, Math.floor(oneOut[cell] * BINS)) === bin,
    );
    const mean = (of: (cell: number) => number): number | null =>
      own.length === 0 ? null : rounded(own.reduce((sum, cell) => sum + of(cell), 0) / own.length);
    return {
      cells: own.length,
      stated: mean((cell) => oneOut[cell]),
      right: mean((cell) => (right[cell] ? 1 : 0)),
    };
  });
  return {
    name: nameOf(tissue.tissue),
    way,
    lookTells: tissue.tissue.morphology > 0 && ["own", "blurred"].includes(tissue.tissue.image),
    cells: cells.length,
    namedShare: rounded(namedShare),
    right: rounded(right.filter(Boolean).length / Math.max(1, right.length)),
    bins,
    error: rounded(calibrationError(confidence, right)),
    errorOneOut: rounded(calibrationError(oneOut, right)),
    errorBefore: rounded(
      calibrationError(
        cells.map(({ posterior }) => posterior),
        right,
      ),
    ),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
