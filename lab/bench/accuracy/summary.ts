import { cpus } from "node:os";
import { platformById } from "@stipple/contract";
import { METHODS, type Evaluation, type Method, type TissueOptions } from "@stipple/tissue";

import type { CalibrationFigures } from "./calibration-section.ts";
import type { RealCells } from "./real-cells-section.ts";

/** One simulated tissue, analyzed and evaluated. */
export interface Run {
  kind: string;
  seed: number;
  morphology: number;
  options: TissueOptions;
  /** Spots or bins under tissue; 8 µm bins for HD. */
  nSpots: number;
  evaluation: Evaluation;
  seconds: number;
}

/** Summary of a figure over a tissue's seeds. */
export interface Spread {
  mean: number;
  low: number;
  high: number;
}

/** One figure of a table; `value` is null if no run has it. */
export interface Measure {
  id: string;
  name: string;
  value: Spread | null;
}

/** Accuracy of one method of inferring expression, over three sets of genes. */
export interface MethodFigures {
  id: Method | "halfWay";
  name: string;
  all: Spread;
  variable: Spread;
  markers: Spread;
}

/** Everything measured on one kind of tissue at one degree of morphology. */
export interface TissueFigures {
  id: string;
  name: string;
  seeds: number[];
  setting: string;
  expression: MethodFigures[];
  measures: Measure[];
  /** Figures that are unchanged by shuffling cells. */
  blind: Measure[];
}

/** docs/accuracy.json: the contents of docs/accuracy.md in machine-readable form. */
export interface Accuracy {
  command: string;
  analysisType: string;
  machine: string;
  tissues: TissueFigures[];
  /** Changes since these tissues were measured. */
  note?: string;
  /** Confidence of types, measured on separate tissues. */
  calibration?: CalibrationFigures;
  /** Names and rates of real cells under rendered images. */
  realCells?: RealCells;
}

const KIND_NAMES: Record<string, string> = {
  human: "human breast, Visium, H&E",
  clean: "human breast, Visium, H&E, clean image",
  mouse: "mouse brain, Visium, H&E",
  if: "human breast, Visium, IF",
  mouseif: "mouse brain, Visium, IF",
  hd8: "human breast, HD 8 µm, H&E",
  hd16: "human breast, HD 16 µm, H&E",
  spots24: "human breast, Visium, H&E, few spots",
  spots1000: "human breast, Visium, H&E, 1,100 spots",
  genome: "human breast, Visium, H&E, 18,000 genes",
  mousegenome: "mouse brain, Visium, H&E, 18,000 genes",
  spots5000: "human breast, Visium, H&E, 4,600 spots",
};

type Pick = (run: Run) => number | null;

const MEASURES: readonly (readonly [string, string, Pick])[] = [
  ["spots", "spots or bins of 8 µm", (run) => run.nSpots],
  ["trueCells", "true cells", (run) => run.evaluation.truth.nCells],
  ["foundCells", "found cells", (run) => run.evaluation.nPredicted],
  ["nucleiF1", "nuclei F1 at overlap 0.5", (run) => run.evaluation.nuclei.f1],
  ["centersF1", "centers F1 within 6 µm", (run) => run.evaluation.centers.f1],
  ["typingF1", "typing macro-F1, all true cells", (run) => run.evaluation.typing.macroF1],
  [
    "typingF1Detected",
    "typing macro-F1, detected cells",
    (run) => run.evaluation.typing.macroF1Detected,
  ],
  [
    "confidenceError",
    "error of the types' confidence",
    (run) => run.evaluation.typing.calibrationError,
  ],
  ["typeAri", "ARI of types", (run) => run.evaluation.typing.ari],
  ["clusterAri", "ARI of clusters", (run) => run.evaluation.typing.clusterAri],
  ["domainAri", "ARI of spatial domains", (run) => run.evaluation.domainAri],
  ["conservation", "conservation", (run) => run.evaluation.conservation.relative],
  ["heldOutRho", "held-out estimate against truth, ρ", (run) => run.evaluation.heldout.rho],
  [
    "rateCounted",
    "rate, genes with 50 UMIs or more",
    (run) => run.evaluation.selfTest?.actual ?? null,
  ],
  [
    "rateExpected",
    "… as the report expected it",
    (run) => run.evaluation.selfTest?.expected ?? null,
  ],
  ["rateTwin", "… in the self-test's twin", (run) => run.evaluation.selfTest?.twin ?? null],
  ["seconds", "seconds of analysis", (run) => run.seconds],
];

const BLIND: readonly (readonly [string, string, Pick])[] = [
  ["means", "means across genes", (run) => run.evaluation.blind.rate.acrossGenes],
  ["meansShuffled", "the same, cells shuffled", (run) => run.evaluation.blind.shuffled.acrossGenes],
  ["detection", "detection across genes", (run) => run.evaluation.blind.rate.detection],
  [
    "detectionShuffled",
    "the same, cells shuffled",
    (run) => run.evaluation.blind.shuffled.detection,
  ],
];

