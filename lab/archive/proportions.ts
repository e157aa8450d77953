/**
 * How well a reference's label proportions within spots are estimated: mixtures of measured cells, with one half as the
 * reference and the other half filling the spots.
 *   node lab/archive/proportions.ts [--data ../shared/data] [--seeds 1,2,3] [--spread 0.5] [--umis 3000]
 * Each gene is captured `exp(N(0, spread²))` times as efficiently in the spots as in the reference. For comparison,
 * simple reimplementations of RCTD's idea (platform factors from all spots together, then Poisson likelihood) and
 * non-negative least squares.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { pearson } from "@stipple/numerics/pearson";
import { Random } from "@stipple/numerics/random";
import type { LabelProfiles } from "@stipple/pipeline/internal/reference/read-reference";
import { spotProportions } from "@stipple/pipeline/internal/steps/5-cluster-analysis/reference/spot-proportions";
import { pbmc, starmap, type LabeledCells } from "../bench/typing-datasets.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: resolve(import.meta.dirname, "../../../shared/data") },
    seeds: { type: "string", default: "1,2,3" },
    spread: { type: "string", default: "0.5" },
    umis: { type: "string", default: "3000" },
  },
});
const SPOTS = 400;
/** Labels with fewer cells cannot be split in half. */
const MIN_CELLS = 16;

interface Mixtures {
  reference: LabelProfiles;
  byGene: SparseMatrix;
  /** Spots × labels: share of each label's cells in the spot's RNA. */
  truth: Float64Array;
}

function mix({ table: columns, labels: labelOf }: LabeledCells, seed: number): Mixtures {
  const random = new Random(seed);
  const nGenes = columns.length;
  const cellsOf = new Map<string, number[]>();
  labelOf.forEach((label, cell) => cellsOf.set(label, [...(cellsOf.get(label) ?? []), cell]));
  const labels = [...cellsOf.keys()].filter((l) => cellsOf.get(l)!.length >= MIN_CELLS).sort();
  const halves = labels.map((label) => {
    const cells = cellsOf.get(label)!;
    random.shuffle(cells);
    return [cells.slice(0, cells.length / 2), cells.slice(cells.length / 2)];
  });
  const totals = new Float64Array(labelOf.length);
  for (const column of columns) column.forEach((value, cell) => (totals[cell] += value));
  const profiles = new Float64Array(labels.length * nGenes);
  halves.forEach(([cells], k) => {
    for (let g = 0; g < nGenes; g++) {
      let sum = 0;
      for (const cell of cells) sum += columns[g][cell] / totals[cell];
      profiles[k * nGenes + g] = sum / cells.length;
    }
  });
  const factor = columns.map(() => Math.exp(Number(values.spread) * random.normal()));
  const truth = new Float64Array(SPOTS * labels.length);
  const rows: number[][] = [];
  for (let spot = 0; spot < SPOTS; spot++) {
    // A few labels dominate each spot, since neighbors are similar.
    const likely = labels.map(() => random.gamma(0.3));
    const whole = likely.reduce((a, b) => a + b, 0);
    const mean = new Float64Array(nGenes);
    let rna = 0;
    const nCells = 5 + random.below(11);
    for (let i = 0; i < nCells; i++) {
      let at = random.uniform() * whole;
      let k = 0;
      while (k < labels.length - 1 && at > likely[k]) at -= likely[k++];
      const cell = halves[k][1][random.below(halves[k][1].length)];
      truth[spot * labels.length + k] += totals[cell];
      rna += totals[cell];
      for (let g = 0; g < nGenes; g++) mean[g] += columns[g][cell] * factor[g];
    }
    for (let k = 0; k < labels.length; k++) truth[spot * labels.length + k] /= rna;
    const depth = (Number(values.umis) * random.gamma(8)) / 8 / rna;
    rows.push(Array.from(mean, (value) => random.poisson(value * depth)));
  }
  const indptr = new Uint32Array(nGenes + 1);
  const [indices, data] = [[] as number[], [] as number[]];
  for (let g = 0; g < nGenes; g++) {
    rows.forEach((row, spot) => {
      if (row[g] > 0) [indices[indices.length], data[data.length]] = [spot, row[g]];
    });
    indptr[g + 1] = indices.length;
  }
  return {
    reference: { labels, genes: Uint32Array.from({ length: nGenes }, (_, g) => g), profiles },
    byGene: {
      nRows: nGenes,
      nCols: SPOTS,
      indptr,
      indices: Uint32Array.from(indices),
      data: Float32Array.from(data),
    },
    truth,
  };
}

/** Genes × spots as one row per spot. */
function dense({ byGene }: Mixtures): Float64Array[] {
  const rows = Array.from({ length: SPOTS }, () => new Float64Array(byGene.nRows));
  for (let g = 0; g < byGene.nRows; g++) {
    for (let k = byGene.indptr[g]; k < byGene.indptr[g + 1]; k++) {
      rows[byGene.indices[k]][g] = byGene.data[k];
    }
  }
  return rows;
}

