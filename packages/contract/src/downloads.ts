/** The folder of the exports in a project's results; the last step writes it. */
export const EXPORTS_FOLDER = "analysis_results/output";

/** A part of the results that can be downloaded alone. */
export interface DownloadPart {
  id: string;
  /** What it is, as a menu shows it. */
  title: string;
  /** What opens it, or what it holds. */
  text: string;
  /** Its files and folders, relative to the exports; a folder ends in "/". */
  exports: readonly string[];
  /** Whether the figures, which are next to the exports, belong to it. */
  figures?: true;
}

/** Every file of the exports belongs to exactly one part, except those that explain all (`WITH_EVERY_ZIP`). */
export const DOWNLOAD_PARTS = [
  {
    id: "h5ad",
    title: "AnnData (h5ad)",
    text: "For scanpy and squidpy",
    exports: ["cell_expression_processed.h5ad"],
  },
  { id: "seurat", title: "Seurat", text: "For R", exports: ["seurat/"] },
  {
    id: "spatialdata",
    title: "SpatialData (Zarr)",
    text: "For spatialdata and napari",
    exports: ["spatialdata.zarr/"],
  },
  {
    id: "tables",
    title: "Tables",
    text: "Cells, genes, markers, and statistics",
    exports: [
      "cell_metadata.csv",
      "gene_reliability.csv",
      "region_composition.csv",
      "protein_channels.csv",
      "barcode_to_cell.parquet",
      "statistics/",
      "statistics.json",
    ],
  },
  {
    id: "figures",
    title: "Figures",
    text: "PNG, SVG, and PDF",
    exports: ["annotated_figures/"],
    figures: true,
  },
  {
    id: "report",
    title: "Report",
    text: "One HTML file",
    exports: ["report.html"],
  },
  {
    id: "outlines",
    title: "Outlines for QuPath",
    text: "Cells as GeoJSON and GeoParquet",
    exports: [
      "cells.geojson",
      "cells_detailed.geojson.gz",
      "cell_polygons.parquet",
      "nucleus_polygons.parquet",
    ],
  },
  {
    id: "loupe",
    title: "Loupe Browser",
    text: "Clusters and cell types by barcode",
    exports: ["loupe/"],
  },
] as const satisfies readonly DownloadPart[];

export type DownloadPartId = (typeof DOWNLOAD_PARTS)[number]["id"];
export const DOWNLOAD_PART_IDS: readonly DownloadPartId[] = DOWNLOAD_PARTS.map(({ id }) => id);

/** Exports that every part with several files brings along: what each file is, and how it was made. */
export const WITH_EVERY_ZIP: readonly string[] = ["README.txt", "provenance.json"];

/** Whether a file of the exports, by its path relative to them, belongs to a part. */
export function belongsToPart(part: DownloadPart, path: string): boolean {
  return part.exports.some((entry) =>
    entry.endsWith("/") ? path.startsWith(entry) : path === entry,
  );
}
