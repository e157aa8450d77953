export const HOME_TEXTS = {
  title: "Single cells from spatial transcriptomics",
  eyebrow: "Spatial transcriptomics, cell by cell",
  claim: ["From spots", "to single cells."],
  sub: "Stipple reads your Visium data together with the tissue image and finds every cell: its position, its type, and what it expresses.",
  tryFree: "Try It Free",
  viewValidation: "View Validation Results",
  liveExample: "See a live example",
  preparingExample: (secondsLeft: number | null) => {
    const minutes = secondsLeft === null ? 1 : Math.round(secondsLeft / 60);
    if (minutes === 0) return "Preparing the example: a few seconds.";
    return `Preparing the example: about ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
  },
  exampleFailed: "Error opening the example. Please try again.",
  exampleUnavailable: "The example isn't available right now. Please try again later.",
  illustration: "Illustration with simulated data",
  pause: "Pause animation",
  play: "Play animation",
  canvasAlt:
    "Animated illustration: the round spots of a spatial transcriptomics array dissolve into the cells beneath them, colored by type.",
  claimsLabel: "Key claims",
  measuredByUs: "Measured by us",
  referenceStudy: "Reference study",
  alsoMeasured: "More of our own figures",
  notesLabel: "Notes",
  overviewTitle: "How a tissue becomes cells",
  overviewText:
    "The array measures gene expression in spots that each cover many cells. The image shows the cells. Together, they show which cell expresses what.",
  videoLabel: "Overview of Stipple",
  videoPlay: "Play the overview video",
  videoNote: "Recorded in the product with a simulated tissue; waits are shortened. No sound.",
  videoFailed: "This video can't be played here. The animation above shows the idea.",
  transcript: "Transcript",
  featuresTitle: "One workflow, three strengths",
  howTitle: "How it works",
  howText: "Four steps in the browser. The files you need are the ones Space Ranger already wrote.",
  validationTitle: "Compared with imaging-based reference data",
  validationText:
    "Three figures from the reference study, each next to the closest figure we measured ourselves.",
  servicesTitle: "Beyond the platform",
  servicesText: "Our bioinformatics team can help with what comes before and after.",
  allServices: "All services",
  ctaTitle: "See your tissue cell by cell",
  ctaText: "A four-day trial with one analysis and a sample dataset to start with.",
  ctaMember: "Start New Analysis",
};

/** Our own figures in the validation teaser; where they come from is in home/validation-teaser.tsx. */
export type OwnFigure = "expression" | "types" | "section" | "nuclei" | "found";

export interface Claim {
  value: string;
  label: string;
  /** Number of the footnote that defines the claim. */
  note?: number;
}

/** Every claim of the landing page, in one place, each with what it means (see NOTES). */
export const CLAIMS: readonly Claim[] = [
  { value: "10-100x", label: "higher resolution", note: 1 },
  { value: "99%", label: "cell type accuracy", note: 2 },
  { value: "No", label: "additional lab work" },
  {
    value: "Validated",
    label: "against gold-standard imaging-based reference data",
    note: 3,
  },
  { value: "Supports", label: "10X Visium, HD Visium, H&E images and IF images" },
];

/** Our own figures, each with the figure to compare it to. */
export const OWN_LABELS = {
  expression: (interpolation: string) =>
    `correlation of each cell's expression with the truth in simulated tissue, over 306 genes; interpolating spots reaches ${interpolation}`,
  types: (bins: string) =>
    `of the cells of a measured tumor got their true type, from spots; ${bins} from 8 µm bins`,
  section: (nearest: string) =>
    `correlation with the cells of a measured tumor over 306 genes, from spots; the nearest spot reaches ${nearest}`,
  nuclei: (images: string) =>
    `F1 of nuclei found in ${images} labeled breast images that the network had not seen (1 is perfect)`,
  found: (right: string) =>
    `nuclei found per labeled nucleus in these images; ${right} of those found are correct`,
} as const satisfies Record<OwnFigure, (beside: string) => string>;

export const NOTES: readonly string[] = [
  "Ratio of the area of one 55 µm Visium spot to that of a cell 5.5 to 17 µm across.",
  "A result of our reference study, and a different measure from the expression correlations on the Validation page. Results depend on tissue, staining, and sequencing depth.",
  "Fixed figures from one study. The Validation page explains each of them.",
];

export const STAGES = [
  {
    title: "Spots",
    text: "Each spot mixes the transcripts of all cells beneath it.",
    alt: "Illustration: a tissue section covered by a regular grid of round spots in mixed colors.",
  },
  {
    title: "Nuclei",
    text: "The image shows the nucleus of every cell.",
    alt: "Illustration: the same tissue with the outlines of its nuclei.",
  },
  {
    title: "Cells",
    text: "Each cell gets a type, an expression profile, and a position.",
    alt: "Illustration: the same tissue with every cell colored by its type.",
  },
] as const;

export const FEATURES = [
  {
    id: "detection",
    title: "AI Cell Detection",
    text: "Finds nuclei in the full-resolution H&E or IF image and expands them into separate cells.",
  },
  {
    id: "spatial",
    title: "Spatial Intelligence",
    text: "Links spots and cells in one model. Each spot's counts are allocated to its cells, and the total always equals what was measured.",
  },
  {
    id: "interactive",
    title: "Interactive Analysis",
    text: "Pan and zoom across the tissue, color cells by type or gene, and export everything in open formats.",
  },
] as const;

export const HOW_STEPS = [
  {
    title: "Configuration",
    text: "Name the project, then choose platform, staining, and analysis type.",
  },
  {
    title: "File Upload",
    text: "Drop your Space Ranger files and the full-resolution image. Uploads resume.",
  },
  { title: "Processing", text: "Eight steps run automatically. Watch them, or come back later." },
  {
    title: "Results",
    text: "Explore cells in the browser, then download tables, images, and data objects.",
  },
] as const;
