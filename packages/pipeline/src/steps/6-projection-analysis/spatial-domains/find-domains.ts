import { pickRows } from "@stipple/numerics/dense";
import type { Matrix } from "@stipple/numerics/matrices";
import { categoryColors } from "../../../figures/palette.ts";
import { nearestCenter } from "@stipple/numerics/nearest-center";
import { Random } from "@stipple/numerics/random";
import type { DomainSummary } from "@stipple/contract/statistical-facts";
import { partOf, type Work } from "../spatial-statistics/work.ts";
import { domainField, type Observations } from "./domain-field.ts";
import {
  type DomainSketch,
  type DomainTrial,
  type TriedDomains,
  tryDomains,
  tryOnce,
} from "./domain-trial.ts";
import { among, neighborhoodMeans, surroundings, type Surroundings } from "./surroundings.ts";
import { boxOf } from "@stipple/numerics/boxes";

export interface DomainInput {
  /** Interleaved x, y, µm. */
  xy: Float64Array;
  /** Median distance between neighboring cells, µm. */
  spacingUm: number;
  /** n × components of the inferred expression. */
  components: Matrix<Float32Array>;
  membership: Matrix<Float32Array>;
  typeOf: Int32Array;
  typeNames: readonly string[];
}

const MIN_DOMAINS = 2;
const MAX_DOMAINS = 10;
const RESTARTS = 3;
/** With fewer cells there are no regions to distinguish. */
export const MIN_CELLS_FOR_DOMAINS = 100;
/** Weight of a cell's own expression relative to its neighborhood and the types around it. */
const OWN = 0.3;
/** Number of cells used to choose the number of domains, and approximate number of cells per tile. */
const SKETCH = 15_000;
const TILE_CELLS = 1_500;

/**
 * Finds the spatial domains of all cells from inferred expression and types. As in BANKSY (Singhal et al.
 * 2024), each cell is described by its own components and the Gaussian-weighted means of its neighborhood;
 * k-means on these initializes a Markov random field that sharpens the borders. The number of domains, 2 to 10,
 * and the best of three starts are chosen by the largest log likelihood minus the number of parameters (Akaike
 * 1974). Null with fewer than 100 cells.
 */
export async function findDomains(
  input: DomainInput,
  work: Work,
): Promise<{ domainOf: Int32Array; summary: DomainSummary } | null> {
  const n = input.typeOf.length;
  if (n < MIN_CELLS_FOR_DOMAINS || !(input.spacingUm > 0)) return null;
  const around = await surroundings(input.xy, input.spacingUm, partOf(work, 0, 0.1));
  const { features, width } = describe(input, around);
  work.progress(0.15);
  const observations: Observations = {
    typeOf: input.typeOf,
    nTypes: input.typeNames.length,
    membership: input.membership,
  };
  const chosen = sketchTiles(input.xy, work.seed);
  const sketch = chosen.length === n ? around : among(around, chosen);
  const sketchFeatures = pickRows(features, width, chosen);
  const sketchObservations: Observations = {
    ...observations,
    typeOf: Int32Array.from(chosen, (cell) => input.typeOf[cell]),
    membership: {
      nRows: chosen.length,
      nCols: input.membership.nCols,
      data: pickRows(input.membership.data, input.membership.nCols, chosen),
    },
  };
  const trials = Array.from({ length: MAX_DOMAINS - MIN_DOMAINS + 1 }, (_, i) =>
    Array.from({ length: RESTARTS }, (_, restart) => ({
      count: MIN_DOMAINS + i,
      seed: work.seed + 1 + restart,
    })),
  ).flat();
  const results = await tryAll(
    { around: sketch, observations: sketchObservations, features: sketchFeatures, width },
    trials,
    partOf(work, 0.15, 0.8),
  );
  const tried: DomainSummary["tried"] = [];
  let best = results[0];
  results.forEach((result, i) => {
    if (result.score > best.score) best = result;
    const { count } = trials[i];
    const known = tried.at(-1);
    if (known?.count === count) known.score = Math.max(known.score, result.score);
    else tried.push({ count, score: result.score });
  });
  const k = best.centers.length / width;
  const start = Int32Array.from({ length: n }, (_, cell) =>
    nearestCenter(features, cell * width, best.centers, width),
  );
  const { domainOf } = await domainField(around, observations, start, k, work.signal);
  const renumbered = bySize(domainOf, k);
  return { domainOf: renumbered, summary: summarize(renumbered, input, tried) };
}

/** Number of cells in the sketch above which threads are worth starting. */
const WORTH_THREADS = 1_000;

