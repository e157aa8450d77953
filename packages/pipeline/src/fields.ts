import type {
  AlignmentScale,
  BleedModel,
  ExpressionReport,
  TypeFit,
  FineBinReport,
  ImageFacts,
  QualityReport,
  SpeciesFacts,
  RegistrationReport,
  SegmentationReport,
  SelfTest,
  StainModel,
  TypingReport,
} from "./facts.ts";
import type { Matrix, NumericArray, Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import type { StepNumber } from "@stipple/contract";
import type { MarkerTable, SpatialStatistics } from "@stipple/contract/statistical-facts";

interface Kind<K extends string, T> {
  kind: K;
  /** Which step writes it. */
  step: StepNumber;
  /** Type carrier only; never set. */
  value?: T;
}

type Step = StepNumber;
const text = (step: Step): Kind<"text", string[]> => ({ kind: "text", step });
const json = <T>(step: Step): Kind<"json", T> => ({ kind: "json", step });
const column = <T extends NumericArray>(step: Step): Kind<"column", T> => ({
  kind: "column",
  step,
});
const matrix = <T extends NumericArray>(step: Step): Kind<"matrix", Matrix<T>> => ({
  kind: "matrix",
  step,
});
const sparse = (step: Step): Kind<"sparse", SparseMatrix> => ({ kind: "sparse", step });
const polygons = (step: Step): Kind<"polygons", Polygons> => ({ kind: "polygons", step });

/** Files in other formats (images, tables) that a later step uses: read as absolute paths, sorted. */
interface FilesKind extends Kind<"files", string[]> {
  /** On the path below the results folder. */
  pattern: RegExp;
}
const files = (step: Step, pattern: RegExp): FilesKind => ({ kind: "files", step, pattern });

/**
 * Everything that steps pass on: its key, its type and the step that writes it. There is no other channel
 * between steps: what a step reads determines what is fetched for it and when it reruns. views.ts lists what is computed
 * from several of them.
 * Positions are (x, y) in full-resolution pixels; areas and lengths name their unit.
 * nSpots = barcodes in tissue that have both counts and a position; nCells, nGenes likewise fixed by their first field.
 */
export const FIELDS = {
  // step 0
  "spots/barcode": text(0),
  /** nSpots × 2: x (pxl_col_in_fullres), y (pxl_row_in_fullres). */
  "spots/xy": matrix<Float64Array>(0),
  /** nSpots × 2: array_row, array_col. */
  "spots/array": matrix<Int32Array>(0),
  /** nSpots × nGenes, integer UMI counts of Gene Expression features. */
  "spots/counts": sparse(0),
  "spots/total_counts": column<Float64Array>(0),
  "spots/cluster": column<Int32Array>(0),
  /** nSpots × nComponents. */
  "spots/X_pca": matrix<Float32Array>(0),
  "genes/id": text(0),
  /** As markers and references name genes: without a genome in front, and by a table where the file has only IDs. */
  "genes/symbol": text(0),
  /** Symbol made unique: the h5ad's var index. */
  "genes/name": text(0),
  /** Antibody Capture features; missing from samples without any. */
  "proteins/name": text(0),
  /** nSpots × nProteins, integer UMI counts. */
  "spots/protein_counts": sparse(0),
  "sample/scale": json<AlignmentScale>(0),
  "sample/image": json<ImageFacts>(0),
  "sample/quality": json<QualityReport>(0),
  "sample/species": json<SpeciesFacts>(0),
  "spots/figures": files(0, /^step0_output\/[^/]+\.png$/),

  // step 1
  "image/stain": json<StainModel>(1),
  /** Low-resolution tissue mask of the whole image, 1 = tissue. */
  "image/tissue_mask": matrix<Uint8Array>(1),
  "image/registration": json<RegistrationReport>(1),
  /** nSpots: 0 for spots off the image, or where it was not scanned. */
  "spots/seen": column<Uint8Array>(1),
  /** Tiled copy of an image that is slow to read in regions; no file if the image itself can be used. */
  "image/working_copy": files(1, /^step1_output\/working_image\.tif$/),
  "image/figures": files(1, /^step1_output\/[^/]+\.png$/),

  // step 2
  "nuclei/polygon": polygons(2),
  "cells/polygon": polygons(2),
  /** nCells × 2: nucleus centroid. */
  "cells/xy": matrix<Float32Array>(2),
  "cells/area_um2": column<Float32Array>(2),
  "cells/nucleus_area_um2": column<Float32Array>(2),
  /** Index into IMAGE_QUALITIES: image quality at the cell. */
  "cells/image_quality": column<Uint8Array>(2),
  /** nCells × nFeatures, raw (not yet standardized). */
  "cells/features": matrix<Float32Array>(2),
  "features/name": text(2),
  "sample/segmentation": json<SegmentationReport>(2),
  "cells/figures": files(2, /^step2_output\/[^/]+\.png$/),

  // step 3
  /** A, nSpots × nCells: how much of each cell's RNA each spot captures. */
  "spots/cells": sparse(3),
  /** Index of the spot that overlaps the cell most, else of the nearest spot; -1 when there is none within reach. */
  "cells/spot": column<Int32Array>(3),
  /** 1 = some of the cell lies in a spot (its counts can be observed). */
  "cells/observed": column<Uint8Array>(3),
  /** Index into CELL_EVIDENCE: measured, inferred from spots within reach, or beyond the reach of every spot. */
  "cells/evidence": column<Uint8Array>(3),
  "sample/bleed": json<BleedModel>(3),

  // step 3, where the array's finest bins were given
  /** nCells × nGenes: what the finest bins of each cell counted, whole bins. */
  "cells/fine_counts": sparse(3),
  /** nCells × nCells: how much of each cell's RNA (columns) the finest bins of each cell (rows) capture. */
  "cells/fine_capture": sparse(3),
  /** nCells: how much the finest bins of each cell capture relative to their neighbors (stripes), mean over its bins. */
  "cells/fine_efficiency": column<Float32Array>(3),
  /** nGenes: counts of all finest bins, and of those that belong to no cell. */
  "genes/fine_total": column<Float64Array>(3),
  "genes/fine_unassigned": column<Float64Array>(3),
  "sample/fine_bins": json<FineBinReport>(3),

  // step 4
  /** M, nCells × nPrototypes; rows sum to 1, on HD slides to the cell's RNA content relative to the model. */
  "cells/membership": matrix<Float32Array>(4),
  /** B, nPrototypes × nGenes, expected counts of a cell. */
  "genes/profile": matrix<Float32Array>(4),
  /** e, nSpots: capture efficiency relative to the model. */
  "spots/efficiency": column<Float32Array>(4),
  /** E = diag(e)AM, nSpots × nPrototypes: what each spot sees of each prototype; E·B are the expected counts. */
  "spots/exposure": matrix<Float32Array>(4),
  /** The spots/counts transposed, nGenes × nSpots: one gene's spots without reading the others. */
  "genes/spots": sparse(4),
  /** nCells × 7: spots around the cell, nearest first; -1 where there are fewer within reach. */
  "cells/near_spot": matrix<Int32Array>(4),
  /** nCells × 7: their Gaussian weights; a row sums to 1 or is all zero. */
  "cells/near_weight": matrix<Float32Array>(4),
  /** Where the array's finest bins were given, the same of each cell's own ones: nCells × nPrototypes, what they see of each prototype. */
  "cells/fine_exposure": matrix<Float32Array>(4),
  /** nCells × 7: cells whose finest bins capture the cell, the one with most first; −1 where there are fewer. */
  "cells/near_fine": matrix<Int32Array>(4),
  /** nCells × 7: how much, in shares; a row sums to 1 or is all zero. */
  "cells/near_fine_weight": matrix<Float32Array>(4),
  /** nCells: UMIs of its finest bins. */
  "cells/fine_total": column<Float64Array>(4),
  /** The cells/fine_counts transposed, nGenes × nCells. */
  "genes/fine_counts": sparse(4),
  /** nCells × nGenes, integers: observed UMIs allocated to the cells of their spot (on HD slides: those that the bin captures). */
  "cells/counts": sparse(4),
  /** nGenes: observed UMIs of spots without any cell. */
  "genes/unassigned": column<Float64Array>(4),
  /** nGenes: UMIs in all spots, and how much these vary between spots beyond noise (0: not, or too few to tell). */
  "genes/spot_total": column<Float64Array>(4),
  "genes/excess": column<Float64Array>(4),
  /** nGenes: correlation of predicted and observed counts over held-out blocks of spots. */
  "genes/heldout_pcc": column<Float32Array>(4),
  "genes/reliable": column<Uint8Array>(4),
  /** nGenes × 3: expected correlation of the rate over single cells and its 80% interval; NaN where not assessed. */
  "genes/cell_pcc": matrix<Float32Array>(4),
  /** nGenes: index into RATE_SOURCES, what cells/rate holds of each gene. */
  "genes/rate_source": column<Uint8Array>(4),
  /** nGenes: weight of the model: UMIs around the cell, or on HD slides relative to its own bins, learned from halves. */
  "genes/rate_shape": column<Float32Array>(4),
  /** nCells: coefficient of variation of the inferred rate when spots are resampled, median over reliable genes; NaN where unknown. */
  "cells/rate_cv": column<Float32Array>(4),
  /** nGenes: the same by gene, median over a sample of cells; NaN where unknown. */
  "genes/rate_cv": column<Float32Array>(4),
  "sample/expression": json<ExpressionReport>(4),
  /** Types fitted to the spots; only where spots contain many cells and confirm at least one type. */
  "sample/type_fit": json<TypeFit>(4),
  /** nCells × (types of sample/type_fit + 1): posterior of each type and, last, of none. */
  "cells/type_posterior": matrix<Float32Array>(4),

  // step 5
  "cells/cluster": column<Int32Array>(5),
  /** Index into types/name. */
  "cells/cell_type": column<Int32Array>(5),
  /** Probability that the assigned type is right, 0–1; NaN where it is "Unknown". */
  "cells/confidence": column<Float32Array>(5),
  /** Lead of the assigned type's posterior over the second best, 0–1; 0 where the type is "Unknown". */
  "cells/type_margin": column<Float32Array>(5),
  "cells/X_pca": matrix<Float32Array>(5),
  "types/name": text(5),
  /** nSpots × labels of the reference (sample/typing): share of each in the spot's RNA; no columns without a reference. */
  "spots/proportion": matrix<Float32Array>(5),
  /** Their intervals. */
  "spots/proportion_low": matrix<Float32Array>(5),
  "spots/proportion_high": matrix<Float32Array>(5),
  /** #rrggbb, one per type. */
  "types/color": text(5),
  "sample/typing": json<TypingReport>(5),
  "clusters/tables": files(5, /^step5_output\/[^/]+\.csv$/),

  // step 6
  "cells/X_umap": matrix<Float32Array>(6),
  /** Markers of clusters and of types, tested on the observed counts. */
  "sample/markers": json<MarkerTable[]>(6),
  /** nGenes × nClusters: area under the curve of each gene for each cluster; NaN where not tested. */
  "genes/cluster_auc": matrix<Float32Array>(6),
  /** nGenes × nTypes. */
  "genes/type_auc": matrix<Float32Array>(6),
  "sample/figures": files(6, /^figures\/[^/]+\.png$/),
  "sample/tables": files(6, /^step6_output\/[^/]+\.csv$/),
  /** What the interactive view shows: manifest, columns, tiles, counts gene by gene. */
  "sample/view": files(6, /^step6_output\/viewer\//),

  // step 6, analysis type "advanced" only
  /** nCells × nCells, symmetric: distance of neighboring cells, µm. */
  "cells/neighbors": sparse(6),
  /** Spatial domain, 0 = the largest. */
  "cells/domain": column<Int32Array>(6),
  "sample/spatial_statistics": json<SpatialStatistics>(6),

  // step 7
  /** Expected accuracy, tested on a synthetic twin of the sample. */
  "sample/self_test": json<SelfTest>(7),
} as const;

export type FieldKey = keyof typeof FIELDS;
export type Field<K extends FieldKey> = NonNullable<(typeof FIELDS)[K]["value"]>;

/** Fields with stored arrays or facts, which a step writes. */
export type StoredKey = {
  [K in FieldKey]: (typeof FIELDS)[K]["kind"] extends "files" ? never : K;
}[FieldKey];

export type SparseKey = {
  [K in FieldKey]: (typeof FIELDS)[K]["kind"] extends "sparse" ? K : never;
}[FieldKey];
