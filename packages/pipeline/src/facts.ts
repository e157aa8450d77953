import type { RateSource } from "@stipple/contract";
import type { ReferenceDescription } from "@stipple/contract/kept-reference";
import type { ImageReading } from "./readers/images/image-source.ts";
import type { Species } from "./species/guess-species.ts";

/** An affine map of the spots' positions, from a file of the user's. */
export interface SpotMove {
  file: string;
  source: "landmarks" | "matrix" | "Loupe Browser";
  /** x' = a·x + b·y + c and y' = d·x + e·y + f, full-resolution px. */
  map: readonly [a: number, b: number, c: number, d: number, e: number, f: number];
  /** Points that the map was fitted to, and their root-mean-square distance from it; null for a matrix. */
  fit: { points: number; residualPx: number } | null;
}

/** How array positions map to pixels and µm, fitted from the positions themselves. */
export interface AlignmentScale {
  micronsPerPixel: number;
  /** Where micronsPerPixel comes from; the array pitch is authoritative for Visium, microns_per_pixel for HD. */
  source: "array_pitch" | "microns_per_pixel" | "nearest_neighbor";
  /** Root-mean-square distance of positions from the fitted lattice, px; null where no lattice was fitted. */
  residualPx: number | null;
  /** Center-to-center distance of neighboring spots or bins, µm. */
  pitchUm: number;
  /** Diameter of a spot (Visium 55 µm) or side of a bin (HD), µm. */
  spotSizeUm: number;
  spotShape: "disc" | "square";
  /** How far bins are turned on the image, radians within ±π/4, from x toward y; absent for spots. */
  binAngle?: number;
  /** How the user moved the spots on the image; absent if the positions are the file's. */
  moved?: SpotMove;
  /** Sentences that a reader should see (a poor fit, spots off the image, …). */
  warnings: string[];
}

/** The image that the cells are found in. */
export interface ImageFacts {
  /** Base name of the file; null when there is no image at all. */
  file: string | null;
  source: "microscope" | "hires" | "lowres" | "none";
  widthPx: number;
  heightPx: number;
  /** Full-resolution pixels per pixel of this image: 1 for the image that the positions refer to. */
  scale: number;
  /** µm per pixel of this image. */
  micronsPerPixel: number;
  channels: number;
  /** One per channel of a fluorescence image, as the user or the file names them; empty if neither does. */
  channelNames?: string[];
  /** How to interpret the file's pixels, if not as they are stored. */
  reading?: ImageReading;
  bitsPerSample: number;
  /** Whether regions can be read without decoding the whole image. */
  tiled: boolean;
  /** Size of the image that the positions refer to, from Space Ranger's pictures of it; null if unknown. */
  expectedPx: { widthPx: number; heightPx: number } | null;
}

/** The species that the genes are from. */
export interface SpeciesFacts {
  species: Species;
  /** "pig (Sus scrofa)"; null if it is not known. */
  name: string | null;
  /** "gene IDs (ENSSSCG00000000100)"; null if nothing tells. */
  evidence: string | null;
}

export interface QualityReport {
  nSpots: number;
  nGenes: number;
  totalCounts: number;
  medianCountsPerSpot: number;
  medianGenesPerSpot: number;
  /** Fraction of counts on mitochondrial genes. */
  mitochondrialFraction: number;
  /** Fraction of spots whose center lies on the image. */
  spotsOnImage: number;
  nClusters: number;
  warnings: string[];
}

/** Beer–Lambert stain model of an H&E image. */
export interface StainModel {
  /** Background (white) intensity per channel, 0–255. */
  background: [number, number, number];
  /** Unit optical-density vectors in R, G, B. */
  hematoxylin: [number, number, number];
  eosin: [number, number, number];
  /** 99th percentile concentrations, to scale by. */
  maxHematoxylin: number;
  maxEosin: number;
  /** "estimated" from this image, or "standard" when it has too few stained pixels. */
  source: "estimated" | "standard";
  /**
   * Fluorescence only: the channel of the nuclear stain, each channel's slow background, and its 0.1 and 99.9 percentile
   * after subtracting it.
   */
  fluorescence?: {
    nuclearChannel: number;
    ranges: [number, number][];
    backgrounds?: ChannelBackground[];
  };
}

/** A channel's background at the centers of equal squares of the image, row by row, in the channel's own values. */
export interface ChannelBackground {
  columns: number;
  rows: number;
  values: number[];
}

/** How well image and spots fit together. */
export interface RegistrationReport {
  /** Share of the spots whose center lies on visible tissue; null where there is no image. */
  spotsOnTissue: number | null;
  /**
   * Share of the spots' expression (leading components) that the image explains in held-out spots; the maximum that it
   * explains with the spots shifted by 100–500 µm, and that shift (right, down). Null with fewer than 60 spots.
   */
  explained: number | null;
  explainedShifted: number | null;
  shiftUm: number[] | null;
  /** The maximum that it explains with the spots moved anywhere on the tissue; also null if they have no room. */
  explainedMoved: number | null;
  /** Correlation in detail between the image and Space Ranger's picture of it; null where that is not informative. */
  likePicture: number | null;
  /** Why the image does not seem to match the spots, if the run continued anyway. */
  mismatch: string | null;
  /** Evidence against the image that proves nothing. */
  doubt: string | null;
}

export interface SegmentationReport {
  /** How nuclei were found: by the trained network, by Space Ranger, or not at all (spot-level results). */
  method: "network" | "space_ranger" | "given" | "spot_level";
  /** Why there are no cells, if method is "spot_level". */
  fallbackReason: string | null;
  nNuclei: number;
  medianNucleusAreaUm2: number;
  /** µm per pixel at which nuclei were detected. */
  workingMicronsPerPixel: number;
  maxExpansionUm: number;
  /** Null if image quality was not assessed: the image is coarse, or was not analyzed. */
  imageQuality: ImageQualityReport | null;
  warnings: string[];
}

