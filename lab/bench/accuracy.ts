import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { platformById } from "@stipple/contract";
import { analysis, analysisSettings } from "@stipple/pipeline";
import {
  DEFAULT_OPTIONS,
  evaluateResults,
  formatEvaluation,
  simulateTissue,
  type TissueOptions,
} from "@stipple/tissue";
import { peerPredictions } from "./accuracy/peers/peer-predictions.ts";
import { summarize, updated, type Accuracy, type Run } from "./accuracy/summary.ts";
import { writeAccuracy } from "./accuracy/write-documents.ts";

/**
 * Measures accuracy: simulates tissues, analyzes them end to end from image and counts alone, and writes the figures,
 * alongside baselines, controls, and the ideas of other methods, to docs/accuracy.md and docs/accuracy.json, which the
 * Validation page shows.
 *
 *   npm run bench:accuracy -- --seeds 1,2,3 --morphology 1,0.5,0 --kinds human,mouse,if,hd8
 *
 * Takes about two minutes per tissue. `--keep FILE` stores the runs as JSON, and `--join FILE,FILE --seeds none` writes
 * the document from such files, so that parts can be measured sequentially or in parallel.
 *
 * `--update` measures the given kinds and replaces them in the document, or appends new ones.
 *
 * `--kinds` selects what to simulate: human and mouse are Visium with H&E; clean is human with a clean image; if and
 * mouseif are Visium with fluorescence; hd8 and hd16 are HD Visium with H&E; spots24, spots1000, and spots5000 are
 * human sections covered by about 24, 1,100, and 4,600 spots (the last takes 20 minutes); genome and mousegenome are
 * whole transcriptomes of 18,000 genes. Only the first kind is swept over the degrees of morphology and compared with
 * the ideas of other methods; the others use the first degree. `--no-peers` skips that comparison, and `--update` then
 * keeps its figures: with a thousand spots it takes far longer than the analysis. Images are as difficult as real
 * sections; `--image-difficulty 0` makes them clean.
 */
const { values } = parseArgs({
  allowNegative: true,
  options: {
    seeds: { type: "string", default: "1,2,3" },
    morphology: { type: "string", default: "1,0.5,0" },
    kinds: { type: "string", default: "human,mouse,if,hd8,hd16" },
    "size-um": { type: "string", default: String(DEFAULT_OPTIONS.sizeUm) },
    "analysis-type": { type: "string", default: "advanced" },
    threads: { type: "string", default: String(availableParallelism()) },
    "image-difficulty": { type: "string", default: "1" },
    peers: { type: "boolean", default: true },
    keep: { type: "string" },
    join: { type: "string" },
    update: { type: "boolean", default: false },
    out: { type: "string", default: resolve(import.meta.dirname, "../../docs/accuracy.md") },
  },
});

const KINDS: Record<string, Partial<TissueOptions>> = {
  human: { species: "human" },
  clean: { species: "human", imageDifficulty: 0 },
  mouse: { species: "mouse" },
  if: { species: "human", staining: "if" },
  mouseif: { species: "mouse", staining: "if" },
  hd8: { species: "human", platform: "hd_visium", sizeUm: 700 },
  hd16: { species: "human", platform: "hd_visium", sizeUm: 700 },
  spots24: { species: "human", sizeUm: 560 },
  spots1000: { species: "human", sizeUm: 3250 },
  genome: { species: "human", nGenes: 18_000, umiPerSpot: 12_000 },
  mousegenome: { species: "mouse", nGenes: 18_000, umiPerSpot: 12_000 },
  spots5000: { species: "human", sizeUm: 6500 },
};

async function measure(kind: string, seed: number, morphology: number): Promise<Run> {
  const given = KINDS[kind];
  if (!given) throw new Error(`Unknown kind ${kind}: use ${Object.keys(KINDS).join(", ")}.`);
  const folder = await mkdtemp(join(tmpdir(), "stipple-accuracy-"));
  try {
    const tissue = await simulateTissue({
      sizeUm: Number(values["size-um"]),
      imageDifficulty: Number(values["image-difficulty"]),
      ...given,
      out: join(folder, "tissue"),
      seed,
      morphologyInformative: morphology,
    });
    const { platform, staining } = tissue.options;
    const startedAt = performance.now();
    await analysis.run({
      input: tissue.outs,
      results: join(folder, "results"),
      settings: analysisSettings.parse({
        platform,
        staining,
        analysisType: values["analysis-type"],
        ...(platformById(platform).resolutions.length > 0 ? { resolution: kind.slice(2) } : {}),
      }),
      threads: Number(values.threads),
      signal: new AbortController().signal,
    });
    const seconds = (performance.now() - startedAt) / 1000;
    // Takes minutes and adds little at other degrees.
    const withPeers =
      values.peers && kind === values.kinds.split(",")[0] && morphology === degrees[0];
    const evaluation = await evaluateResults(
      tissue.truth,
      join(folder, "results"),
      withPeers ? peerPredictions : undefined,
    );
    const { options, nSpots } = tissue;
    return { kind, seed, morphology, options, nSpots, evaluation, seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const degrees = values.morphology.split(",").map(Number);
const seeds = values.seeds === "none" ? [] : values.seeds.split(",").map(Number);
const runs: Run[] = [];
for (const file of values.join?.split(",") ?? []) {
  runs.push(...(JSON.parse(await readFile(file, "utf8")) as Run[]));
}
for (const [index, kind] of values.kinds.split(",").entries()) {
  for (const morphology of index === 0 ? degrees : degrees.slice(0, 1)) {
    for (const seed of seeds) {
      const run = await measure(kind, seed, morphology);
      runs.push(run);
      console.log(formatEvaluation(run.evaluation));
      console.log(`analyzed in ${run.seconds.toFixed(1)} s\n${"-".repeat(72)}`);
      // Save after every run, so that an interrupted bench keeps its measurements.
      if (values.keep !== undefined) await writeFile(values.keep, JSON.stringify(runs));
    }
  }
}
if (values.keep === undefined) {
  const json = values.out.replace(/\.md$/, ".json");
  const figures: Accuracy = summarize(runs, values["analysis-type"]);
  // Measured on separate tissues by bench:calibration and lab/bench/typing.ts.
  const written = JSON.parse(await readFile(json, "utf8").catch(() => "{}")) as Partial<Accuracy>;
  if (values.update) Object.assign(figures, updated(written, figures));
  const { calibration, realCells, note } = written;
  // Written by hand; what it says of the kinds that were measured may no longer hold.
  if (values.update && note) figures.note = note;
  if (calibration) figures.calibration = calibration;
  if (realCells) figures.realCells = realCells;
  await writeAccuracy(values.out, figures);
  console.log(`Written to ${values.out} and ${json}`);
}
