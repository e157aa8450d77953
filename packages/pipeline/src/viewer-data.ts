import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  viewerManifest,
  type CellGrouping,
  type DifferentialTable,
  type ViewerManifest,
} from "@stipple/contract";
import type { OwnMarkerTable } from "@stipple/contract/statistical-facts";
import type { HeldRates } from "./model/rates.ts";
import type { CapturedSpots } from "./steps/6-projection-analysis/cell-markers/spot-test.ts";
import { compareCells } from "./steps/6-projection-analysis/cell-markers/compare-cells.ts";
import { testedCells } from "./steps/6-projection-analysis/spatial-statistics/tested-cells.ts";
import { geneSetScore } from "./steps/6-projection-analysis/viewer/gene-set-score.ts";
import { groupMeans, type GroupMeans } from "./steps/6-projection-analysis/viewer/group-means.ts";
import { openGeneMajorCounts } from "./steps/6-projection-analysis/viewer/gene-major-counts.ts";
import { InputError } from "./errors.ts";
import { findClusters, type ClusterOrder, type FoundClusters } from "./exploring/find-clusters.ts";
import type { ExploredSample } from "./exploring/explored-sample.ts";
import { ownMarkers, type OwnGroups } from "./exploring/own-markers.ts";
import { similarGenes, type SimilarGenes } from "./exploring/similar-genes.ts";
import { VIEWER_FOLDER } from "./viewed-files.ts";
import { readResult } from "./store/results-folder.ts";
import { openSparseRows } from "./store/sparse-rows.ts";

export type GeneLayer = "rate" | "counts";

/** A gene that was asked for is not among the sample's genes. */
export class UnknownGeneError extends Error {
  override readonly name = "UnknownGeneError";
  constructor(genes: readonly string[]) {
    super(
      genes.length === 1
        ? `There is no gene named ${genes[0]} in this sample.`
        : `There are no genes named ${genes.join(", ")} in this sample.`,
    );
  }
}

/** Results that the interactive view computes from. Its methods block the thread: keep them off a server's main thread. */
export interface OpenViewer {
  manifest: ViewerManifest;
  /** Memory held between calls; grows once when the first rate is asked for. */
  bytes(): number;
  /** Loads what rates are computed from. */
  warm(): Promise<void>;
  /** One gene over all cells, nCells values: the inferred rate, or the observed counts that were allocated to cells. */
  gene(name: string, layer: GeneLayer): Promise<Float32Array>;
  /** One gene over all spots as counted, nSpots values. */
  spotGene(name: string): Promise<Float32Array>;
  /** A gene set over all cells; rates are standardized over all cells, counts over the observed ones. */
  score(names: readonly string[], layer: GeneLayer): Promise<Float32Array>;
  /** Mean and share above a threshold of genes in every group of cells (see `groupMeans`); `within`: one bit a cell, null = all. */
  means(
    names: readonly string[],
    layer: GeneLayer,
    by: CellGrouping,
    within: Uint8Array | null,
  ): Promise<GroupMeans[]>;
  /**
   * Compares two sets of cells, one bit a cell; b null = all cells that are not in a. `progress` hears the share that is
   * done (0–1) before every gene.
   */
  compare(
    a: Uint8Array,
    b: Uint8Array | null,
    progress?: (done: number) => void,
  ): Promise<DifferentialTable>;
  /** Clusters cells (see `findClusters`). */
  clusters(order: ClusterOrder, progress?: (done: number) => void): Promise<FoundClusters>;
  /** Markers of groups made in the view (see `ownMarkers`). */
  markers(groups: OwnGroups, progress?: (done: number) => void): Promise<OwnMarkerTable>;
  /** Genes like one gene (see `similarGenes`). */
  similar(name: string, layer: GeneLayer, progress?: (done: number) => void): Promise<SimilarGenes>;
}

/** Folder of the interactive view: manifest.json, columns and `tissue_files/`. It stands once step 6 is done. */
export function viewerFolder(results: string): string {
  return join(results, VIEWER_FOLDER);
}

/** The manifest as step 6 wrote it. Throws where another version wrote it. */
export async function readViewerManifest(results: string): Promise<ViewerManifest> {
  return viewerManifest.parse(
    JSON.parse(await readFile(join(viewerFolder(results), "manifest.json"), "utf8")),
  );
}

/** What comparisons take their replicates from. */
async function capturedSpots(results: string): Promise<CapturedSpots> {
  return {
    overlap: await readResult(results, "spots/cells"),
    byGene: await readResult(results, "genes/spots"),
    xy: await readResult(results, "spots/xy"),
    scale: await readResult(results, "sample/scale"),
  };
}

function bytesOf({ overlap, byGene, xy }: CapturedSpots): number {
  return [overlap, byGene].reduce(
    (sum, { indptr, indices, data }) =>
      sum + indptr.byteLength + indices.byteLength + data.byteLength,
    xy.data.byteLength,
  );
}

