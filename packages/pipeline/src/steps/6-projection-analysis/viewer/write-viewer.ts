import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { viewerManifest } from "@stipple/contract";
import type { AlignmentScale, ImageFacts } from "../../../facts.ts";
import type { Matrix, SparseMatrix } from "../../../fields.ts";
import type { LegendEntry } from "../../../figures/legend.ts";
import type { TissueImage } from "../../../readers/images/tissue-image.ts";
import { writeColumns, type ViewerCells } from "./columns.ts";
import { writeGeneMajorCounts } from "./gene-major-counts.ts";
import { writeTissuePyramid } from "./tissue-pyramid.ts";

export interface ViewerContent {
  image: TissueImage | null;
  facts: ImageFacts;
  scale: AlignmentScale;
  cells: ViewerCells;
  spots: Matrix;
  types: LegendEntry[];
  clusters: LegendEntry[];
  genes: string[];
  counts: SparseMatrix;
}

/** Writes everything the interactive view reads: tiles, columns, one gene's counts at a time, and manifest.json. */
export async function writeViewer(
  folder: string,
  content: ViewerContent,
  signal: AbortSignal,
): Promise<void> {
  const { image, facts, scale, cells, spots } = content;
  await mkdir(folder, { recursive: true });
  const extent = image
    ? { widthPx: facts.widthPx * facts.scale, heightPx: facts.heightPx * facts.scale }
    : { widthPx: reach(0, [cells.xy, spots]), heightPx: reach(1, [cells.xy, spots]) };
  const tissue = await writeTissuePyramid(folder, image, extent, signal);
  const columns = await writeColumns(folder, cells, spots);
  await writeGeneMajorCounts(folder, content.counts);
  const manifest = viewerManifest.parse({
    version: 1,
    ...extent,
    micronsPerPixel: scale.micronsPerPixel,
    nCells: cells.xy.nRows,
    nSpots: spots.nRows,
    spotRadiusPx: scale.spotSizeUm / 2 / scale.micronsPerPixel,
    types: content.types,
    clusters: content.clusters,
    genes: content.genes,
    tissue,
    columns,
  });
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
}

/** How far positions reach along an axis (0 = x, 1 = y), with a margin: the extent of a sample without an image. */
function reach(axis: 0 | 1, positions: readonly Matrix[]): number {
  let farthest = 1;
  for (const { nRows, data } of positions) {
    for (let i = 0; i < nRows; i++) farthest = Math.max(farthest, data[2 * i + axis]);
  }
  return Math.ceil(farthest * 1.02);
}
