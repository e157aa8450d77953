/** Recognizing, checking, and reading the files of a sample. */
export * from "../before-run/check-own-file.ts";
export * from "../before-run/look-at-detection.ts";
export * from "../before-run/look-at-own-files.ts";
export * from "../before-run/look-at-registration.ts";
export * from "../before-run/look-for-pieces.ts";
export * from "../readers/find-sample-files.ts";
export * from "../readers/images/open-tissue-image.ts";
export * from "../readers/images/tissue-image.ts";
export * from "../readers/sample-files.ts";
export * from "../readers/segmentation/edited-nuclei.ts";
export type { Outlines } from "../readers/segmentation/outlines.ts";
export * from "../readers/space-ranger/read-positions.ts";
export * from "../readers/space-ranger/read-text-matrix.ts";
export * from "../readers/tables/text-table.ts";
export * from "../regions/label-regions.ts";
export * from "../steps/0-feature-initialization/check-inputs.ts";
