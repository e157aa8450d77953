import type { RateSummary } from "../../exports/anndata/write-rates.ts";
import type { CaptureNoun } from "../../model/row-noun.ts";
import { CLUSTERS } from "../../model/constants.ts";
import { LIGHT_TOLERANCE_UM } from "./read-results.ts";
import type { WrittenMatrices } from "./write-exports.ts";

const reliabilityInCells = (
  noun: CaptureNoun,
): string => `var["cell_pcc"] is the expected correlation, over single cells, of a gene's rate with the counts that the
cells would have had themselves; 80% of genes fall between cell_pcc_low and cell_pcc_high. Don't read genes with
var["reliable"] = False cell by cell; use the ${noun} data.`;
const inCells = (
  noun: CaptureNoun,
): string => `the expression that the model expects in every cell, including cells outside the ${noun}s, based on
morphology and surroundings`;
const EMPTY_CELLS = `, which would leave most
cells empty`;
const ALLOCATED_TO_SPOTS = `
layers["allocated"] holds the same, because nothing is shared.
`;
const RELIABILITY_OF_SPOTS = `For genes with var["reliable"] = False, use the observed counts. var["cell_pcc"] is
empty, because these results are not for single cells.`;

/** What the README depends on. */
export interface ReadmeFacts {
  version: string;
  sample: string;
  /** Each spot is treated as a cell. */
  spotLevel: boolean;
  spotNoun: CaptureNoun;
  /** Whether the look of cells helps to predict held-out spots; null if untested. */
  looksHelp: boolean | null;
  /** Full-resolution pixels per pixel of the image that the sample came with. */
  imagePixel: number;
  /** Outlines were written for Space Ranger. */
  spaceRanger: boolean;
  nCells: number;
  nGenes: number;
  nReliable: number;
  /** The units in which the cell counts were measured. */
  countsFrom: string;
  written: WrittenMatrices;
  /** Spots have proportions of a reference's labels. */
  proportions: boolean;
  /** Paths of the marker and statistics tables. */
  tables: readonly string[];
  /** Whether the user gave regions. */
  regions: boolean;
  /** Whether the user gave annotations. */
  annotations: boolean;
  /** Whether they changed types or clusters. */
  annotatedFigures: boolean;
  /** Whether antibodies were counted. */
  proteins: boolean;
}

/** Text of the exports' README.txt. */
export function readmeText(facts: ReadmeFacts): string {
  const { written, spotLevel, spotNoun, countsFrom } = facts;
  const shared = spotLevel || written.allocatedLeast === null ? "" : SHARED_BY[spotNoun];
  const title = `Stipple ${facts.version}: ${spotLevel ? `${spotNoun}-level` : "single-cell"} results of ${facts.sample}`;
  return `${title}
${"=".repeat(title.length)}

${facts.nCells} ${spotLevel ? `${spotNoun}s` : "cells"}, ${facts.nGenes} genes, ${facts.nReliable} of them reliable${spotLevel ? "" : " at cell level"}.
Start with report.html. It opens in any browser, without an internet connection.
${spotLevel ? spotLevelText(spotNoun) : ""}
Observed counts and inferred rates
----------------------------------
Observed (layers["counts"]): every UMI measured in the sample's ${countsFrom}, assigned to one cell. Totals are conserved:
for every gene, the sum over the cells plus var["unassigned"] equals the sum over the ${countsFrom}.${shared}
Use observed counts for statistical tests and whenever measured evidence matters.
${written.allocatedLeast === null ? "" : spotLevel ? ALLOCATED_TO_SPOTS : allocatedText(written.allocatedLeast, spotNoun, facts.looksHelp === false)}
Inferred (layers["rate"]): ${spotLevel ? `the expression that the model expects in every ${spotNoun}` : inCells(spotNoun)}.
Use it for plots and clustering, not for tests: a test would only confirm the model.

X is log1p of the inferred rate, scaled to 10,000 per cell. It is not computed from the counts${spotLevel ? "" : EMPTY_CELLS}.

How much you can trust a gene: var["heldout_pcc"] is the correlation of predicted and measured counts over held-out ${spotNoun}s.
${spotLevel ? RELIABILITY_OF_SPOTS : reliabilityInCells(spotNoun)}
How much you can trust a cell: obs["rate_cv"] says how much its inferred rates change when we resample the ${spotNoun}s
(coefficient of variation, median over reliable genes; empty or NaN where unknown).

Small rates are left out of files that would otherwise be too large:
  h5ad              ${left(written.h5ad)}
  spatialdata.zarr  ${left(written.spatialData)}
  seurat/rate       reliable genes only; ${left(written.seurat)}

Files
-----
${filesText(facts)}
${columnsText(spotNoun)}`;
}

