import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { ColumnArray } from "./columns.ts";
import type { ViewerSource } from "./viewer-source.ts";

/** Everything about the cells that is needed to draw their points; all arrays are nCells long, positions 2 × nCells. */
export interface Cells {
  /** x, y in pixels of the tissue image's largest level. */
  xy: Float32Array;
  /** x, y of the UMAP, as written. */
  umap: Float32Array;
  /** Index into manifest.types; 65,535 = none. */
  type: ColumnArray;
  /** Index into manifest.clusters. */
  cluster: ColumnArray;
  /** Index into manifest.domains; undefined unless the analysis type is advanced. */
  domain: ColumnArray | undefined;
  /** Index into CELL_EVIDENCE; undefined in views written before it was told. */
  evidence: ColumnArray | undefined;
  /** Index into IMAGE_QUALITIES; undefined if the image was not judged. */
  imageQuality: ColumnArray | undefined;
  /** 1 = the cell is in a spot, so its counts were measured. */
  observed: ColumnArray;
}

/** Stands for cells that are still on their way. */
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

export async function loadCells(
  source: ViewerSource,
  manifest: ViewerManifest,
  signal: AbortSignal,
): Promise<Cells> {
  const ifAny = (name: "cells.domain" | "cells.evidence" | "cells.image_quality") =>
    manifest.columns[name] ? source.column(manifest, name, signal) : undefined;
  const [domains, evidence] = [ifAny("cells.domain"), ifAny("cells.evidence")];
  const imageQuality = manifest.imageQuality && ifAny("cells.image_quality");
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
    domain: await domains,
    evidence: await evidence,
    imageQuality: await imageQuality,
    observed: observed!,
  };
}

/** Multiplies positions in place: from full-resolution pixels to those of the image that is drawn. */
export function scaled(values: Float32Array, factor: number): Float32Array {
  if (factor !== 1) for (let i = 0; i < values.length; i++) values[i] = values[i]! * factor;
  return values;
}
