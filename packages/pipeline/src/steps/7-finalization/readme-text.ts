import type { RateSummary } from "../../exports/anndata/write-rates.ts";
import { LIGHT_TOLERANCE_UM } from "./read-results.ts";
import type { WrittenMatrices } from "./write-exports.ts";

const RELIABILITY_IN_CELLS = `var["cell_pcc"] is the correlation over single cells that its rate is expected to have with what the
cells themselves would have counted; 80 % of genes lie between cell_pcc_low and cell_pcc_high. Genes with var["reliable"] =
False say something about spots, not about single cells.`;
const RELIABILITY_OF_SPOTS = `For genes with var["reliable"] = False use the observed counts. var["cell_pcc"] is empty:
nothing is expected over single cells.`;

/** README.txt of the exports. */
export function readmeText(facts: {
  version: string;
  sample: string;
  /** Spots stand for cells. */
  spotLevel: boolean;
  /** The spots are bins, smaller than cells. */
  bins: boolean;
  /** Outlines were written for Space Ranger. */
  spaceRanger: boolean;
  nCells: number;
  nGenes: number;
  nReliable: number;
  /** What the cells' counts were counted in. */
  countsFrom: string;
  written: WrittenMatrices;
  /** Spots have shares of a reference's labels. */
  proportions: boolean;
  /** Paths of the tables of markers and statistics. */
  tables: readonly string[];
}): string {
  const { written, spotLevel, countsFrom } = facts;
  const shared =
    spotLevel || written.allocatedLeast === null ? "" : facts.bins ? SHARED_BY_BIN : SHARED_BY_SPOT;
  const title = `Stipple ${facts.version}: ${spotLevel ? "spot-level" : "single-cell"} results of ${facts.sample}`;
  return `${title}
${"=".repeat(title.length)}

${facts.nCells} ${spotLevel ? "spots" : "cells"}, ${facts.nGenes} genes, ${facts.nReliable} of them reliable${spotLevel ? "" : " at cell level"}.
Start with report.html: open it in any browser; it needs no connection.
${spotLevel ? SPOT_LEVEL : ""}
Two ledgers
-----------
Observed (layers["counts"]): every UMI that the sample's ${countsFrom} measured, given to one cell. Nothing is invented
and nothing is lost: for every gene the sum over the cells plus var["unassigned"] equals the sum over the ${countsFrom}.${shared}
Use this ledger for tests and for anything that counts evidence.
${written.allocatedLeast === null ? "" : allocatedText(written.allocatedLeast)}
Inferred (layers["rate"]): the expression that the model expects of every cell, those between the spots included, from
its morphology and its surroundings. Use it to look, to group and to plot; a test on inferred values would be circular.

X is log1p of the inferred rate scaled to 10,000 per cell. It is not made from the counts because these would leave most
cells empty.

How far to trust a gene: var["heldout_pcc"] is the correlation of predicted and measured counts over spots that the
model had not seen. ${spotLevel ? RELIABILITY_OF_SPOTS : RELIABILITY_IN_CELLS}
How far to trust a cell: obs["rate_cv"] is the coefficient of variation of its inferred rates when spots are resampled
(median over reliable genes; empty or NaN where unknown).

Small rates are left out where there are too many:
  h5ad              ${left(written.h5ad)}
  spatialdata.zarr  ${left(written.spatialData)}
  seurat/rate       reliable genes only; ${left(written.seurat)}

Files
-----
report.html                     what was found, how far to trust it, and how it was made
cell_expression_processed.h5ad  AnnData (anndata >= 0.8, scanpy, squidpy)
                                obs: cell_type, cluster, confidence, type_margin, observed, evidence, image_quality,
                                total_counts, rate_cv, spot_id, area_um2 (µm², also as area), x, y, cell_id; advanced: domain
                                var: gene_ids, symbol, total_counts, unassigned, heldout_pcc, reliable, rate_source,
                                rate_cv, cell_pcc, cell_pcc_low, cell_pcc_high
                                obsm: spatial (x, y in full-resolution pixels), X_umap, X_pca, prototypes
                                varm: prototypes; obsm["prototypes"] @ varm["prototypes"].T is the model's rate of every gene
                                in every cell, before the counts of the spots around it move it
                                obsp: spatial_connectivities, spatial_distances (Delaunay neighbors); to make them again:
                                params = dict(adata.uns["spatial_neighbors"]["params"])
                                params["radius"] = tuple(params["radius"])
                                squidpy.gr.spatial_neighbors(adata, **params)
                                raw: the observed counts once more, where CELLxGENE looks for them. scanpy draws genes
                                from raw unless told otherwise: use_raw=False shows the inferred X
                                uns["spatial"]: pictures and scale factors; spot_diameter_fullres there is the diameter
                                of a median cell, so that plots draw cells at their size
                                uns: markers and statistics under scanpy's and squidpy's names; no rank_genes_groups
                                where no gene is reliable
                                Fields of the CELLxGENE schema 7.1.0 that are known: organism (uns), assay, cell type and
                                tissue (where it was given) as ontology terms, raw, is_primary_data. To submit, add what
                                only you know (donor, disease, sex, stage), take gene_ids as the index of var, and rename
                                cell_type, which CELLxGENE writes itself
spatialdata.zarr/               SpatialData (spatialdata >= 0.6, Zarr 3): sd.read_zarr("spatialdata.zarr")
                                coordinate systems: global (full-resolution pixels) and microns
                                shapes: ${spotLevel ? "spot_outlines, spots" : "cells, nuclei, spots"}${spotLevel ? "" : "; labels: cell_labels (cell_id of every pixel)"}
                                tables: table as in the h5ad, spot_counts (what was measured, by barcode${
                                  facts.proportions
                                    ? `; obsm["proportion"]: shares
                                of the reference's labels in each spot's RNA, with proportion_low and proportion_high;
                                labels in uns["proportion_labels"]; the same in statistics/spot_proportions.csv`
                                    : ""
                                })
                                ${imageLine(written)}
seurat/                         in R: source("seurat/read_stipple.R"); cells <- read_stipple("seurat")
                                matrix.mtx.gz, features.tsv.gz, barcodes.tsv.gz (observed counts), rate/ (inferred rates),
                                metadata.csv, umap.csv.gz, pca.csv.gz, centroids.csv, outlines.csv.gz (within
                                ${LIGHT_TOLERANCE_UM} µm)${written.picture ? ", tissue.png" : ""}. Cells are named after the sample, which is orig.ident
cells.geojson                   ${spotLevel ? "spots" : "cells"} for QuPath (drag it onto the image): type and outline within ${LIGHT_TOLERANCE_UM} µm${spotLevel ? "" : "; neighbors do not overlap"}
cells_detailed.geojson.gz       the same with full outlines${spotLevel ? "" : ", nuclei"} and measurements; QuPath 0.4 or newer opens it as it is
cell_polygons.parquet           outlines in µm from the image's upper left corner, y downwards (GeoParquet 1.1):
                                geopandas.read_parquet("cell_polygons.parquet")${spotLevel ? "" : "; nucleus_polygons.parquet likewise"}
barcode_to_cell.parquet         one line per barcode and ${spotLevel ? "row" : "cell under it"}: barcode, cell, cell_id, captured (share of the cell's RNA that
                                the barcode captures), main (whether it is the cell's spot_id)
loupe/                          for Loupe Browser: spot_clusters.csv and spot_cell_types.csv, a category for every barcode
${facts.spaceRanger ? LOUPE_CELLS : ""}cell_metadata.csv               one line per ${spotLevel ? "spot" : "cell"}: index, x, y, cell_type, spot_id, cluster, confidence, type_margin, observed,
                                total_counts, rate_cv, area_um2, evidence, image_quality
gene_reliability.csv            one line per gene: held-out correlation, reliable or not, UMIs and where they went
${facts.tables.length > 0 ? `statistics/                     ${wrapped(facts.tables)}\n` : ""}statistics.json                 number of spots, cells and genes; cells per spot = cells that a spot touches / spots;
                                verdict: how far to trust single cells, and why
provenance.json                 versions, settings, parameters, seed, checksums of the input, timings, warnings
README.txt                      this text

In every CSV, text that begins with =, +, -, @, a tab or a line break has an apostrophe in front, because spreadsheets would
run it as a formula. To read it back, drop one apostrophe in front of such a beginning (and of further apostrophes before
one). Numbers are written as they are.

spot_id is the spot that overlaps the cell most, else the nearest one within reach; empty when there is none.
evidence says what a cell's expression rests on: measured (a spot touches it), inferred (a spot lies within reach) or
beyond_reach (none does).
image_quality says what the image is like where a cell lies: good, blurred, dark (a fold, pigment or ink hides the nuclei),
pen (under colored ink) or not_judged (too little contrast, a coarse image, no image).
confidence is the probability that the cell's type is right, calibrated on tissues of known truth; type_margin is the
lead of the type's posterior over the next best.
`;
}

