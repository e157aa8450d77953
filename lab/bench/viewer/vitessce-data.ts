import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ViewerColumn, ViewerManifest } from "@stipple/contract";
import { writeMultiscaleImage } from "@stipple/pipeline/internal/exports/spatialdata/multiscale-image";
import { AnnDataZarr } from "@stipple/pipeline/internal/exports/zarr/anndata-zarr";
import { ZarrFolder } from "@stipple/formats/zarr/zarr-folder";
import { openTissueImage } from "@stipple/pipeline/samples";
import { openViewer, viewerFolder } from "@stipple/pipeline/view";
import { writeSyntheticImage } from "./synthetic-image.ts";

/** What the other viewer's page needs to know about the data. */
export interface VitessceData {
  /** Full-resolution px. */
  sidePx: number;
  /** Full-resolution px per pixel of the image it reads. */
  imageScale: number;
  types: { name: string; color: string }[];
  cellRadiusPx: number;
}

/** The other viewer's image is as large as the one in SpatialData exports. */
const IMAGE_SIDE_PX = 4096;

/**
 * Writes a project's cells in the formats Vitessce reads best: AnnData-Zarr with a dense matrix chunked by single genes
 * (only `genes`), and an OME-Zarr pyramid of the same tissue, 4,096 px wide. Existing files are kept.
 */
export async function writeVitessceData(
  folder: string,
  results: string,
  genes: readonly string[],
): Promise<VitessceData> {
  const { manifest, gene } = await openViewer(results);
  const data: VitessceData = {
    sidePx: manifest.widthPx,
    imageScale: manifest.widthPx / IMAGE_SIDE_PX,
    types: manifest.types.map(({ name, color }) => ({ name, color })),
    cellRadiusPx: 4 / manifest.micronsPerPixel,
  };
  if (existsSync(join(folder, "cells.zarr/zarr.json"))) return data;
  await rm(folder, { recursive: true, force: true });

  const image = new ZarrFolder(join(folder, "image.zarr"));
  image.group("");
  const imageFile = join(folder, "image.tif");
  await writeSyntheticImage(imageFile, IMAGE_SIDE_PX);
  const opened = await openTissueImage(imageFile);
  await writeMultiscaleImage(image, "tissue", opened, {
    imageScale: 1,
    micronsPerPixel: manifest.micronsPerPixel,
    signal: new AbortController().signal,
  });
  await rm(imageFile);
  image.finish();

  const { nCells } = manifest;
  const zarr = new ZarrFolder(join(folder, "cells.zarr"));
  const cells = new AnnDataZarr(zarr, "");
  const column = (name: ViewerColumn) => readColumn(results, manifest, name);
  cells.dataframe(
    "obs",
    Array.from({ length: nCells }, (_, cell) => `cell${cell}`),
    ["cell_type"],
  );
  const types = new Uint16Array((await column("cells.type")).buffer);
  cells.categorical(
    "obs/cell_type",
    Int32Array.from(types),
    manifest.types.map(({ name }) => name),
  );
  cells.dataframe("var", genes, []);
  cells.group("obsm");
  cells.array("obsm/spatial", new Float32Array((await column("cells.xy")).buffer), [nCells, 2]);
  zarr.declare("X", {
    shape: [nCells, genes.length],
    chunkShape: [nCells, 1],
    type: "float32",
    compressed: false,
    attributes: { "encoding-type": "array", "encoding-version": "0.2.0" },
  });
  for (const [at, name] of genes.entries()) {
    const values = await gene(name, "rate");
    zarr.chunk("X", [0, at], new Uint8Array(values.buffer), false);
  }
  zarr.finish();
  return data;
}

async function readColumn(
  results: string,
  manifest: ViewerManifest,
  name: ViewerColumn,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(join(viewerFolder(results), manifest.columns[name]!.file)));
}
