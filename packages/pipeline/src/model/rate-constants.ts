/**
 * Constants that shape the rates, counts, and reliability of step 4, by the part of the method. Where a line names no
 * source, none is recorded; where it names no sensitivity, none was measured. What a rule is worth is from
 * docs/notebook/ablations.md: median correlation of rates, macro-F1 of types.
 */

/** Guards of logarithms, divisions, and tiny numbers; not meant to shape results. */
export const GUARDS = {
  /** Expected counts below this belong to spots without exposure, whose terms vanish. */
  MIN_EXPECTED: 1e-30,
  /** Added to expected counts: cells without bins then keep the model's rate. As in `assembly/rates.ts`. */
  NO_COUNTS: 1e-20,
  /** Spots that capture less of a type than this, in cells, are ignored for it. */
  MIN_EXPOSURE: 1e-7,
  /** Correlations are clipped to ± this before Fisher's transform. */
  MAX_CORRELATION: 0.99,
  /** Memberships below this fraction of a cell's largest are ignored: they cannot change any UMI count. */
  MIN_MEMBERSHIP: 1e-3,
};

/** What a look and a place say about a cell. */
export const FEATURES = {
  /** Features farther than this from the median, in robust standard deviations, are clipped. */
  WINSOR: 4,
  /** Spot components that enter φ. */
  COMPONENTS: 10,
  /** Width of the Gaussian that interpolates them, in pitches. */
  COMPONENT_PITCHES: 0.8,
  /** Edges longer than this many medians span holes or the tissue's edge and join no neighbors. */
  MAX_MEDIANS: 2.5,
};

/**
 * Groups by look: the part of the model that uses no counts. Without it: no change where types are known, otherwise rates
 * −.008 (pancreas, spots).
 */
export const LOOK_GROUPS = {
  /** Groups of cells by look, for each fit. */
  LOOKS: [16, 24, 12, 20] as const,
  /** Leading principal components of the features used to find groups. */
  COMPONENTS: 14,
  /** Cells that groups and prototypes are found with; more move the prototypes by less than sampling noise. */
  SKETCH: 20_000,
  /** Rounds of expectation–maximization. */
  ROUNDS: 40,
  /** Least within-group variance, of the total, so that no direction is infinitely informative. */
  FLOOR: 0.01,
};

/** The learned part: genes, supervision, prototypes, gate. Without it: rates −.011, types −.007 (pancreas, spots). */
export const LEARNED_PART = {
  /** Targeted panels have at most about this many genes (general knowledge); more is a transcriptome. */
  MAX_PANEL_GENES: 1_000,
  /** Genes with fewer counts than this say nothing about differences between spots. */
  MIN_COUNTS: 20,
  /** Standard errors of counting noise by which a gene's excess variance must exceed 0 to be real. */
  SURE_FROM: 2,
  /** Fewer varying genes than this say too little. */
  MIN_VARYING: 20,
  /** Ridge penalties that cross-validation chooses from (Golub, Heath & Wahba 1979). */
  ALPHAS: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  /** Factor that scales up the intercept column, so that it is effectively not penalized. */
  FREE: 100,
  /** Leading directions of the ridge regression that span the space of expression. */
  SUPERVISED_DIMS: 12,
  /** Width of the soft assignment, in median squared distances to the nearest prototype. */
  TAU: 1,
  /** Learning rate of Adam (Kingma & Ba 2015) for the gate. */
  LEARNING_RATE: 0.1,
  /** Weight of a gene's mean in the profiles that train the gate, in captured cells. */
  PRIOR: { cells: 1, leastSquaresOnly: true },
  /** Least rate, of the gene's mean, so that a cell can return to a prototype. */
  MIN_RATE: 1e-3,
  /** Most spots to train a gate on: its few thousand weights converge with far fewer. */
  MAX_SPOTS: 100_000,
  /** Side of the squares of tissue sampled for that, in pitches. */
  SQUARE_PITCHES: 12,
};

/** Dispersion that all genes of a whole transcriptome share. */
export const COUNT_DISPERSION = {
  /** With fewer counts per spot, nearly all noise of a gene is Poisson. */
  MIN_MEAN: 0.5,
  /** Largest standard error of a gene's dispersion that is used. */
  LARGEST_ERROR: 0.04,
  /** With fewer such genes, all of them may be truly variable. */
  MIN_GENES: 50,
  /** Quantile of the genes' dispersions: hardly any gene varies less than the noise, and only by chance. */
  LOWEST: 0.1,
};

/**
 * Efficiency of spots, and how rich in RNA cells are. Without efficiency: rates −.007, types −.010 (pancreas, spots).
 */
export const EFFICIENCY = {
  /** Spots up to this many pitches apart contribute to each other's smooth part. */
  REACH: 2.3,
  /** Spots up to this many pitches apart are direct neighbors. */
  NEIGHBORS: 1.3,
  /** Range of the smooth part's covariance, in pitches. Estimating it changed nothing. */
  RANGE: 1.7,
  /** Fraction of a spot's unexplained surplus that is efficiency; the rest may be composition. */
  EFFICIENCY_POWER: 0.8,
  /** Weight of the prior on the prototypes' richness when efficiencies are estimated, in captured cells. */
  RICHNESS_CELLS: 1,
  /**
   * UMIs added to a cell's observed and expected totals before their ratio, on bins. A prior learned from the spread
   * of totals instead: no change (pancreas).
   */
  PSEUDO_COUNT: 30,
  /** Cells whose bins of 2 µm determine a cell's RNA content: those that capture most of it. */
  RICHNESS_WIDTH: 3,
};

