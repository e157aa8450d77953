import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

const group = z.object({ name: z.string(), color: z.string(), count: z.int() });

/** First thing a viewer reads. Columns are little-endian binary files beside it (see `columns`). */
export const viewerManifest = z.object({
  version: z.literal(1),
  widthPx: z.number(),
  heightPx: z.number(),
  micronsPerPixel: z.number(),
  nCells: z.int(),
  nSpots: z.int(),
  spotRadiusPx: z.number(),
  types: z.array(group),
  clusters: z.array(group),
  /** Gene names as in the h5ad's var index. */
  genes: z.array(z.string()),
  /** DeepZoom pyramid `tissue_files/{level}/{column}_{row}.{format}`. `scale` = full-resolution pixels per pixel of the largest level. */
  tissue: z.object({
    tileSize: z.int(),
    overlap: z.int(),
    format: z.string(),
    widthPx: z.int(),
    heightPx: z.int(),
    scale: z.number(),
  }),
  /** Column name → file name, element type and number of elements. */
  columns: z.record(
    z.enum([
      "cells.xy",
      "cells.type",
      "cells.cluster",
      "cells.observed",
      "cells.umap",
      "cells.polygon.offsets",
      "cells.polygon.xy",
      "spots.xy",
    ]),
    z.object({
      file: z.string(),
      dtype: z.enum(["float32", "uint32", "uint16", "uint8"]),
      length: z.int(),
    }),
  ),
});
export type ViewerManifest = z.infer<typeof viewerManifest>;

export const visualizationManifest = defineRoute({
  method: "GET",
  path: "/visualization/:token/manifest",
  access: "visualization",
  summary: "What the interactive view of one project consists of.",
  params: z.object({ token: z.string() }),
  answers: { 200: z.object({ project_name: z.string(), manifest: viewerManifest }) },
});

export const visualizationFile = defineRoute({
  method: "GET",
  path: "/visualization/:token/file/*",
  access: "visualization",
  summary: "A column or image tile of the interactive view.",
  params: z.looseObject({ token: z.string() }),
  answers: { 200: null },
});

export const visualizationGene = defineRoute({
  method: "GET",
  path: "/visualization/:token/gene",
  access: "visualization",
  summary: "One gene over all cells: little-endian float32, one value a cell.",
  params: z.object({ token: z.string() }),
  query: z.object({ name: z.string(), layer: z._default(z.enum(["rate", "counts"]), "rate") }),
  answers: { 200: null },
});
