import { cpus } from "node:os";
import { METHODS, type Evaluation, type Method, type TissueOptions } from "@stipple/tissue";

/** One simulated tissue, analysed and judged. */
export interface Run {
  kind: string;
  seed: number;
  morphology: number;
  options: TissueOptions;
  evaluation: Evaluation;
  seconds: number;
}

const KIND_NAMES: Record<string, string> = {
  human: "human breast, Visium, H&E",
  mouse: "mouse brain, Visium, H&E",
  if: "human breast, Visium, IF",
  hd8: "human breast, HD 8 µm, H&E",
  hd16: "human breast, HD 16 µm, H&E",
};

const ROWS: readonly (readonly [string, (run: Run) => number | null])[] = [
  ["true cells", (run) => run.evaluation.truth.nCells],
  ["found cells", (run) => run.evaluation.nPredicted],
  ["nuclei F1 at overlap 0.5", (run) => run.evaluation.nuclei.f1],
  ["centres F1 within 6 µm", (run) => run.evaluation.centres.f1],
  ["typing macro-F1, all true cells", (run) => run.evaluation.typing.macroF1],
  ["typing macro-F1, detected cells", (run) => run.evaluation.typing.macroF1Detected],
  ["error of the types' confidence", (run) => run.evaluation.typing.calibrationError],
  ["ARI of types", (run) => run.evaluation.typing.ari],
  ["ARI of clusters", (run) => run.evaluation.typing.clusterAri],
  ["ARI of spatial domains", (run) => run.evaluation.domainAri],
  ["conservation", (run) => run.evaluation.conservation.relative],
  ["held-out estimate against truth, ρ", (run) => run.evaluation.heldout.rho],
  ["rate, all genes (as above)", (run) => run.evaluation.expression.rate.all],
  ["… as the self-test expected it", (run) => run.evaluation.selfTest?.expected ?? null],
  ["seconds of analysis", (run) => run.seconds],
];

const BLIND: readonly (readonly [string, (run: Run) => number])[] = [
  ["means across genes", (run) => run.evaluation.blind.rate.acrossGenes],
  ["the same, cells shuffled", (run) => run.evaluation.blind.shuffled.acrossGenes],
  ["detection across genes", (run) => run.evaluation.blind.rate.detection],
  ["the same, cells shuffled", (run) => run.evaluation.blind.shuffled.detection],
];

/** docs/accuracy.md: what was measured, how, and beside what it has to be read. */
export function accuracyReport(runs: readonly Run[], analysisType: string): string {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const name = `${KIND_NAMES[run.kind] ?? run.kind}, morphology ${run.morphology}`;
    groups.set(name, [...(groups.get(name) ?? []), run]);
  }
  const listed = (pick: (run: Run) => string | number): string =>
    [...new Set(runs.map(pick))].join(",");
  const columns = [...groups.values()];
  const head = `| | ${[...groups.keys()].join(" | ")} |\n|---|${columns.map(() => "---|").join("")}`;
  const table = (rows: readonly (readonly [string, (run: Run) => number | null])[]): string =>
    `${head}\n${rows
      .map(
        ([name, pick]) =>
          `| ${name} | ${columns.map((group) => spread(group, pick)).join(" | ")} |`,
      )
      .join("\n")}`;
  return `# Accuracy on simulated tissues

Every figure here was measured by

\`\`\`
npm run bench:accuracy -- --seeds ${listed((run) => run.seed)} --morphology ${listed((run) => run.morphology)} --kinds ${listed((run) => run.kind)} --analysis-type ${analysisType}
\`\`\`

or in parts of it (\`--keep\`, \`--join\`): every kind's seeds and size stand below. Measured
on ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}). Each tissue is simulated, rendered, written as Space Ranger files
and analysed end to end (${analysisType}) from the image and the spots alone; nothing of the truth enters.
Values are means over seeds with the lowest and highest in brackets. Morphology 1: nuclei look as different
among types as in the simulator's catalogue; 0: they tell nothing. How tissues are made and what each measure means is
in [methods/simulation.md](methods/simulation.md). A simulation ranks methods and catches regressions; it is no
promise for a real tissue.

${[...groups].map(([name, group]) => `- ${name}: seeds ${group.map((run) => run.seed).join(", ")}; ${describe(group[0]!.options)}`).join("\n")}

## Expression

Median over genes of the Pearson correlation over all true cells, against noisy true counts. A cell that was not
found counts as 0. "306 variable" are the genes whose noise-free rate varies most. The peers' ideas run on the same
found cells and features as ours, in plain versions of our own: they stand for the idea, not for the published program.
"Half-way" lies between the better baseline with true positions and "true types fitted".

${[...groups].map(([name, group]) => expressionTable(name, group)).join("\n")}
## Cells, types, domains, conservation

${table(ROWS)}

Cell types are scored by name over all true cells; a missed or unnamed cell is wrong. The error of the confidence is the
mean distance between the stated confidence and the share that is right, over ten bins. Conservation is
|Σ cells + unassigned − Σ spots| over all counts. ρ says whether the product's own estimate of a gene's reliability
(held-out spots) ranks genes as the truth does. The self-test is what the product tells its user to expect, from a
synthetic twin. The twin believes the model and knows no missed cells; on HD it expects far too much. Seconds were taken
while the machine had other work, so they are upper bounds.

## Measures that cannot see wrong cells

Reports of other products correlate per-gene summaries across genes. The figures stay what they are when all cells are
shuffled among each other, so they say nothing about single cells. They stand here for comparison only.

${table(BLIND)}
`;
}

function describe(options: TissueOptions): string {
  const { sizeUm, umPerPx, cellDensity, nGenes, umiPerSpot, bleed, bleedLengthUm } = options;
  return (
    `${sizeUm} µm a side at ${umPerPx} µm per pixel, ${cellDensity} cells per mm², ${nGenes} genes, ${umiPerSpot} UMIs a ` +
    `${options.platform === "visium" ? "spot" : "bin of 8 µm"}, ${100 * bleed} % bleed over ${bleedLengthUm} µm, ` +
    `efficiency varies by ${options.spotEfficiencyCv}, stain drift ${options.stainDrift}`
  );
}

function expressionTable(name: string, group: readonly Run[]): string {
  const sets = ["all", "variable", "markers"] as const;
  const rows = (Object.keys(METHODS) as Method[]).flatMap((method) => {
    if (group.some((run) => !run.evaluation.expression[method])) return [];
    const cells = sets.map((genes) =>
      spread(group, (run) => run.evaluation.expression[method]![genes]),
    );
    return [`| ${METHODS[method]} | ${cells.join(" | ")} |`];
  });
  const halfWay = sets.map((genes) =>
    spread(group, ({ evaluation: { expression } }) => {
      const baseline = Math.max(expression.nearest![genes], expression.interpolation![genes]);
      return (baseline + expression.typesFitted![genes]) / 2;
    }),
  );
  return `### ${name}

| | all genes | 306 variable | markers |
|---|---|---|---|
${rows.join("\n")}
| half-way | ${halfWay.join(" | ")} |
`;
}

function spread(group: readonly Run[], pick: (run: Run) => number | null): string {
  const figures = group.map(pick).filter((value): value is number => value !== null);
  if (figures.length === 0) return "–";
  const mean = figures.reduce((sum, value) => sum + value, 0) / figures.length;
  const digits = Math.max(...figures.map(Math.abs)) >= 10 ? 0 : 3;
  const low = Math.min(...figures).toFixed(digits);
  const high = Math.max(...figures).toFixed(digits);
  return low === high ? mean.toFixed(digits) : `${mean.toFixed(digits)} (${low}–${high})`;
}