/**
 * Earlier results with the tissues of `fresh` merged in; all of `fresh` if there were none. Methods that were not compared
 * again keep their figures.
 */
export function updated(written: Partial<Accuracy>, fresh: Accuracy): Partial<Accuracy> {
  const { tissues, command } = written;
  if (!tissues || !command) return {};
  const replaced = tissues.map((old) => {
    const now = fresh.tissues.find(({ id }) => id === old.id);
    if (!now) return old;
    const measured = new Map(now.expression.map((method) => [method.id, method]));
    const kept = old.expression.map((method) => measured.get(method.id) ?? method);
    const first = now.expression.filter(({ id }) => !old.expression.some((one) => one.id === id));
    return { ...now, expression: [...kept, ...first] };
  });
  const added = fresh.tissues.filter(({ id }) => !tissues.some((old) => old.id === id));
  // The kind is the part before the last hyphen of a tissue's id.
  const kinds = added.map(({ id }) => id.slice(0, id.lastIndexOf("-")));
  return {
    tissues: [...replaced, ...added],
    command: command.replace(/--kinds \S+/, (words) => [words, ...kinds].join(",")),
  };
}

/** Figures of every kind of tissue over its seeds, in run order. */
export function summarize(runs: readonly Run[], analysisType: string): Accuracy {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const id = `${run.kind}-${run.morphology}`;
    groups.set(id, [...(groups.get(id) ?? []), run]);
  }
  const listed = (pick: (run: Run) => string | number): string =>
    [...new Set(runs.map(pick))].join(",");
  return {
    command:
      `npm run bench:accuracy -- --seeds ${listed((run) => run.seed)} ` +
      `--morphology ${listed((run) => run.morphology)} --kinds ${listed((run) => run.kind)} ` +
      `--analysis-type ${analysisType}`,
    analysisType,
    machine: `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"})`,
    tissues: [...groups].map(([id, group]) => figuresOf(id, group)),
  };
}

function figuresOf(id: string, group: readonly Run[]): TissueFigures {
  const [{ kind, morphology, options }] = group as [Run];
  const measured = (rows: typeof MEASURES): Measure[] =>
    rows.map(([rowId, name, pick]) => ({ id: rowId, name, value: spread(group, pick) }));
  return {
    id,
    name: `${KIND_NAMES[kind] ?? kind}, morphology ${morphology}`,
    seeds: group.map((run) => run.seed),
    setting: describe(options),
    expression: expressionFigures(group),
    measures: measured(MEASURES),
    blind: measured(BLIND),
  };
}

function describe(options: TissueOptions): string {
  const { sizeUm, umPerPx, cellDensity, nGenes, umiPerSpot, bleed, bleedLengthUm } = options;
  const { spotNoun, resolutions } = platformById(options.platform);
  const [finest] = resolutions;
  return (
    `${sizeUm} µm per side at ${umPerPx} µm per pixel, ${cellDensity} cells per mm², ${nGenes} genes, ${umiPerSpot} UMIs per ` +
    `${spotNoun}${finest === undefined ? "" : ` of ${finest} µm`}, ${100 * bleed}% bleed over ${bleedLengthUm} µm, ` +
    `efficiency varies by ${options.spotEfficiencyCv}, stain drift ${options.stainDrift}, image difficulty ${options.imageDifficulty}`
  );
}

function expressionFigures(group: readonly Run[]): MethodFigures[] {
  const over = (pick: (run: Run, genes: "all" | "variable" | "markers") => number) => ({
    all: spread(group, (run) => pick(run, "all"))!,
    variable: spread(group, (run) => pick(run, "variable"))!,
    markers: spread(group, (run) => pick(run, "markers"))!,
  });
  const methods = (Object.keys(METHODS) as Method[]).filter((method) =>
    group.every((run) => run.evaluation.expression[method]),
  );
  return [
    ...methods.map((id) => ({
      id,
      name: METHODS[id],
      ...over(({ evaluation }, genes) => evaluation.expression[id]![genes]),
    })),
    {
      id: "halfWay",
      name: "half-way",
      ...over(({ evaluation: { expression } }, genes) => {
        const baseline = Math.max(expression.nearest![genes], expression.interpolation![genes]);
        return (baseline + expression.typesFitted![genes]) / 2;
      }),
    },
  ];
}

/** Mean, minimum, and maximum over the runs that have the figure. */
function spread(group: readonly Run[], pick: Pick): Spread | null {
  const figures = group.map(pick).filter((value): value is number => value !== null);
  if (figures.length === 0) return null;
  const mean = figures.reduce((sum, value) => sum + value, 0) / figures.length;
  return { mean, low: Math.min(...figures), high: Math.max(...figures) };
}
