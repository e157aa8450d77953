import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { analysisSettings, runAnalysis } from "@stipple/pipeline";
import {
  DEFAULT_OPTIONS,
  evaluateResults,
  formatEvaluation,
  METHODS,
  simulateTissue,
  type Evaluation,
  type Method,
} from "@stipple/tissue";

/**
 * How right the results are, measured: simulates tissues, analyses them end to end from image and counts alone, and
 * writes the figures beside baselines and controls to docs/accuracy.md.
 *
 *   npm run bench:accuracy -- --seeds 1,2,3 --morphology 1,0.5,0 --species human --size-um 1200
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1,2,3" },
    morphology: { type: "string", default: "1,0.5,0" },
    species: { type: "string", default: "human" },
    "size-um": { type: "string", default: String(DEFAULT_OPTIONS.sizeUm) },
    "analysis-type": { type: "string", default: "basic" },
    threads: { type: "string", default: String(availableParallelism()) },
    out: { type: "string", default: resolve(import.meta.dirname, "../docs/accuracy.md") },
  },
});

interface Run {
  seed: number;
  morphology: number;
  species: "human" | "mouse";
  evaluation: Evaluation;
  seconds: number;
}

async function measure(seed: number, morphology: number, species: Run["species"]): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), "stipple-accuracy-"));
  try {
    const tissue = await simulateTissue({
      out: join(folder, "tissue"),
      seed,
      species,
      morphologyInformative: morphology,
      sizeUm: Number(values["size-um"]),
    });
    const startedAt = performance.now();
    await runAnalysis({
      input: tissue.outs,
      results: join(folder, "results"),
      settings: analysisSettings.parse({ analysisType: values["analysis-type"] }),
      threads: Number(values.threads),
      signal: new AbortController().signal,
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const evaluation = await evaluateResults(tissue.truth, join(folder, "results"));
    return { seed, morphology, species, evaluation, seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function list(text: string): number[] {
  return text.split(",").map(Number);
}

const ROWS: readonly (readonly [string, (run: Run) => number])[] = [
  ["true cells", (run) => run.evaluation.truth.nCells],
  ["found cells", (run) => run.evaluation.nPredicted],
  ["nuclei F1 at overlap 0.5", (run) => run.evaluation.nuclei.f1],
  ["centres F1 within 6 µm", (run) => run.evaluation.centres.f1],
  ["typing macro-F1, all true cells", (run) => run.evaluation.typing.macroF1],
  ["typing macro-F1, detected cells", (run) => run.evaluation.typing.macroF1Detected],
  ["ARI of types", (run) => run.evaluation.typing.ari],
  ["ARI of clusters", (run) => run.evaluation.typing.clusterAri],
  ["conservation", (run) => run.evaluation.conservation.relative],
  ["held-out estimate against truth, ρ", (run) => run.evaluation.heldout.rho],
  ["across genes", (run) => run.evaluation.acrossGenes],
  ["seconds of analysis", (run) => run.seconds],
];

const runs: Run[] = [];
for (const species of values.species.split(",") as Run["species"][]) {
  for (const morphology of list(values.morphology)) {
    for (const seed of list(values.seeds)) {
      const run = await measure(seed, morphology, species);
      runs.push(run);
      console.log(formatEvaluation(run.evaluation));
      console.log(`analysed in ${run.seconds.toFixed(1)} s\n${"-".repeat(72)}`);
    }
  }
}
await writeFile(values.out, report(runs));
console.log(`Written to ${values.out}`);

function report(measured: readonly Run[]): string {
  const groups = [
    ...new Set(measured.map((run) => `${run.species}, morphology ${run.morphology}`)),
  ];
  const of = (group: string): Run[] =>
    measured.filter((run) => `${run.species}, morphology ${run.morphology}` === group);
  const options = Object.entries({ ...DEFAULT_OPTIONS, sizeUm: Number(values["size-um"]) })
    .filter(([key]) => !["seed", "species", "morphologyInformative"].includes(key))
    .map(([key, value]) => `${key} ${value}`)
    .join(", ");
  return `# Accuracy on simulated tissues

Every figure here was measured by

\`\`\`
npm run bench:accuracy -- ${process.argv.slice(2).join(" ")}
\`\`\`

on ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}). Each tissue is simulated (${options}), rendered as H&E, written as
Space Ranger files and analysed end to end (${values["analysis-type"]}) from the image and the spots alone; nothing of the truth enters.
Values are means over seeds ${values.seeds} with the lowest and highest in brackets. Morphology 1: nuclei look as different
among types as in the simulator's catalogue; 0: they tell nothing. A simulation ranks methods and catches regressions;
it is no promise for a real tissue.

## Expression

Median over genes of the Pearson correlation over all true cells, against noisy true counts. A cell that was not
found counts as 0. "306 variable" are the genes whose noise-free rate varies most.

${groups
  .map(
    (group) => `### ${group}

| | all genes | 306 variable | markers |
|---|---|---|---|
${(Object.keys(METHODS) as Method[])
  .map((method) => {
    const cells = (["all", "variable", "markers"] as const).map((genes) =>
      spread(of(group), (run) => run.evaluation.expression[method][genes]),
    );
    return `| ${METHODS[method]} | ${cells.join(" | ")} |`;
  })
  .join("\n")}
`,
  )
  .join("\n")}
## Cells, types, conservation

| | ${groups.join(" | ")} |
|---|${groups.map(() => "---|").join("")}
${ROWS.map(([name, pick]) => `| ${name} | ${groups.map((group) => spread(of(group), pick)).join(" | ")} |`).join("\n")}

Cell types are scored by name over all true cells; a missed or unnamed cell is wrong. Conservation is
|Σ cells + unassigned − Σ spots| over all counts. The last correlation but one says whether the product's own estimate of
a gene's reliability (held-out spots) ranks genes as the truth does. The last is the correlation across genes of per-gene
means: it is blind to which cell has what, and stands here only because others report it.
`;
}

function spread(measured: readonly Run[], pick: (run: Run) => number): string {
  const figures = measured.map(pick);
  const mean = figures.reduce((sum, value) => sum + value, 0) / figures.length;
  const digits = Math.max(...figures.map(Math.abs)) >= 10 ? 0 : 3;
  const low = Math.min(...figures).toFixed(digits);
  const high = Math.max(...figures).toFixed(digits);
  return low === high ? mean.toFixed(digits) : `${mean.toFixed(digits)} (${low}–${high})`;
}
