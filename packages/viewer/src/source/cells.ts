import type { ViewerColumn } from "@stipple/contract/viewer-manifest";
import type { ColumnArray } from "./columns.ts";
import type { ViewSource } from "./source.ts";

/** Everything needed to draw the cells as points; all arrays have length nCells, positions 2 × nCells. */
export interface Cells {
  /** x, y in pixels of the tissue image's largest level. */
  xy: Float32Array;
  /** x, y of the UMAP, as stored. */
  umap: Float32Array;
  /** Index into manifest.types; 65,535 = none. */
  type: ColumnArray;
  /** Index into manifest.clusters. */
  cluster: ColumnArray;
  /** Index into manifest.domains; undefined unless the analysis type is advanced. */
  domain: ColumnArray | undefined;
  /** Index into groups that a person made, 65,535 = none; undefined if there are none. */
  own?: ColumnArray | undefined;
  /** Index into CELL_EVIDENCE; undefined in views written before it was recorded. */
  evidence: ColumnArray | undefined;
  /** Index into IMAGE_QUALITIES; undefined if image quality was not assessed. */
  imageQuality: ColumnArray | undefined;
  /** 1 = the cell is in a spot, so its counts were measured. */
  observed: ColumnArray;
}

/** Placeholder until the cells are loaded. */
export const NO_CELLS: Cells = {
  xy: new Float32Array(),
  umap: new Float32Array(),
  type: new Uint16Array(),
  cluster: new Uint16Array(),
  domain: undefined,
  evidence: undefined,
  imageQuality: undefined,
  observed: new Uint8Array(),
};

export async function loadCells(source: ViewSource, signal?: AbortSignal): Promise<Cells> {
  const { columns, imageQuality: isAssessed } = source.manifest;
  const load = (name: ViewerColumn) => source.column(name, signal);
  const [ofTissue, umap, cluster, domain, imageQuality] = await Promise.all([
    loadTissueCells(source, signal),
    load("cells.umap"),
    load("cells.cluster"),
    columns["cells.domain"] && load("cells.domain"),
    isAssessed && columns["cells.image_quality"] ? load("cells.image_quality") : undefined,
  ]);
  return { ...ofTissue, umap: umap as Float32Array, cluster, domain, imageQuality };
}

/** Only what the tissue shows, colored by type or values: of columns that no such drawing reads, empty ones. */
export async function loadTissueCells(source: ViewSource, signal?: AbortSignal): Promise<Cells> {
  const { columns, tissue } = source.manifest;
  const [xy, type, observed, evidence] = await Promise.all([
    source.column("cells.xy", signal),
    source.column("cells.type", signal),
    source.column("cells.observed", signal),
    columns["cells.evidence"] ? source.column("cells.evidence", signal) : undefined,
  ]);
  const scaledXy = scaled(xy as Float32Array, 1 / tissue.scale);
  return { ...NO_CELLS, xy: scaledXy, type, observed, evidence };
}

/** Scales positions in place, from full-resolution pixels to pixels of the drawn image. */
export function scaled(values: Float32Array, factor: number): Float32Array {
  if (factor !== 1) for (let i = 0; i < values.length; i++) values[i] = values[i]! * factor;
  return values;
}
