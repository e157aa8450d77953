import type { UploadSlot } from "./upload-slot.ts";

/**
 * Additive and never needed, on every platform: files of the user's own about how the sample is analyzed. Their ids are
 * the names of the pipeline's inputs (`AddedFiles`).
 */
export const OWN_FILES = [
  {
    id: "alignment",
    group: "more_files",
    part: "alignment",
    label: "Alignment (optional)",
    fileName: "an alignment saved by Loupe Browser, or landmarks (.json)",
    extensions: [".json"],
    storedAs: "alignment",
    isAddition: true,
  },
  {
    id: "outlines",
    group: "more_files",
    part: "outlines",
    label: "Outlines of cells (optional)",
    fileName: "cells outlined by another program",
    extensions: [".geojson", ".parquet", ".json", ".tiff", ".tif", ".npy"],
    storedAs: "cell_outlines",
    isAddition: true,
  },
  {
    id: "regions",
    group: "more_files",
    part: "regions",
    label: "Regions to compare (optional)",
    fileName: "annotations exported from QuPath (.geojson), or a label image (.tif)",
    extensions: [".geojson", ".json", ".tiff", ".tif"],
    storedAs: "regions",
    isAddition: true,
  },
  {
    id: "excluded",
    group: "more_files",
    part: "excluded",
    label: "Regions to leave out (optional)",
    fileName: "annotations exported from QuPath (.geojson), or a label image (.tif)",
    extensions: [".geojson", ".json", ".tiff", ".tif"],
    storedAs: "excluded_regions",
    isAddition: true,
  },
  {
    id: "kept",
    group: "more_files",
    part: "kept",
    label: "Regions to keep (optional)",
    fileName: "annotations exported from QuPath (.geojson), or a label image (.tif)",
    extensions: [".geojson", ".json", ".tiff", ".tif"],
    storedAs: "kept_regions",
    isAddition: true,
  },
  {
    id: "annotations",
    group: "more_files",
    part: "annotations",
    label: "Annotations (optional)",
    fileName: "annotations saved in the interactive view (.json)",
    extensions: [".json"],
    storedAs: "annotations",
    isAddition: true,
  },
] as const satisfies readonly UploadSlot[];

/** By this name regions that were drawn in the view, or imported there, are known from those that were uploaded. */
export const DRAWN_REGIONS = "regions marked in the view.geojson";

export type OwnFile = (typeof OWN_FILES)[number]["id"];

/** Whether a slot holds one of these. */
export function isOwnFile(slot: string): slot is OwnFile {
  return OWN_FILES.some(({ id }) => id === slot);
}
