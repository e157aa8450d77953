import { counted } from "@stipple/contract/counted";
import type { ClusterFeatures } from "@stipple/contract";
import { graphClusters } from "@stipple/numerics/graph-clusters";
import type { Matrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { sketchOf } from "@stipple/numerics/sketch";
import { InputError } from "../errors.ts";
import { countPoints } from "./count-points.ts";
import type { ExploredSample, Progress } from "./explored-sample.ts";
import { principalAxes, projectOn } from "@stipple/numerics/principal-axes";
import { covarianceOf } from "@stipple/numerics/covariance";
import { pickRows } from "@stipple/numerics/dense";
import { ownFeatures } from "../model/cell-features.ts";
import { readResult } from "../store/results-folder.ts";
import { cellComponents } from "../steps/5-cluster-analysis/cell-components.ts";
import { prototypeTotals, timesPrototypes } from "../model/prototype-sums.ts";
import { ENOUGH } from "../model/constants.ts";

/** Which cells to cluster, and by what. */
export interface ClusterOrder {
  /** One bit per cell, null = all. */
  within: Uint8Array | null;
  features: ClusterFeatures;
  resolution: number;
  /** Genes to describe the cells by; null = the most variable ones. Looks have no genes. */
  genes: readonly string[] | null;
}

export interface FoundClusters {
  /** Cluster of every cell, largest first; {@link NO_CLUSTER} for cells that were not clustered. */
  labels: Uint16Array<ArrayBuffer>;
  nClusters: number;
}

/** Some cells as points, one row per cell. */
export interface CellPoints {
  cells: Uint32Array<ArrayBuffer>;
  points: Matrix<Float32Array>;
}

export const NO_CLUSTER = 0xffff;
/** A neighbor graph of fewer cells means little. */
const MIN_CELLS = 30;
/** More groups can be neither named nor told apart by color. */
const MAX_CLUSTERS = 200;
/** Cells in the graph; the others join the cluster with the nearest center. 100,000 cells take half as long as with 60,000. */
export const SKETCH = 30_000;
const NEIGHBORS = 15;
const COMPONENTS = 20;
/** Most variable genes that describe a part of the cells by rates. */
const MAX_GENES = 600;
const SEED = 0;
/** Share of the progress until the cells are points. */
const OF_POINTS = 0.5;

/**
 * Clusters cells: a shared-neighbor graph of their points and Leiden, as step 5 does. Deterministic. Throws InputError
 * for sets that cannot be clustered and resolutions that give too many clusters.
 */
export async function findClusters(
  sample: ExploredSample,
  { within, features, resolution, genes }: ClusterOrder,
  progress: Progress = () => undefined,
): Promise<FoundClusters> {
  const chosen = cellsOfBits(within, sample.manifest.nCells, MIN_CELLS);
  const named = genes && sample.genes([...new Set(genes)]);
  if (named && features === "looks") {
    throw new InputError(
      "Morphology has no genes: leave the genes out, or cluster by rates or counts.",
    );
  }
  progress(0);
  const ofPoints = (done: number): void => progress(OF_POINTS * done);
  const wanted = { cells: chosen, isAll: within === null, genes: named };
  const { cells, points } = await {
    rates: () => ratePoints(sample, wanted, ofPoints),
    counts: () => countPoints(sample, wanted, ofPoints),
    looks: () => lookPoints(sample, wanted),
  }[features]();
  if (cells.length < MIN_CELLS) {
    throw new InputError(
      `Only ${cells.length} of the ${chosen.length} cells ${cells.length === 1 ? "has" : "have"} enough counts of ${cells.length === 1 ? "its" : "their"} own; clusters need at least ${MIN_CELLS}: choose more cells, or cluster by rates or morphology.`,
    );
  }
  const rows = Uint32Array.from(cells.keys());
  const sketch = sketchOf(rows, SKETCH, new Random(SEED));
  const found = await graphClusters(points, sketch, rows, {
    neighbors: Math.min(NEIGHBORS, Math.max(3, Math.floor(rows.length / 4))),
    resolution,
    reached: (done) => Promise.resolve(progress(OF_POINTS + (1 - OF_POINTS) * done)),
  });
  if (found.nClusters > MAX_CLUSTERS) {
    throw new InputError(
      `A resolution of ${resolution} gives ${found.nClusters} clusters, more than ${MAX_CLUSTERS}: choose a lower one.`,
    );
  }
  const labels = new Uint16Array(sample.manifest.nCells).fill(NO_CLUSTER);
  cells.forEach((cell, row) => (labels[cell] = found.cluster[row]));
  return { labels, nClusters: found.nClusters };
}

/** The cells that points are made of. */
export interface WantedCells {
  cells: Uint32Array<ArrayBuffer>;
  /** Whether these are all cells of the sample. */
  isAll: boolean;
  /** Indices of the given genes; null = the most variable ones. */
  genes: readonly number[] | null;
}

/**
 * The cells of a set with one bit per cell, lowest bit of the first byte first, ascending; null = all. Throws
 * InputError if the set does not fit the sample or has fewer than `least` cells.
 */
function cellsOfBits(
  bits: Uint8Array | null,
  nCells: number,
  least: number,
): Uint32Array<ArrayBuffer> {
  const all = Uint32Array.from({ length: nCells }, (_, cell) => cell);
  const cells = bits ? all.filter(isInside(checked(bits, nCells))) : all;
  if (cells.length === 0 && nCells > 0) {
    throw new InputError(`The set of cells is empty: choose at least ${least} cells.`);
  }
  if (cells.length < least) {
    throw new InputError(
      `The set has ${counted(cells.length, "cell")}; clusters need at least ${least}: choose more cells.`,
    );
  }
  return cells;
}

function isInside(bits: Uint8Array): (cell: number) => boolean {
  return (cell) => ((bits[cell >> 3] >> (cell & 7)) & 1) === 1;
}

function checked(bits: Uint8Array, nCells: number): Uint8Array {
  const bytes = Math.ceil(nCells / 8);
  if (bits.length !== bytes) {
    throw new InputError(
      `The set of cells has ${bits.length} bytes; with one bit for each of the ${nCells} cells, it must have ${bytes}.`,
    );
  }
  if (nCells % 8 > 0 && bits[bytes - 1] >> (nCells % 8) > 0) {
    throw new InputError(`The set of cells refers to cells beyond the sample's ${nCells}.`);
  }
  return bits;
}

/** Principal components of what the image shows of each cell: size, shape, stain, and texture, standardized. */
async function lookPoints(
  { results }: ExploredSample,
  { cells }: WantedCells,
): Promise<CellPoints> {
  const features = await readResult(results, "cells/features");
  const names = await readResult(results, "features/name");
  const { nCols } = features;
  const data = pickRows(features.data, nCols, cells);
  const own = ownFeatures({ nRows: cells.length, nCols, data }, names);
  if (own.nCols === 0) {
    throw new InputError(
      "The morphology of these cells was not measured, or is the same in all: cluster by rates or counts.",
    );
  }
  const covariance = await covarianceOf(own.data, own.nCols);
  const axes = principalAxes(own.data, own.nCols, COMPONENTS, SEED, covariance);
  const scores = projectOn(axes, own.data, cells.length);
  return { cells, points: { nRows: cells.length, nCols: axes.nAxes, data: scores } };
}

/**
 * Principal components of the log-normalized rates: for all cells those of step 5; for a part of them, or given genes,
 * new ones of just these.
 */
async function ratePoints(
  sample: ExploredSample,
  { cells, isAll, genes }: WantedCells,
  progress: Progress,
): Promise<CellPoints> {
  if (isAll && !genes) return { cells, points: await readResult(sample.results, "cells/X_pca") };
  const rates = await sample.rates();
  const { membership, profile } = rates.parts;
  const points = await cellComponents(rates, {
    cells,
    nComponents: COMPONENTS,
    usable: await usableGenes(sample, genes),
    maxGenes: genes?.length ?? MAX_GENES,
    totals: timesPrototypes(membership.data, prototypeTotals(profile.data, membership.nCols)),
    seed: SEED,
    signal: new AbortController().signal,
    progress,
  });
  return { cells, points };
}

async function usableGenes(
  sample: ExploredSample,
  genes: readonly number[] | null,
): Promise<Uint8Array> {
  const { length } = sample.manifest.genes;
  if (genes) {
    const given = new Uint8Array(length);
    for (const gene of genes) given[gene] = 1;
    return given;
  }
  const reliable = await sample.column("genes.reliable");
  const enough = reliable.reduce((sum, flag) => sum + flag, 0) >= ENOUGH.GENES;
  return enough ? reliable : new Uint8Array(length).fill(1);
}
