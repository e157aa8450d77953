const EXPRESSION =
  "Pearson correlation with noisy true counts over all true cells, median over the 306 genes whose true rates vary most; a missed cell counts as 0";
const NUCLEI = "Outline F1 at IoU 0.5, at the scale at which an analysis reads the image";

const TUMOR = "Human pancreas tumor, 377 genes, 23,173 cells (10x Genomics, Xenium)";
const RIGHT = "Share of all measured cells; a missed or unnamed cell is wrong";
const OTHERS =
  "Half of the transcripts are captured. Median correlation over genes with 50 counts or more of the other half, with each cell's own; a missed cell counts as 0";

/** Words around our own figures; the numbers come from docs/real.json, docs/accuracy.json, and docs/measured.json. */
export const OWN_FIGURES = {
  spotTypes: {
    label: "Right cell types, Visium",
    real: true,
    meaning: (wrong: string, trueMix: string) =>
      `Other cells have a wrong name, a coarser one, or none: ${wrong} of the names are wrong. Knowing the true mix of types in every spot would reach ${trueMix}.`,
    tissue: TUMOR,
    measure: RIGHT,
    command: "npm run bench:real -- --captures visium",
  },
  binTypes: {
    label: "Right cell types, HD 8 µm",
    real: true,
    meaning: (wrong: string, reference: string) =>
      `${wrong} of the names are wrong. With labeled cells from another part of the section as a reference, ${reference} of the cells are right.`,
    tissue: TUMOR,
    measure: RIGHT,
    command: "npm run bench:real -- --captures hd8",
  },
  measuredRates: {
    label: "Expression of measured cells, Visium",
    real: true,
    meaning: (nearest: string, types: string) =>
      `The nearest spot reaches ${nearest}; knowing every cell's true type, ${types}. The median cell has 25 counts, so every method stays far from 1.`,
    tissue: TUMOR,
    measure: OTHERS,
    command: "npm run bench:real -- --captured 0.5",
  },
  binRates: {
    label: "Expression of measured cells, HD 8 µm",
    real: true,
    meaning: (nearest: string, interpolated: string) =>
      `At the true cells, the nearest bin reaches ${nearest}, and interpolated bins ${interpolated}.`,
    tissue: TUMOR,
    measure: OTHERS,
    command: "npm run bench:real -- --captured 0.5",
  },
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
      `When nuclei of all types look alike, the score falls to ${without}: no method can recover what the image and the spots don't show. Each report says so.`,
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
} as const;
