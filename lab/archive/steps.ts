/**
 * CPU seconds of individual steps on a fixed input, to measure the effect of a change to a step.
 *
 *   node lab/archive/steps.ts make DIR [--size-um 3400] [--copies 18]   the input: a quarter of a slide
 *   node lab/archive/steps.ts time DIR 0 1 2 3 4 5 6 7                  runs steps on the earlier ones' results
 *
 * The simulated panel of 1,000 genes is repeated with ever fewer counts until there are as many genes as in a real
 * sample, half of them rare.
 */
import { mkdir, rename, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { StepNumber } from "@stipple/contract";
import { analysis, type RunRequest } from "@stipple/pipeline";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { analysisSettings } from "@stipple/pipeline/settings";
import * as h5wasm from "h5wasm/node";
import { simulateTissue } from "../../packages/tissue/src/simulate-tissue.ts";
import { writeFeatureH5 } from "../../packages/tissue/src/write/feature-matrix.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "size-um": { type: "string", default: "3400" },
    copies: { type: "string", default: "18" },
    seed: { type: "string", default: "5" },
    advanced: { type: "boolean", default: false },
    threads: { type: "string", default: String(availableParallelism()) },
  },
});
const [command, folder, ...numbers] = positionals;
/** The first copy of a gene has this share of its counts, each further copy this share of the previous one. */
const [FIRST_SHARE, NEXT_SHARE] = [0.6, 0.75];

async function make(): Promise<void> {
  await simulateTissue({
    out: join(folder, "input"),
    sizeUm: Number(values["size-um"]),
    nGenes: 1000,
    seed: Number(values.seed),
  });
  await repeatGenes(Number(values.copies));
}

/** Replaces the counts with ones of `copies` times as many genes. */
async function repeatGenes(copies: number): Promise<void> {
  const path = join(folder, "input", "filtered_feature_bc_matrix.h5");
  await h5wasm.ready;
  const file = new h5wasm.File(path, "r");
  const column = (name: string): ArrayLike<unknown> =>
    (file.get(`matrix/${name}`) as h5wasm.Dataset).value as ArrayLike<unknown>;
  const texts = (name: string): string[] => Array.from(column(name), String);
  const [ids, symbols, barcodes] = ["features/id", "features/name", "barcodes"].map(texts);
  const [data, indices, indptr] = ["data", "indices", "indptr"].map((name) =>
    Float64Array.from(column(name), Number),
  );
  file.close();
  const random = new Random(1);
  const rows: { gene: number; count: number }[][] = barcodes.map(() => []);
  for (let copy = 0; copy < copies; copy++) {
    const share = FIRST_SHARE * NEXT_SHARE ** (copy - 1);
    rows.forEach((row, spot) => {
      for (let k = indptr[spot]; k < indptr[spot + 1]; k++) {
        const count = copy === 0 ? data[k] : random.poisson(share * data[k]);
        if (count > 0) row.push({ gene: copy * ids.length + indices[k], count });
      }
    });
  }
  const entries = rows.flat();
  const counts: SparseMatrix = {
    nRows: rows.length,
    nCols: copies * ids.length,
    indptr: new Uint32Array(rows.length + 1),
    indices: Uint32Array.from(entries, ({ gene }) => gene),
    data: Float32Array.from(entries, ({ count }) => count),
  };
  rows.forEach((row, spot) => (counts.indptr[spot + 1] = counts.indptr[spot] + row.length));
  const genes = Array.from({ length: copies }, (_, copy) =>
    ids.map((id, g) => ({
      id: copy === 0 ? id : `${id}.${copy}`,
      symbol: copy === 0 ? symbols[g] : `${symbols[g]}.${copy}`,
    })),
  ).flat();
  await writeFeatureH5(`${path}.new`, { barcodes, genes, genome: "GRCh38", counts });
  await rename(`${path}.new`, path);
  for (const other of ["filtered_feature_bc_matrix", "raw_feature_bc_matrix.h5", "truth"]) {
    await rm(join(folder, "input", other), { recursive: true, force: true });
  }
  console.log(
    `${rows.length} spots, ${genes.length} genes, ${entries.length} entries, ${counts.data.reduce((a, b) => a + b, 0)} UMIs`,
  );
}

async function time(step: StepNumber): Promise<void> {
  const request: RunRequest = {
    input: join(folder, "input"),
    results: join(folder, "results"),
    settings: analysisSettings.parse({ analysisType: values.advanced ? "advanced" : "basic" }),
    threads: Number(values.threads),
    signal: new AbortController().signal,
    listener: { log: (line) => console.log(`  ${line}`) },
  };
  const start = performance.now();
  const before = process.cpuUsage();
  await analysis.runStep(step, request);
  const { user, system } = process.cpuUsage(before);
  const [cpu, wall] = [(user + system) / 1e6, (performance.now() - start) / 1000];
  const peak = process.resourceUsage().maxRSS / 2 ** 20;
  console.log(
    `step ${step}: ${cpu.toFixed(1)} CPU s, ${wall.toFixed(1)} s, CPU/wall ${(cpu / wall).toFixed(2)}, peak so far ${peak.toFixed(2)} GiB`,
  );
}

await mkdir(folder, { recursive: true });
if (command === "make") await make();
else for (const step of numbers.map(Number)) await time(step as StepNumber);