/** What each file holds. */
function filesText(facts: ReadmeFacts): string {
  const { written, spotLevel, spotNoun } = facts;
  const rows = spotLevel ? spotNoun : "cell";
  return `report.html                     results, how much you can trust them, and how they were made
cell_expression_processed.h5ad  AnnData (anndata >= 0.8, scanpy, squidpy)
                                obs: cell_type, cluster, confidence, type_margin, observed, evidence, image_quality,
                                total_counts, rate_cv, spot_id, area_um2 (µm², also as area), x, y, cell_id; advanced: domain
                                var: gene_ids, symbol, total_counts, unassigned, heldout_pcc, reliable, rate_source,
                                rate_cv, cell_pcc, cell_pcc_low, cell_pcc_high
                                obsm: spatial (x, y in full-resolution pixels), X_umap, X_pca, prototypes
                                varm: prototypes; obsm["prototypes"] @ varm["prototypes"].T is the model's rate of each gene
                                in each cell, before adjustment to the counts of nearby ${spotNoun}s
                                obsp: spatial_connectivities, spatial_distances (Delaunay neighbors); to recompute them:
                                radius = tuple(adata.uns["spatial_neighbors"]["params"]["radius"])
                                squidpy.gr.spatial_neighbors_delaunay(adata, radius=radius)
                                or, before squidpy 1.8.2:
                                squidpy.gr.spatial_neighbors(adata, coord_type="generic", delaunay=True, radius=radius)
                                before saving, because h5ad has no tuples:
                                adata.uns["spatial_neighbors"]["params"]["radius"] = list(radius)
                                raw: a copy of the observed counts, where CELLxGENE expects them. scanpy plots genes
                                from raw by default; use_raw=False plots the inferred X
${facts.proteins ? proteinsText(spotNoun) : ""}                                uns["spatial"]: images and scale factors; spot_diameter_fullres there is the diameter
                                of the median cell, so plots draw cells at their size
                                uns: markers and statistics under scanpy's and squidpy's names; no rank_genes_groups
                                where no gene is reliable
${facts.tables.includes(LIGAND_RECEPTOR) ? PAIRS_FOR_SQUIDPY : ""}                                Fields of the CELLxGENE schema 7.1.0 that are filled in: organism (uns), assay, cell type
                                and tissue (if specified) as ontology terms, raw, is_primary_data. Before submitting, make
                                gene_ids the index of var and of raw.var, and replace EFO:0010961 by the term of your version
                                of Visium. Add donor, disease, sex, stage, ethnicity, tissue, and var["feature_is_filtered"],
                                which is False. Rename cell_type and its colors, and remove the columns assay and tissue and
                                uns["organism"], because CELLxGENE writes these itself. Results of Visium also need
                                adata.uns["spatial"] = {"is_single": False}
spatialdata.zarr/               SpatialData (spatialdata >= 0.6, Zarr 3): sd.read_zarr("spatialdata.zarr")
                                coordinate systems: global (full-resolution pixels) and microns
                                shapes: ${spotLevel ? "spot_outlines, spots" : "cells, nuclei, spots"}${spotLevel ? "" : "; labels: cell_labels (cell_id of every pixel)"}
                                tables: table as in the h5ad, spot_counts (measured counts by barcode${
                                  facts.proportions
                                    ? `; obsm["proportion"]: shares
                                of the reference's labels in each ${spotNoun}'s RNA, with proportion_low and proportion_high;
                                labels in uns["proportion_labels"]; the same in statistics/spot_proportions.csv`
                                    : ""
                                })
                                ${imageLine(written)}
seurat/                         in R: source("seurat/read_stipple.R"); cells <- read_stipple("seurat")
                                matrix.mtx.gz, features.tsv.gz, barcodes.tsv.gz (observed counts), rate/ (inferred rates),
                                metadata.csv, umap.csv.gz, pca.csv.gz, centroids.csv, outlines.csv.gz (within
                                ${LIGHT_TOLERANCE_UM} µm)${written.picture ? ", tissue.png" : ""}. Cell names start with the sample name, which is orig.ident
cells.geojson                   ${rows}s for QuPath (drag it onto the image): type and outline within ${LIGHT_TOLERANCE_UM} µm${spotLevel ? "" : "; neighbors do not overlap"}
cells_detailed.geojson.gz       the same with full outlines${spotLevel ? "" : ", nuclei"} and measurements; QuPath 0.4 or newer opens it directly
${facts.imagePixel === 1 ? "" : inFullResolution(facts.imagePixel)}cell_polygons.parquet           outlines in µm from the image's upper left corner, y downward (GeoParquet 1.1):
                                geopandas.read_parquet("cell_polygons.parquet")${spotLevel ? "" : "; nucleus_polygons.parquet has the nuclei"}
barcode_to_cell.parquet         one row per barcode and ${spotLevel ? "row" : "cell whose RNA it captures, from under it or diffused"}: barcode, cell, cell_id,
                                captured (the share of the cell's RNA), main (whether the barcode is the cell's spot_id)
loupe/                          for Loupe Browser: spot_clusters.csv has the cluster of each barcode, spot_cell_types.csv the
                                type of whose cells it captures most
${facts.spaceRanger ? LOUPE_CELLS : ""}cell_metadata.csv               one row per ${rows}: index, x, y, cell_type, spot_id, cluster, confidence, type_margin, observed,
                                total_counts, rate_cv, area_um2, evidence, image_quality
${facts.annotations ? ANNOTATIONS : ""}${facts.annotatedFigures ? ANNOTATED_FIGURES : ""}${facts.regions ? REGIONS : ""}gene_reliability.csv            one row per gene: held-out correlation, whether it is reliable, UMIs assigned and unassigned
${facts.tables.length > 0 ? `statistics/                     ${wrapped(facts.tables)}\n${tablesText(spotNoun)}` : ""}statistics.json                 number of ${spotNoun}s, cells, and genes; cells per ${spotNoun} = cells touched by a ${spotNoun} / ${spotNoun}s;
                                verdict: how much you can trust single cells, and why
provenance.json                 versions, settings, parameters, seed, input checksums, timings, warnings
README.txt                      this file
`;
}

