const EXPRESSION =
  "Pearson correlation with noisy true counts over all true cells, median over the 306 genes whose true rates vary most; a missed cell counts as 0";
const NUCLEI = "Outline F1 at IoU 0.5 and 0.5 µm per pixel";

/** Words around our own figures; the numbers come from docs/accuracy.json and docs/measured.json. */
export const OWN_FIGURES = {
  expression: {
    label: "Expression of single cells, Visium",
    real: false,
    meaning: (interpolation: string, types: string) =>
      `Interpolation between spots reaches ${interpolation}, even when given the true cells. Knowing every cell's true type and fitting it to the same spots would reach ${types}.`,
    measure: EXPRESSION,
    command: "npm run bench:accuracy",
  },
  hd: {
    label: "Expression of single cells, HD 8 µm",
    real: false,
    meaning: (interpolation: string, types: string) =>
      `Interpolation between bins at the true cells reaches ${interpolation}; fitting the true types reaches ${types}. Bins are nearly as small as cells, so more detail can be resolved.`,
    measure: EXPRESSION,
    command: "npm run bench:accuracy",
  },
  types: {
    label: "Cell types by name",
    real: false,
    meaning: (without: string) =>
      `When nuclei of all types look alike, it falls to ${without}: no method can recover what the image and the spots don't show. Each report says so.`,
    measure: "Macro-F1 over all true cells; a missed or unnamed cell is wrong",
    command: "npm run bench:accuracy",
  },
  nuclei: {
    label: "Nuclei in H&E images of breast",
    real: true,
    meaning:
      "Our trained network on unseen images. The reference outlines were grown from hand-placed centers, so they aren't exact either.",
    tissue: (images: number, nuclei: number) =>
      `${images} tiles of human breast, ${nuclei} nuclei (Abousamra et al., ICCV 2021)`,
    measure: NUCLEI,
    command: "node lab/bench/segmentation.ts",
  },
  fluorescence: {
    label: "Nuclei in fluorescence images",
    real: true,
    meaning: (recall: string) =>
      `Bright nuclei on a dark background are the easier case. In dense smears with gray and purple stains, only ${recall} of the nuclei are found.`,
    tissue: (images: number, nuclei: number) => `${images} images, ${nuclei} nuclei (CC0 masks)`,
    measure: NUCLEI,
    command: "node lab/bench/segmentation.ts",
  },
  section: {
    label: "Measured section, spots",
    real: true,
    meaning: (nearest: string, bins: string, nearestBin: string) =>
      `Giving each cell its nearest spot reaches ${nearest}. With 8 µm bins the inferred rates reach ${bins}, while simply taking the nearest bin reaches ${nearestBin}, so use the allocated counts there.`,
    tissue:
      "MERFISH section of mouse brain, 0.50 × 0.45 mm, with transcripts counted in 25 simulated spots",
    measure: "Median correlation over the measured cells, 133 genes with at least 50 counts",
    command: "node lab/bench/measured-cells.ts",
  },
} as const;