const SPOT_LEVEL = `
No nuclei could be seen in the image, so these are NOT single cells: every spot stands for one row. What is called a
cell below is a whole spot with all the cells under it.
`;

const SHARED_BY_SPOT = ` A
spot's UMIs are shared among the cells that have it as spot_id, so their sum is what the spot counted, gene by gene. A cell
with obs["observed"] = False lies beside its spot: its counts were measured next to it, not in it.`;

const SHARED_BY_BIN = ` A
bin's UMIs are shared among the cells that it captures.`;

const LOUPE_CELLS = `                                cell_segmentations.geojson and nucleus_segmentations.geojson for
                                spaceranger count --custom-segmentation-file (Space Ranger 4; with the file of cells give
                                --nucleus-expansion-distance-micron 0). Space Ranger numbers cells by their order in the
                                file; segmented_cell_types.csv holds the types under the barcodes that follow from it
`;

function allocatedText(least: number): string {
  return `
The same before it is made whole numbers: layers["allocated"], the share of every measured UMI that each cell is expected
to have. Counts are its nearest whole numbers with the same sums, so that the likeliest cells have the UMIs of a gene that
was counted once or twice. Sums over groups of cells are more accurate from layers["allocated"].${
    least > 0
      ? `
Shares of a spot's count below ${least.toPrecision(2)} UMIs are left to the spot's other cells; sums stay what they are.`
      : ""
  }
`;
}

function left({ droppedBelow, droppedFraction }: RateSummary): string {
  return droppedBelow > 0
    ? `rates below ${droppedBelow.toPrecision(3)} are left out, ${(100 * droppedFraction).toFixed(2)}% of the inferred expression`
    : "nothing is left out";
}

function imageLine({ image }: WrittenMatrices): string {
  if (!image) return "no image: the sample has none";
  const { widthPx, heightPx, scale, levels } = image;
  return `images/tissue: ${widthPx} × ${heightPx} px (${scale[0].toFixed(2)} full-resolution px each) and ${levels - 1} smaller levels`;
}

function wrapped(names: readonly string[]): string {
  return names
    .map((name) => name.replace("statistics/", ""))
    .join("\n                                ");
}
