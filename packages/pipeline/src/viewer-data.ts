import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stepFolder } from "@stipple/contract";
import { readGeneCounts } from "./steps/6-projection-analysis/viewer/gene-major-counts.ts";
import { openRates } from "./steps/4-vector-transformation/rates.ts";
import type { MarkerTable, SpatialStatistics } from "@stipple/contract/statistical-facts";
import { hasResult, readResult } from "./store/results-folder.ts";
import { openSparseRows } from "./store/sparse-rows.ts";

export type GeneLayer = "rate" | "counts";

/** The gene that was asked for is not among the sample's genes. */
export class UnknownGeneError extends Error {
  override readonly name = "UnknownGeneError";
  readonly gene: string;
  constructor(gene: string) {
    super(`There is no gene named ${gene} in this sample.`);
    this.gene = gene;
  }
}

/** Folder of the interactive view: manifest.json, columns and `tissue_files/`. It stands once step 6 is done. */
export function viewerFolder(results: string): string {
  return join(results, stepFolder(6), "viewer");
}

/** The manifest as step 6 wrote it (`viewerManifest` of the contract). */
export async function readViewerManifest(results: string): Promise<unknown> {
  return JSON.parse(await readFile(join(viewerFolder(results), "manifest.json"), "utf8"));
}

/**
 * One gene over all cells, nCells values: the inferred rate, or the observed counts that were allocated to cells.
 * `gene` is a name of the h5ad's var index. Throws {@link UnknownGeneError}.
 */
export async function readGeneColumn(
  results: string,
  gene: string,
  layer: GeneLayer,
): Promise<Float32Array> {
  const names = await readResult(results, "genes/name");
  const index = names.indexOf(gene);
  if (index < 0) throw new UnknownGeneError(gene);
  if (layer === "rate") return (await openRates(results)).column(index);
  const { length: nCells } = await readResult(results, "cells/cell_type");
  return readGeneCounts(viewerFolder(results), index, nCells);
}

/** One gene over all spots as counted, nSpots values. Throws {@link UnknownGeneError}. O(counts of the gene + nSpots). */
export async function readSpotGene(results: string, gene: string): Promise<Float32Array> {
  const index = (await readResult(results, "genes/name")).indexOf(gene);
  if (index < 0) throw new UnknownGeneError(gene);
  const genes = await openSparseRows(results, "genes/spots");
  const { indices, data } = genes.row(index);
  const column = new Float32Array(genes.nCols);
  for (let k = 0; k < indices.length; k++) column[indices[k]] = data[k];
  return column;
}

/** Markers of the groups and, of an advanced run, the statistics in space. */
export async function readStatistics(
  results: string,
): Promise<{ markers: MarkerTable[]; spatial: SpatialStatistics | null }> {
  return {
    markers: await readResult(results, "sample/markers"),
    spatial: hasResult(results, "sample/spatial_statistics")
      ? await readResult(results, "sample/spatial_statistics")
      : null,
  };
}
