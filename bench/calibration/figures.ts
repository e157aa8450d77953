import { calibrationError } from "../../packages/tissue/src/metrics/calibration.ts";
import type { JudgedTissue } from "./judged-cells.ts";

const BINS = 10;
const KIND_NAMES = {
  human: "simulated human breast",
  mouse: "simulated mouse brain",
  pbmc: "blood cells (PBMC 68k) under a rendered breast",
  starmap: "cortex cells (STARmap) under a rendered brain",
} as const;

/** Stated confidence beside the share that is right, in ten bins; null = no cell. */
export interface ReliabilityDiagram {
  name: string;
  kind: JudgedTissue["kind"];
  seed: number;
  morphology: number;
  way: JudgedTissue["way"];
  cells: number;
  namedShare: number;
  right: number;
  bins: { cells: number; stated: number | null; right: number | null }[];
  error: number;
  /** … and of a map that has not seen this tissue, though others of its kind. */
  errorOneOut: number;
  errorBefore: number;
}

/** Figures of one tissue, `confidence` being that of a map that has not seen its kind, `oneOut` of one that has not seen itself. */
export function figuresOf(
  tissue: JudgedTissue,
  confidence: readonly number[],
  oneOut: readonly number[],
): ReliabilityDiagram {
  const { kind, seed, morphology, way, right, namedShare, posterior } = tissue;
  const bins = Array.from({ length: BINS }, (_, bin) => {
    const cells = [...confidence.keys()].filter(
      (cell) => Math.min(BINS - 1, Math.floor(confidence[cell]! * BINS)) === bin,
    );
    const mean = (of: (cell: number) => number): number | null =>
      cells.length === 0
        ? null
        : rounded(cells.reduce((sum, cell) => sum + of(cell), 0) / cells.length);
    return {
      cells: cells.length,
      stated: mean((cell) => confidence[cell]!),
      right: mean((cell) => (right[cell] ? 1 : 0)),
    };
  });
  return {
    name: `${KIND_NAMES[kind]}, morphology ${morphology}, seed ${seed}`,
    kind,
    seed,
    morphology,
    way,
    cells: right.length,
    namedShare: rounded(namedShare),
    right: rounded(right.filter(Boolean).length / Math.max(1, right.length)),
    bins,
    error: rounded(calibrationError(confidence, right)),
    errorOneOut: rounded(calibrationError(oneOut, right)),
    errorBefore: rounded(calibrationError(posterior, right)),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
