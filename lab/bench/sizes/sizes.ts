import type { PlatformId, Resolution } from "@stipple/contract";
import type { AnalysisSettings } from "@stipple/pipeline/settings";

/** A sample of a named size. */
export interface SampleSize {
  name: string;
  /** Description for the table. */
  words: string;
  platform: PlatformId;
  resolution?: Resolution;
  staining: "h_and_e" | "if";
  /** Side of the square image and of its pixels, µm. */
  sideUm: number;
  umPerPx: number;
  /** Includes 2 µm bins. */
  fineBins: boolean;
  /** Cells per mm² of tissue in the simulator; undefined = the simulator's default. */
  cellDensity?: number;
  /** Basic by default. */
  analysisType?: AnalysisSettings["analysisType"];
  /** Limits the spots to this many, taken from the first rows. */
  maxSpots?: number;
  /** The sample dataset as users get it, rather than tiled pieces. */
  isSampleDataset?: boolean;
}

const VISIUM = { platform: "visium", staining: "h_and_e", umPerPx: 0.48, fineBins: false } as const;
const HD = { platform: "hd_visium", resolution: "8", staining: "h_and_e", umPerPx: 0.25 } as const;
const FULL_UM = 6500;
const QUARTER_UM = FULL_UM / 2;

/** A capture area measures 6.5 × 6.5 mm; a quarter is half of that in each direction. */
export const SIZES: readonly SampleSize[] = [
  {
    ...VISIUM,
    name: "sample",
    words: "the sample dataset",
    sideUm: 1000,
    umPerPx: 0.5,
    isSampleDataset: true,
  },
  { ...VISIUM, name: "spots-24", words: "24 spots", sideUm: 700, maxSpots: 24 },
  { ...VISIUM, name: "visium-quarter", words: "a quarter of a Visium slide", sideUm: QUARTER_UM },
  {
    ...VISIUM,
    name: "visium-quarter-advanced",
    words: "a quarter of a Visium slide, advanced analysis",
    sideUm: QUARTER_UM,
    analysisType: "advanced",
  },
  { ...VISIUM, name: "visium-full", words: "a whole Visium slide", sideUm: FULL_UM },
  {
    ...VISIUM,
    name: "visium-sparse",
    words: "a whole Visium slide with fewer cells",
    sideUm: FULL_UM,
    cellDensity: 2500,
  },
  {
    ...VISIUM,
    name: "if",
    words: "a quarter of a Visium slide, immunofluorescence",
    staining: "if",
    sideUm: QUARTER_UM,
  },
  {
    ...HD,
    name: "hd8-quarter",
    words: "a quarter of an HD slide",
    sideUm: QUARTER_UM,
    fineBins: false,
  },
  { ...HD, name: "hd8-full", words: "a whole HD slide", sideUm: FULL_UM, fineBins: false },
  {
    ...HD,
    name: "hd2-quarter",
    words: "a quarter of an HD slide with its 2 µm bins",
    sideUm: QUARTER_UM,
    fineBins: true,
  },
  {
    ...HD,
    name: "hd2-full",
    words: "a whole HD slide with its 2 µm bins",
    sideUm: FULL_UM,
    fineBins: true,
  },
];