/** Results of all trials, in order, on threads if they are worth starting; bit-identical either way. */
async function tryAll(
  shared: DomainSketch,
  trials: readonly DomainTrial[],
  { tasks, signal, progress }: Work,
): Promise<TriedDomains[]> {
  if (tasks?.isWorth(shared.around.n, WORTH_THREADS)) {
    return tasks.map(tryDomains, { shared, inputs: trials }, { signal, progress });
  }
  const results: TriedDomains[] = [];
  for (const trial of trials) {
    results.push(await tryOnce(shared, trial, signal));
    progress(results.length / trials.length);
  }
  return results;
}

/**
 * Neighborhood means of components and types, plus the cell's own components; each part is scaled to equal
 * variance.
 */
function describe(
  { components, typeOf, typeNames }: DomainInput,
  around: Surroundings,
): { features: Float32Array<ArrayBuffer>; width: number } {
  const n = typeOf.length;
  const nTypes = typeNames.length;
  const types = new Float32Array(n * nTypes);
  typeOf.forEach((type, i) => {
    if (type >= 0) types[i * nTypes + type] = 1;
  });
  const parts: { data: Float32Array; width: number; weight: number }[] = [
    {
      data: neighborhoodMeans(around, components.data, components.nCols),
      width: components.nCols,
      weight: 1,
    },
    { data: neighborhoodMeans(around, types, nTypes), width: nTypes, weight: 1 },
    { data: components.data, width: components.nCols, weight: OWN },
  ];
  const width = parts.reduce((sum, part) => sum + part.width, 0);
  const features = new Float32Array(n * width);
  let first = 0;
  for (const part of parts) {
    const factor = part.weight / Math.sqrt(Math.max(1e-12, totalVariance(part.data, part.width)));
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < part.width; c++) {
        features[i * width + first + c] = part.data[i * part.width + c] * factor;
      }
    }
    first += part.width;
  }
  return { features, width };
}

function totalVariance(data: Float32Array, width: number): number {
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  data.forEach((value, at) => {
    sums[at % width] += value;
    squares[at % width] += value * value;
  });
  const n = data.length / width;
  return sums.reduce((total, sum, c) => total + squares[c] / n - (sum / n) ** 2, 0);
}

/**
 * All cells, or those of randomly chosen square tiles with about 15,000 cells in total. Tiles keep neighbors
 * together.
 */
function sketchTiles(xy: Float64Array, seed: number): Uint32Array {
  const n = xy.length / 2;
  const all = Uint32Array.from({ length: n }, (_, i) => i);
  if (n <= SKETCH) return all;
  const { left, right, top, bottom } = boxOf(xy);
  const side = Math.sqrt(((right - left) * (bottom - top) * TILE_CELLS) / n);
  const columns = Math.floor((right - left) / side) + 1;
  const tiles = Map.groupBy(
    all,
    (i) =>
      Math.floor((xy[2 * i + 1] - top) / side) * columns + Math.floor((xy[2 * i] - left) / side),
  );
  const order = Uint32Array.from(tiles.keys()).sort();
  new Random(seed).shuffle(order);
  const chosen: number[] = [];
  for (const tile of order) {
    if (chosen.length >= SKETCH) break;
    for (const cell of tiles.get(tile)!) chosen.push(cell);
  }
  return Uint32Array.from(chosen).sort();
}

/** Renumbers domains by decreasing size; empty domains are dropped. */
function bySize(domainOf: Int32Array, k: number): Int32Array {
  const sizes = new Float64Array(k);
  for (const domain of domainOf) sizes[domain] += 1;
  const order = [...sizes.keys()].sort((a, b) => sizes[b] - sizes[a] || a - b);
  const rank = new Int32Array(k);
  order.forEach((domain, place) => (rank[domain] = place));
  return domainOf.map((domain) => rank[domain]);
}

function summarize(
  domainOf: Int32Array,
  { typeOf, typeNames }: DomainInput,
  tried: DomainSummary["tried"],
): DomainSummary {
  const count = domainOf.reduce((most, domain) => Math.max(most, domain), 0) + 1;
  const cells = new Array<number>(count).fill(0);
  const table = Array.from({ length: count }, () => new Array<number>(typeNames.length).fill(0));
  domainOf.forEach((domain, i) => {
    cells[domain] += 1;
    if (typeOf[i] >= 0) table[domain][typeOf[i]] += 1;
  });
  return {
    count,
    names: cells.map((_, domain) => `Domain ${domain + 1}`),
    colors: categoryColors(count),
    cells,
    types: [...typeNames],
    composition: table.map((row, domain) => row.map((value) => value / cells[domain])),
    tried,
  };
}