/** Shares of the tissue with enough contrast to be judged. */
export interface ImageQualityReport {
  blurred: number;
  /** So dark that nuclei cannot be seen: folds, pigment, ink. */
  dark: number;
  /** Under colored ink. */
  pen: number;
}

export interface BleedModel {
  /** Fraction of a spot's counts that come from outside it. */
  beta: number;
  lengthUm: number;
  /** "given" if a parameter sets one of them or both. */
  source: "default" | "given";
}

/** How the array's finest bins were assigned; counts are UMIs. */
export interface FineBinReport {
  binUm: number;
  /** Base name. */
  file: string;
  nBins: number;
  counts: number;
  countsInNuclei: number;
  /** In the outline of a cell, outside its nucleus. */
  countsInCells: number;
  /** Between outlines, given to the cell with the nearest nucleus. */
  countsNearest: number;
  countsUnassigned: number;
  /** Maximum distance of such a bin from its nucleus, µm. */
  reachUm: number;
  /** How unevenly rows and columns of bins capture: root mean square of their factors' distance from 1. */
  stripesOfRows: number;
  stripesOfColumns: number;
}

/** How expression was inferred, and what the held-out spots say about it. */
export interface ExpressionReport {
  /** Whether cell shape and stain predict expression better than shuffled ones do; null if it could not be tested. */
  morphologyHelps: boolean | null;
  /** How much they add: mean held-out correlation of the informative genes, less that with shuffled morphology; null when untried. */
  morphologyGain: number | null;
  /** One sentence about that for the user. */
  morphologySentence: string;
  nReliableGenes: number;
  /** Genes with enough counts that vary between spots by more than counting noise. */
  nJudgedGenes: number;
  /** Correlation of the model's prediction with the counts of held-out spots, median over the judged genes; null when untried. */
  medianHeldoutPcc: number | null;
  /** Correlation of plain interpolation between the remaining spots. */
  medianHeldoutPccInterpolation: number | null;
  /** Correlation of the final rates, each gene by its source; never below interpolation. */
  medianHeldoutPccRate: number | null;
  /** Correlation expected over single cells, median over the judged genes; null where nothing is expected. */
  medianCellPcc: number | null;
  /** Genes by where their rate comes from. */
  genesFrom: Record<RateSource, number>;
  heldoutSpots: number;
  heldoutFolds: number;
  heldoutBlockUm: number;
  /** Median of cells/rate_cv; null when unknown. */
  medianRateCv: number | null;
  prototypes: number;
  /** Models averaged. */
  fits: number;
  /** Genes that the cells' memberships were fitted to. */
  informativeGenes: number;
  /** Settings that the held-out spots chose, for the methods section of a report. */
  settings: Record<string, number>;
}

/** Cell types fitted to the spots' marker genes. */
export interface TypeFit {
  species: Species;
  tissue: string;
  /** How much better each tissue's own types explain groups of cells than types found everywhere do. */
  tissueScores: Record<string, number>;
  /** If types are the labels of a reference. */
  reference?: ReferenceFacts;
  /** Types of cells, in the order of the columns of cells/type_posterior, and the markers that the spots confirm (gene indices). */
  types: { name: string; markers: number[] }[];
}

/** A reference that types are named by. */
export interface ReferenceFacts {
  labels: number;
  /** Genes that it shares with the sample. */
  genes: number;
  /** Where a condensed reference is from. */
  kept?: ReferenceDescription;
}

export interface TypingReport {
  species: Species;
  speciesSource?: "given" | "guessed";
  /** The species that the genes are from, in words; null if it is not known. */
  speciesName?: string | null;
  /** The organism, if the genes or the user say that it is one of these. */
  organism?: "human" | "mouse" | null;
  /** Why types need a reference, or that the genes contradict the species set: a sentence. */
  speciesNote?: string;
  tissue: string;
  tissueSource?: "given" | "guessed";
  method: "markers" | "reference";
  reference?: ReferenceFacts;
  /** Labels of the reference in the order of spots/proportion, and genes that the shares were fitted to. */
  proportions?: { labels: string[]; genes: number };
  /** Type → reliable markers found in the data. */
  markersFound: Record<string, string[]>;
  unknownFraction: number;
  /** How much better each tissue's own types explain groups of cells than types found everywhere do; not on HD slides. */
  tissueScores?: Record<string, number>;
}

/** Medians over genes of the correlation, over all cells, of a prediction with the known counts. */
export interface TwinScore {
  /** Over genes drawn at random from those with enough counts. */
  all: number;
  /** Over genes drawn from those that the sample calls reliable; null when there are none. */
  reliable: number | null;
}

/** Expected accuracy of the results, tested on a twin in which every cell is known. */
export interface SelfTest {
  /** Why it was not made; null when it was. */
  skipped: string | null;
  nCells: number;
  nSpots: number;
  /** False if the twin covers only a square of the sample. */
  wholeSample: boolean;
  nGenes: number;
  nReliableGenes: number;
  /**
   * Expected in the sample itself: medians of genes/cell_pcc over the same genes, which is calibrated on tissues of known
   * truth; null if not assessed.
   */
  expected: TwinScore | null;
  scores: {
    rate: TwinScore;
    /** Mean of the spots around a cell. */
    interpolation: TwinScore;
    /** The rate with its cells shuffled among each other. */
    shuffled: TwinScore;
    /** The rates that the counts were drawn from: the best achievable with this noise. */
    ceiling: TwinScore;
  } | null;
  /** The result in words. */
  sentence: string;
}