const inFullResolution = (
  imagePixel: number,
): string => `                                Both are in full-resolution pixels. A pixel of your image spans ${imagePixel.toFixed(3)} of them: divide
                                the coordinates by that to see the cells on it
`;

const LIGAND_RECEPTOR = "statistics/ligand_receptor.csv";
const PAIRS_FOR_SQUIDPY = `                                uns["cell_type_ligrec"] has arrays, because h5ad has no tables with two names a row. For
                                squidpy.pl.ligrec(tables):
                                pairs = adata.uns["cell_type_ligrec"]
                                sides = ["source", "target"], ["cluster_1", "cluster_2"]
                                rows, columns = (pandas.MultiIndex.from_arrays([pairs[s] for s in side], names=side) for side in sides)
                                tables = {key: pandas.DataFrame(pairs[key], rows, columns) for key in ["means", "pvalues"]}
`;

const columnsText = (
  noun: CaptureNoun,
): string => `In every CSV, text that begins with =, +, -, @, a tab, or a line break has an apostrophe in front, because spreadsheets would
run it as a formula. To restore it, remove one apostrophe in front of such text, even if more apostrophes follow. Numbers
are unchanged.

spot_id is the ${noun} that overlaps the cell most, otherwise the nearest one within 100 µm or twice the distance between
${noun}s, whichever is more; empty if there is none.
evidence is the basis of a cell's expression: measured (a ${noun} touches it), inferred (a ${noun} is within reach: the distance
between ${noun}s, at least 20 µm, unless the parameter "reach" is set), or beyond_reach (no ${noun} is; the cell can still have a
spot_id, and counts).
image_quality is the quality of the image at the cell: good, blurred, dark (a fold, pigment, or ink hides the nuclei),
pen (under colored ink), or not_judged (too little contrast, a coarse image, no image).
confidence is the probability that the cell's type is right, calibrated on tissues of known truth (empty or NaN where the
type is Unknown); type_margin is the lead of the type's posterior over the second best (0 there). Both are of the computed
type, also in files with annotated types.
`;

