import type { UploadSlot } from "./upload-slot.ts";

/** Regions that were drawn on the image. */
const DRAWN = {
  fileName: "annotations exported from QuPath (.geojson), or a label image (.tif)",
  extensions: [".geojson", ".json", ".tiff", ".tif"],
} as const;

/**
 * Additive and never needed, on every platform: files of the user's own about how the sample is analyzed. Their ids are
 * the names of the pipeline's inputs (`AddedFiles`).
 */
export const OWN_FILES = [
  ownFile("alignment", {
    label: "Alignment (optional)",
    fileName: "an alignment saved by Loupe Browser, or landmarks (.json)",
    extensions: [".json"],
    storedAs: "alignment",
  }),
  ownFile("outlines", {
    label: "Outlines of cells (optional)",
    fileName: "cells outlined by another program",
    extensions: [".geojson", ".parquet", ".json", ".tiff", ".tif", ".npy"],
    storedAs: "cell_outlines",
  }),
  ownFile("regions", { ...DRAWN, label: "Regions to compare (optional)", storedAs: "regions" }),
  ownFile("excluded", {
    ...DRAWN,
    label: "Regions to leave out (optional)",
    storedAs: "excluded_regions",
  }),
  ownFile("kept", { ...DRAWN, label: "Regions to keep (optional)", storedAs: "kept_regions" }),
  ownFile("annotations", {
    label: "Annotations (optional)",
    fileName: "annotations saved in the interactive view (.json)",
    extensions: [".json"],
    storedAs: "annotations",
  }),
] as const satisfies readonly UploadSlot[];

/** By this name regions that were drawn in the view, or imported there, are known from those that were uploaded. */
export const DRAWN_REGIONS = "regions marked in the view.geojson";

/* @__NO_SIDE_EFFECTS__ */
function ownFile<const Id extends string, const Rest extends object>(id: Id, rest: Rest) {
  return { id, group: "more_files", part: id, isAddition: true, ...rest } as const;
}

export type OwnFile = (typeof OWN_FILES)[number]["id"];

/** Whether a slot holds one of these. */
export function isOwnFile(slot: string): slot is OwnFile {
  return OWN_FILES.some(({ id }) => id === slot);
}
