import { DEFAULT_PLATFORM, type PlatformId } from "@stipple/contract";
import { InputError } from "@stipple/pipeline/errors";
import { SIMULATORS } from "./platforms/index.ts";

/** Parameters of a simulated tissue. They determine everything: equal options give equal data. */
export interface TissueOptions {
  seed: number;
  species: "human" | "mouse";
  platform: PlatformId;
  staining: "h_and_e" | "if";
  /** Side of the square image, µm. */
  sizeUm: number;
  umPerPx: number;
  /** Cells per mm² of tissue, averaged over the domains. */
  cellDensity: number;
  /**
   * Up to {@link MAX_PANEL_GENES}, a panel in which every gene is well counted; beyond that, a whole
   * transcriptome.
   */
  nGenes: number;
  /** How much a cell's look reveals about its type: 1 = as in real tissue, 0 = nothing. */
  morphologyInformative: number;
  /** Fraction of a spot's counts that come from cells outside it. */
  bleed: number;
  /** Decay length of that fraction, µm. */
  bleedLengthUm: number;
  /** Mean UMI count per spot (Visium) or per 8 µm bin (HD) under tissue. */
  umiPerSpot: number;
  /** Coefficient of variation of capture efficiency among spots (HD: among rows and among columns of bins). */
  spotEfficiencyCv: number;
  /** HD: whether to write 2 µm bins in addition to the larger ones. */
  fineBins: boolean;
  /** Gradual variation of stain strength over the slide: 0 = none, 1 = as on an uneven slide. */
  stainDrift: number;
  /**
   * How hard nuclei are to see: 0 = a clean image, 1 = as in real sections. Counts are drawn the same way for any
   * value.
   */
  imageDifficulty: number;
}

export const DEFAULT_OPTIONS: TissueOptions = {
  seed: 1,
  species: "human",
  platform: DEFAULT_PLATFORM,
  staining: "h_and_e",
  sizeUm: 1200,
  umPerPx: 0.5,
  cellDensity: 4200,
  nGenes: 800,
  morphologyInformative: 1,
  bleed: 0.25,
  bleedLengthUm: 70,
  umiPerSpot: 6000,
  spotEfficiencyCv: 0.2,
  fineBins: false,
  stainDrift: 0.5,
  imageDifficulty: 0,
};

/**
 * With more genes than this, they are drawn as a whole transcriptome: most are rare, and few distinguish types.
 */
export const MAX_PANEL_GENES = 1000;

/** The RGB image is held in memory: 16,000² px is 768 MB. */
const MAX_SIDE_PX = 16_000;

/** Fills in defaults. Throws an {@link InputError} for an image that is too large. */
export function tissueOptions(given: Partial<TissueOptions>): TissueOptions {
  const options = {
    ...DEFAULT_OPTIONS,
    ...SIMULATORS[given.platform ?? DEFAULT_PLATFORM].defaults,
  };
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined) Object.assign(options, { [key]: value });
  }
  if (options.sizeUm / options.umPerPx > MAX_SIDE_PX) {
    throw new InputError(
      `An image of ${Math.round(options.sizeUm / options.umPerPx)} px per side is larger than the simulator can paint (${MAX_SIDE_PX}): use a smaller size or larger pixels.`,
    );
  }
  return options;
}