const tablesText = (
  noun: CaptureNoun,
): string => `                                markers_….csv: the genes with the highest auc in each group, whether they are markers or not. A
                                marker has log2_fold_change and t_over_spots above 0 and pvalue_over_spots_adj below 0.05
                                (logfoldchanges, scores, and pvals_adj of rank_genes_groups in the h5ad, in the same order)
                                cluster_markers.csv: the genes that the model expects to be highest in each cluster, by
                                log2_fold_change = log2((mean_rate + ${CLUSTERS.FLOOR}) / (mean_rate_others + ${CLUSTERS.FLOOR})). It has no
                                p-values, because a test of rates would only confirm the model.
                                mean_rate is the mean of the model's rates, before adjustment to the counts of nearby
                                ${noun}s: that of obsm["prototypes"] @ varm["prototypes"].T, not of rate
`;

const proteinsText = (
  noun: CaptureNoun,
): string => `                                obsm["protein"]: proteins counted with antibodies (centered log ratio of each ${noun}),
                                interpolated from the ${noun}s around each cell: they don't tell the cells of one ${noun}
                                apart; in Seurat the assay "Protein". protein_channels.csv, with a fluorescence image:
                                how closely each follows each channel
`;

const REGIONS = `region_composition.csv          cells of each type in each of your regions. obs and the tables of cells have tissue_region,
                                the smallest region that contains the cell's center, and for each region the distance from
                                its border in µm, negative inside (distance_to_…_um). uns["stipple"]["regions"] says who
                                drew them, and when
`;

const ANNOTATIONS = `                                Annotations of the cells are next to the computed values, also in obs and seurat/:
                                cell_type_annotated (and cluster_annotated, domain_annotated), clusters_… for each
                                clustering made in the view, and group_… (True or False) for each group; gene lists and
                                notes are in uns["stipple"]["annotations"]. cells.geojson, loupe/, and
                                region_composition.csv have the annotated types
`;

const ANNOTATED_FIGURES = `annotated_figures/              the figures of types and clusters with their annotated names, as PNG, SVG, and PDF
`;

const spotLevelText = (noun: CaptureNoun): string => `
No nuclei could be seen in the image, so these are NOT single cells: each row is one ${noun}. Below, "cell" means a whole
${noun} with all the cells under it.
`;

const SHARED_BY: Record<CaptureNoun, string> = {
  bin: ` A
bin's UMIs are shared among the cells that it captures.`,
  spot: ` A
spot's UMIs are shared among the cells that have it as spot_id, so they sum to the spot's counts, gene by gene. A cell with
obs["observed"] = False is outside its spot: its counts were measured next to it, not in it.`,
};

const LOUPE_CELLS = `                                cell_segmentations.geojson and nucleus_segmentations.geojson for
                                spaceranger count --custom-segmentation-file (Space Ranger 4; with the cell file, add
                                --nucleus-expansion-distance-micron 0). Space Ranger numbers cells by their order in the
                                file; segmented_cell_types.csv has the cell types by the resulting barcodes
`;

function allocatedText(least: number, noun: CaptureNoun, isUnsure: boolean): string {
  return `
layers["allocated"] holds the same before rounding: the expected share of each measured UMI in each cell. Counts are the
nearest whole numbers with the same sums, so the UMIs of a gene counted only once or twice go to the most likely cells. Sums
over groups of cells are more accurate from layers["allocated"].${
    isUnsure && noun === "spot"
      ? `
In this sample the look of cells says little about their expression, so a whole UMI in a single cell is often in the wrong
cell: use layers["allocated"] for single cells as well.`
      : ""
  }${
    least > 0
      ? `
Shares of a ${noun}'s count below ${least.toPrecision(2)} UMIs go to the ${noun}'s other cells; sums are unchanged.`
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
  if (!image) return "no image (the sample has none)";
  const { widthPx, heightPx, scale, levels } = image;
  return `images/tissue: ${widthPx} × ${heightPx} px (${scale[0].toFixed(2)} full-resolution px each) and ${levels - 1} smaller levels`;
}

function wrapped(names: readonly string[]): string {
  return names
    .map((name) => name.replace("statistics/", ""))
    .join("\n                                ");
}
