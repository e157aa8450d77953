import {
  visualizationFile,
  visualizationGene,
  visualizationManifest,
  type ViewerManifest,
} from "@stipple/contract/routes/visualization";
import { api, apiResponse } from "../../app/api.ts";

export type ColumnName = keyof ViewerManifest["columns"];
export type ColumnArray = Float32Array | Uint32Array | Uint16Array | Uint8Array;
export type GeneLayer = "rate" | "counts";

const ARRAYS = {
  float32: Float32Array,
  uint32: Uint32Array,
  uint16: Uint16Array,
  uint8: Uint8Array,
} as const;

/** The bytes of a column as numbers (little-endian, which every browser's platform is). Throws when the length differs from the manifest's. */
export function decodeColumn(
  bytes: ArrayBuffer,
  { file, dtype, length }: ViewerManifest["columns"][ColumnName],
): ColumnArray {
  const array = new ARRAYS[dtype](
    bytes,
    0,
    Math.floor(bytes.byteLength / ARRAYS[dtype].BYTES_PER_ELEMENT),
  );
  if (array.length !== length)
    throw new Error(`The file ${file} holds ${array.length} values where ${length} belong.`);
  return array;
}

/** Reads what belongs to one signed link. */
export interface ViewerSource {
  manifest(signal: AbortSignal): Promise<{ project_name: string; manifest: ViewerManifest }>;
  column(manifest: ViewerManifest, name: ColumnName, signal: AbortSignal): Promise<ColumnArray>;
  /** One value a cell. */
  gene(name: string, layer: GeneLayer, signal: AbortSignal): Promise<Float32Array>;
  tile(path: string, signal?: AbortSignal): Promise<ImageBitmap>;
}

export function viewerSource(token: string): ViewerSource {
  const file = (path: string, signal?: AbortSignal) =>
    apiResponse(visualizationFile, { params: { token, "*": path }, ...(signal && { signal }) });
  return {
    manifest: (signal) => api(visualizationManifest, { params: { token }, signal }),
    async column(manifest, name, signal) {
      const description = manifest.columns[name];
      const response = await file(description.file, signal);
      return decodeColumn(await response.arrayBuffer(), description);
    },
    async gene(name, layer, signal) {
      const response = await apiResponse(visualizationGene, {
        params: { token },
        query: { name, layer },
        signal,
      });
      return new Float32Array(await response.arrayBuffer());
    },
    async tile(path, signal) {
      const response = await file(path, signal);
      return createImageBitmap(await response.blob());
    },
  };
}

/** Everything about the cells that is needed to draw their points; all arrays are nCells long, positions 2 × nCells. */
export interface Cells {
  /** x, y in pixels of the tissue image's largest level. */
  xy: Float32Array;
  /** x, y of the UMAP, as written. */
  umap: Float32Array;
  /** Index into manifest.types. */
  type: ColumnArray;
  /** Index into manifest.clusters. */
  cluster: ColumnArray;
  /** 1 = the cell lies in a spot, so that its counts were measured. */
  observed: ColumnArray;
}

export async function loadCells(
  source: ViewerSource,
  manifest: ViewerManifest,
  signal: AbortSignal,
): Promise<Cells> {
  const [xy, umap, type, cluster, observed] = await Promise.all(
    (["cells.xy", "cells.umap", "cells.type", "cells.cluster", "cells.observed"] as const).map(
      (name) => source.column(manifest, name, signal),
    ),
  );
  return {
    xy: scaled(xy as Float32Array, 1 / manifest.tissue.scale),
    umap: umap as Float32Array,
    type: type!,
    cluster: cluster!,
    observed: observed!,
  };
}

/** Multiplies positions in place: from full-resolution pixels to those of the image that is drawn. */
export function scaled(values: Float32Array, factor: number): Float32Array {
  if (factor !== 1) for (let i = 0; i < values.length; i++) values[i] = values[i]! * factor;
  return values;
}