/** Nonnegative weights by multiplicative updates, for the Poisson likelihood or least squares. */
function weightsOf(y: Float64Array, profiles: Float64Array, nLabels: number, poisson: boolean) {
  const nGenes = y.length;
  const total = y.reduce((a, b) => a + b, 0);
  const w = new Float64Array(nLabels).fill(total / nLabels);
  for (let round = 0; round < 300; round++) {
    const mean = new Float64Array(nGenes);
    for (let k = 0; k < nLabels; k++)
      for (let g = 0; g < nGenes; g++) mean[g] += w[k] * profiles[k * nGenes + g];
    for (let k = 0; k < nLabels; k++) {
      let [up, down] = [0, 0];
      for (let g = 0; g < nGenes; g++) {
        const p = profiles[k * nGenes + g];
        if (p === 0) continue;
        up += poisson ? (p * y[g]) / (mean[g] || 1) : p * y[g];
        down += poisson ? p : p * mean[g];
      }
      w[k] *= down > 0 ? up / down : 0;
    }
  }
  return w;
}

function alone(mixtures: Mixtures, method: "rctd" | "nnls"): Float64Array {
  const { reference } = mixtures;
  const nLabels = reference.labels.length;
  const nGenes = reference.genes.length;
  const rows = dense(mixtures);
  let profiles = reference.profiles;
  if (method === "rctd") {
    const bulk = new Float64Array(nGenes);
    for (const row of rows) row.forEach((value, g) => (bulk[g] += value));
    const w = weightsOf(bulk, profiles, nLabels, true);
    profiles = profiles.map((value, i) => {
      const g = i % nGenes;
      let mean = 0;
      for (let k = 0; k < nLabels; k++) mean += w[k] * reference.profiles[k * nGenes + g];
      return mean > 0 ? (value * bulk[g]) / mean : value;
    });
  }
  const shares = new Float64Array(SPOTS * nLabels);
  rows.forEach((row, spot) => {
    const w = weightsOf(row, profiles, nLabels, method === "rctd");
    const sum = w.reduce((a, b) => a + b, 0);
    w.forEach((value, k) => (shares[spot * nLabels + k] = value / sum));
  });
  return shares;
}

/** Root mean square error, and correlation over spots (median over labels). */
function figures(
  shares: ArrayLike<number>,
  truth: Float64Array,
  nLabels: number,
): [string, string] {
  let squares = 0;
  for (let i = 0; i < truth.length; i++) squares += (shares[i] - truth[i]) ** 2;
  const column = (from: ArrayLike<number>, k: number) =>
    Float64Array.from({ length: SPOTS }, (_, spot) => from[spot * nLabels + k]);
  const all = Array.from({ length: nLabels }, (_, k) =>
    pearson(column(shares, k), column(truth, k)),
  );
  all.sort((a, b) => a - b);
  return [Math.sqrt(squares / truth.length).toFixed(3), all[Math.floor(nLabels / 2)].toFixed(3)];
}

const sets: LabeledCells[] = [];
const pbmcFile = join(values.data, "scrna-pbmc-reference/pbmc68k.h5ad");
if (existsSync(pbmcFile)) sets.push(await pbmc(pbmcFile));
const starmapFolder = join(values.data, "starmap-mouse-cortex");
if (existsSync(starmapFolder)) sets.push(await starmap(starmapFolder));
console.log(
  "| cells, seed | labels | genes | error, correlation | RCTD's idea | least squares | truth within the interval | mean width | CPU s |",
);
console.log("|---|---|---|---|---|---|---|---|---|");
for (const set of sets) {
  for (const seed of values.seeds.split(",").map(Number)) {
    const mixtures = mix(set, seed);
    const { reference, truth, byGene } = mixtures;
    const nLabels = reference.labels.length;
    const before = process.cpuUsage();
    const ours = await spotProportions(reference, byGene, new AbortController().signal);
    const { user, system } = process.cpuUsage(before);
    let [covered, width] = [0, 0];
    for (let i = 0; i < truth.length; i++) {
      if (truth[i] >= ours.low.data[i] - 1e-6 && truth[i] <= ours.high.data[i] + 1e-6) covered++;
      width += ours.high.data[i] - ours.low.data[i];
    }
    const cells = [ours.share.data, alone(mixtures, "rctd"), alone(mixtures, "nnls")].map(
      (shares) => figures(shares, truth, nLabels).join(", "),
    );
    console.log(
      `| ${set.name}, ${seed} | ${nLabels} | ${ours.nGenes} | ${cells.join(" | ")} | ${((100 * covered) / truth.length).toFixed(0)}% | ${(width / truth.length).toFixed(3)} | ${((user + system) / 1e6).toFixed(1)} |`,
    );
  }
}