/** Profiles of the prototypes. */
export const PROFILES = {
  /** Most sweeps of a gene's least-squares fit. */
  MAX_SWEEPS: 60,
  /** Rounds of the fit of the prototypes' totals. */
  RICHNESS_ROUNDS: 100,
  /** Random spots with this many entries of a gene determine its profile as well as all spots do. */
  ENOUGH_ENTRIES: 8192,
};

/** Shares of the parts, and whether looks help. */
export const PART_CHOICE = {
  /** With fewer spots than this, nothing is held out. */
  MIN_SPOTS: 12,
  /**
   * Below this many spots, each is held out in turn. Every fourth instead: rates −.001, types −.007 (pancreas, spots).
   */
  FEW_SPOTS: 300,
  /** Genes used to choose. */
  GENES: 300,
  /** Looks are shuffled within squares of this many pitches: keeps what they say of a place, not of a cell. */
  SHUFFLE_PITCHES: 2,
  /**
   * Looks help if the correlation with held-out spots exceeds that of shuffled looks by this much. Measured: .08–.13 where
   * looks are informative, −.004 to .016 where not.
   */
  MIN_GAIN: 0.02,
  /** Rounds of stacking (Wolpert 1992). Equal shares instead: −.001 and +.005 (pancreas), −.010 (rendered). */
  STACKING_ROUNDS: 200,
  /** Gate training steps in a held-out fit, of those in the final fit. */
  QUICK_STEPS: 1 / 3,
};

/** Types as a part of the model. Without it: rates −.027 (pancreas, spots). */
export const TYPES_PART = {
  /** Weight of the types if every cell is of a known type. .5 instead: rates −.004 (pancreas, spots). */
  MAX_OF_MODEL: 0.8,
  /** The same for a reference's labels, which leave no cell without one. */
  MAX_OF_LABELS: 0.5,
};

/** Rates from the model and the counts around a cell, and their source. */
export const RATES = {
  /** Nearest spots that a rate or an interpolation is from: a spot and its six neighbors. */
  NEAR_SPOTS: 7,
  /** Width of their Gaussian weights in a cell's rate, in pitches. */
  NEAR_PITCHES: 0.6,
  /** Weight of the model's rate against the counts of the spots around a cell, in counts. */
  SHAPE_OF_SPOTS: 10,
};

/** Source of the rates (decision 43). */
export const RATE_SOURCE = {
  /** Genes by which the lead of a source is measured. */
  GENES: 400,
  /**
   * Standard errors by which a source must lead to replace the model. With the best median instead: .117 instead of
   * .151 with one of four seeds (pancreas, spots).
   */
  SURE_FROM: 2,
  /** Width of the Gaussian of the interpolation that competes, in pitches. */
  NEAR_PITCHES: 0.8,
};

/**
 * A cell's own bins against the model (decision 54). Without weights by gene: −.015 (pancreas, 16 µm), −.014 (8 µm).
 */
export const OWN_BINS = {
  /** Weights of the model relative to a cell's bins to try, from "only the bins" to "only the model". */
  SHAPES: [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300] as const,
  /** Rounds of the fit of the weights' frequencies (nonparametric empirical Bayes). */
  ROUNDS: 100,
  /**
   * A gene's weight is this posterior quantile. Chosen on the left half of a measured pancreas, 8 and 16 µm: .01 to
   * .05 differ by up to .007; the median costs .030 and .051.
   */
  QUANTILE: 0.02,
  /** Approximate number of cells that weights are learned from. */
  MAX_CELLS: 2000,
  /** Most genes that compare sources. */
  MAX_GENES: 500,
  /** Least UMIs in the second half to judge a gene. */
  MIN_UMIS: 10,
};

/** Counts of cells (decision 48). */
export const ALLOCATION = {
  /** Weight of the relative lag in a cell's total, compared with the lag in an abundant gene. */
  TOTAL_WEIGHT: 0.7,
  /** UMIs per cell of a gene for which that weight is halved. */
  HALF_WEIGHT_UMIS: 0.3,
  /** Side of the squares in which counts of bins are allocated independently, µm. */
  SQUARE_UM: 1000,
};

/** How reliable a gene is on held-out blocks. */
export const RELIABILITY = {
  /** Folds of blocks. */
  FOLDS: 5,
  /** The blocks' side is halved until there are this many, so that a small tissue has folds. */
  MIN_BLOCKS: 10,
  /** With fewer genes, there is no shrinkage. */
  MIN_GENES: 20,
  /** Most entries of the count matrix in a check; some spots stand for a larger tissue. */
  MAX_ENTRIES: 2_000_000,
  /** Most cells, likewise. */
  MAX_CELLS: 15_000,
};

/** Expected correlation in single cells; its weights are in `cell-correlation-table.json`. */
export const CELL_CORRELATION = {
  /** A smaller gain from looks counts as none. */
  MIN_GAIN: 1e-3,
  /** Spread for a gene that no cell expresses. */
  MIN_SPREAD: 0.05,
  /**
   * Correction for bins of 2 µm: halves of whole cells correlate about twice as much as single bins of 8 µm (two
   * simulated tissues), which the weights are for.
   */
  BIN_OF_CELL: 0.5,
  /** Smallest bins that count as coarse, µm. */
  COARSE_UM: 12,
};

/** Uncertainty of the profiles. */
export const BOOTSTRAP = {
  /** Bootstrap samples of the spots. */
  SAMPLES: 8,
  /** Most spots to resample; a random subset stands for more. */
  MAX_SPOTS: 40_000,
  /** Genes whose median gives a cell's value. */
  GENES: 24,
  /** Cells whose median gives a gene's value. */
  CELLS: 200,
};
