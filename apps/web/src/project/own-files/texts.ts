/** Sentences about the files that a user adds to a sample. */
export const ownFileTexts = {
  title: "More files",
  optional: "(optional)",
  hint: "Files from other programs that change how the sample is analyzed. Without them, cells are found in the image, and positions stay as Space Ranger wrote them.",
  /** What each is good for, in its row. */
  expected: {
    alignment:
      ".json: moves positions to where they belong, as saved by Loupe Browser, or by landmarks",
    outlines:
      ".geojson, label .tif, .npy, or .parquet: cells or nuclei that you outlined, used instead of those found in the image",
    regions: ".geojson from QuPath, or label .tif: the results say which cells lie in each region",
    excluded:
      ".geojson from QuPath, or label .tif: folds, pen, or debris; whatever lies there is not used",
    kept: ".geojson from QuPath, or label .tif: one piece of several, for example; whatever lies outside is not used",
  } as Record<string, string>,
  looking: "Comparing with the sample…",
  waits: "It is compared with the sample once the required files are uploaded.",
  outlinesAre: "The outlines are",
  outlineKinds: [
    { value: "cells", label: "Cells", hint: "They are used as they are." },
    { value: "nuclei", label: "Nuclei", hint: "They are expanded to cells." },
  ],
} as const;