/**
 * Opens the results of step 6. Methods that take genes (names of the h5ad's var index) throw {@link UnknownGeneError};
 * sets of cells that cannot be compared throw InputError.
 */
export async function openViewer(results: string): Promise<OpenViewer> {
  const explored = exploredSample(results, await readViewerManifest(results));
  const { manifest, counts, genes, column } = explored;
  return {
    manifest,
    async warm() {
      // The first column of all opens what the others share, which takes longer than reading the factors.
      (await explored.rates()).column(0);
    },
    bytes: () => counts.bytes + explored.bytes(),
    async gene(name, layer) {
      const [gene] = genes([name]);
      return (await columnsOf(explored, layer))(gene);
    },
    async spotGene(name) {
      const [gene] = genes([name]);
      const spots = await openSparseRows(results, "genes/spots");
      const values = new Float32Array(spots.nCols);
      const { indices, data } = spots.row(gene);
      for (let k = 0; k < indices.length; k++) values[indices[k]] = data[k];
      return values;
    },
    async score(names, layer) {
      const chosen = genes([...new Set(names)]);
      const read = await columnsOf(explored, layer);
      const standard =
        layer === "counts"
          ? await column("cells.observed")
          : new Uint8Array(manifest.nCells).fill(1);
      return geneSetScore(
        (function* () {
          for (const gene of chosen) yield read(gene);
        })(),
        standard,
      );
    },
    async means(names, layer, by, within) {
      const chosen = genes(names);
      const bytes = Math.ceil(manifest.nCells / 8);
      if (within && within.length !== bytes) {
        throw new InputError(
          `The set of cells has ${within.length} bytes; with one bit for each of the ${manifest.nCells} cells, it must have ${bytes}.`,
        );
      }
      const groups = await groupsBy(explored, by);
      const read = await columnsOf(explored, layer);
      const threshold = layer === "counts" ? "zero" : "mean";
      return chosen.map((gene) => groupMeans(read(gene), { ...groups, within }, threshold));
    },
    async compare(a, b, progress) {
      const sample = {
        totals: await explored.totals(),
        observed: await column("cells.observed"),
        genes: manifest.genes,
        reliable: await column("genes.reliable"),
        counts: counts.scan(),
        spots: await explored.spots(),
      };
      return compareCells(sample, a, b, progress);
    },
    clusters: (order, progress) => findClusters(explored, order, progress),
    markers: (groups, progress) => ownMarkers(explored, groups, progress),
    similar: (name, layer, progress) => similarGenes(explored, name, layer, progress),
  };
}

/** The sample, of which rates and spots are loaded once, when they are first asked for. `bytes`: what these hold. */
function exploredSample(
  results: string,
  manifest: ViewerManifest,
): ExploredSample & { bytes(): number } {
  const folder = viewerFolder(results);
  const indexOf = new Map(manifest.genes.map((name, index) => [name, index]));
  let rates: HeldRates | null = null;
  let spots: CapturedSpots | null = null;
  const column: ExploredSample["column"] = async (name) =>
    new Uint8Array(await readFile(join(folder, manifest.columns[name]!.file)));
  const totals = async () => new Float32Array((await column("cells.total_counts")).buffer);
  return {
    results,
    manifest,
    counts: openGeneMajorCounts(folder),
    rates: async () => (rates ??= await readResult(results, "cells/rate")),
    spots: async () => (spots ??= await capturedSpots(results)),
    column,
    totals,
    tested: async () => testedCells(await totals(), await column("cells.observed")),
    genes(names) {
      const unknown = names.filter((name) => !indexOf.has(name));
      if (unknown.length > 0) throw new UnknownGeneError(unknown);
      return names.map((name) => indexOf.get(name)!);
    },
    bytes: () => (rates?.bytes ?? 0) + (spots ? bytesOf(spots) : 0),
  };
}

/** Reads one gene over all cells. */
async function columnsOf(
  { manifest, counts, rates }: ExploredSample,
  layer: GeneLayer,
): Promise<(gene: number) => Float32Array> {
  if (layer === "rate") {
    const opened = await rates();
    return (gene) => opened.column(gene);
  }
  return (gene) => {
    const { cells, values } = counts.entries(gene);
    const column = new Float32Array(manifest.nCells);
    for (let k = 0; k < cells.length; k++) column[cells[k]] = values[k];
    return column;
  };
}

/** The group of each cell. Throws InputError for groups that the sample has not. */
async function groupsBy(
  { manifest, column }: ExploredSample,
  by: CellGrouping,
): Promise<{ groupOf: Uint16Array; nGroups: number }> {
  if (by === "none") return { groupOf: new Uint16Array(manifest.nCells), nGroups: 1 };
  const groups = { type: manifest.types, cluster: manifest.clusters, domain: manifest.domains }[by];
  if (!manifest.columns[`cells.${by}`]) throw new InputError(`This sample has no ${by}s.`);
  const groupOf = new Uint16Array((await column(`cells.${by}`)).buffer);
  return { groupOf, nGroups: groups.length };
}
