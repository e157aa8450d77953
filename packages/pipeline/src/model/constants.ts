/**
 * Constants that shape the results of steps 4 and 5, by the part of the method. What bounds only time, memory, and
 * convergence is in `limits.ts`. Where a line names no source, none is recorded; where it names no sensitivity, none was
 * measured. What a rule is worth is from docs/notebook/ablations.md: median correlation of rates, macro-F1 of types.
 */

/** What a look and a place say about a cell. */
export const FEATURES = {
  /** Features farther than this from the median, in robust standard deviations, are clipped. */
  WINSOR: 4,
  /** Leading spot components that describe a cell's place. */
  COMPONENTS: 10,
  /** The same for its type. */
  TYPE_COMPONENTS: 8,
  /** Nearest spots that a cell's place, its rate, and an interpolation are from: a spot and its six neighbors. */
  NEAR_SPOTS: 7,
  /** Width of their Gaussian weights in a cell's place and in an interpolation, in pitches. */
  NEAR_PITCHES: 0.8,
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
  /** Groups that the fit of types starts from: more than types, because cells of a type can look different. */
  OF_TYPES: 24,
};

/** What is enough to tell. */
export const ENOUGH = {
  /** Genes with fewer counts than this, or with half of it in a half, say nothing. */
  COUNTS: 20,
  /** Fewer genes than this say too little: of those that vary, are reliable, or are shared with a reference. */
  GENES: 30,
  /** Spots below which nothing is held out. */
  SPOTS: 12,
  /** Spots below which no types are fitted. */
  SPOTS_FOR_TYPES: 20,
  /** Standard errors by which a value must exceed 0 to be real. */
  SURE_FROM: 2,
};

/** The learned part: genes, supervision, prototypes, gate. Without it: rates −.011, types −.007 (pancreas, spots). */
export const LEARNED_PART = {
  /** Targeted panels have at most about this many genes (general knowledge); more is a transcriptome. */
  MAX_PANEL_GENES: 1_000,
  /** Leading directions of the ridge regression that span the space of expression. */
  SUPERVISED_DIMS: 12,
  /** Learning rate of Adam (Kingma & Ba 2015) for the gate. */
  LEARNING_RATE: 0.1,
  /** Weight of the prior in the profiles that train it, and in the richness that efficiencies rest on, in captured cells. */
  PRIOR_CELLS: 1,
};

/** Dispersion that all genes of a whole transcriptome share. */
export const COUNT_DISPERSION = {
  /** With fewer counts per spot, nearly all noise of a gene is Poisson. */
  MIN_MEAN: 0.5,
  /** Largest standard error of a gene's dispersion that is used. */
  LARGEST_ERROR: 0.04,
  /** Quantile of the genes' dispersions: hardly any gene varies less than the noise, and only by chance. */
  LOWEST: 0.1,
};

/** Efficiency of spots, and richness of cells. Without efficiency: rates −.007, types −.010 (pancreas, spots). */
export const EFFICIENCY = {
  /** Spots up to this many pitches apart contribute to each other's smooth part. */
  REACH: 2.3,
  /** Spots up to this many pitches apart are direct neighbors. */
  NEIGHBORS: 1.3,
  /** Range of the smooth part's covariance, in pitches. Estimating it changed nothing. */
  RANGE: 1.7,
  /** Fraction of a spot's unexplained surplus that is efficiency; the rest may be composition. */
  POWER: 0.8,
  /**
   * UMIs added to a cell's observed and expected totals before their ratio, on bins. A prior learned from the spread
   * of totals instead: no change (pancreas).
   */
  PSEUDO_COUNT: 30,
};

/** Shares of the parts, whether looks help, and the source of rates (decision 43). */
export const PARTS = {
  /**
   * Below this many spots, each is held out in turn. Every fourth instead: rates −.001, types −.007 (pancreas, spots).
   */
  FEW_SPOTS: 300,
  /** Looks are shuffled within squares of this many pitches: keeps what they say of a place, not of a cell. */
  SHUFFLE_PITCHES: 2,
  /**
   * Looks help if the correlation with held-out spots exceeds that of shuffled looks by this much. Measured: .08–.13 where
   * looks are informative, −.004 to .016 where not.
   */
  MIN_GAIN: 0.02,
  /** Weight of the types if every cell is of a known type. Without types: rates −.027; .5: −.004 (pancreas, spots). */
  MAX_OF_TYPES: 0.8,
  /** The same for a reference's labels, which leave no cell without one. */
  MAX_OF_LABELS: 0.5,
  /** Folds of blocks of spots. */
  FOLDS: 5,
};

/** Rates and counts of cells (decisions 48 and 54). */
export const RATES = {
  /** Width of the Gaussian weights of the spots around a cell, in pitches. */
  NEAR_PITCHES: 0.6,
  /** Weight of the model's rate against the counts of these spots, in counts. The model alone: rates −.014 (pancreas, spots). */
  SHAPE_OF_SPOTS: 10,
  /**
   * On bins, a gene's weight is this posterior quantile. Chosen on the left half of a measured pancreas, 8 and 16 µm: .01
   * to .05 differ by up to .007; the median costs .030 and .051.
   */
  QUANTILE: 0.02,
  /**
   * Weight of the relative lag in a cell's total, compared with the lag in an abundant gene. None: counts +.013 (pancreas,
   * spots), −.001 on bins.
   */
  TOTAL_WEIGHT: 0.7,
  /** UMIs per cell of a gene for which that weight is halved. */
  HALF_WEIGHT_UMIS: 0.3,
};

/** Expected correlation in single cells; its weights are in `cell-correlation-table.json`. */
export const CELL_CORRELATION = {
  /** Spread for a gene that no cell expresses. */
  MIN_SPREAD: 0.05,
  /**
   * Correction for bins of 2 µm: halves of whole cells correlate about twice as much as single bins of 8 µm (two
   * simulated tissues), which the weights are for.
   */
  BIN_OF_CELL: 0.5,
  /** Smallest bins that count as coarse, µm. */
  COARSE_UM: 12,
  /** Least gain from looks, in held-out correlation, that makes a difference, here and to the confidence of names. */
  MIN_GAIN: 1e-3,
  /** Greatest such gain for the confidence of names. */
  MAX_GAIN: 5e-2,
};

/**
 * Levels of the catalog's genes, relative to the average cell. 6 and 2, or 10 and 3, name as many measured cells
 * right.
 */
export const LEVELS = {
  /** Genes that are high in a type. */
  HIGH: 8,
  /** Genes that it expresses to some degree. */
  SOME: 2.5,
  /** Genes that it must not express. */
  ABSENT: 0.3,
  /** Share of the labels' mean added to a reference's levels. */
  PRIOR_SHARE: 0.05,
  /**
   * Share of a cell's counts, and of a fitted type's profile, that come from its surroundings or that the lists do not
   * describe, with the sample's mean composition: it limits what one gene can say. In cells 0.3: as many measured ones right;
   * more names wrong on rendered slides. In profiles .15: types −.02 to −.07 (measured cells under rendered images).
   */
  AMBIENT: 0.5,
  /**
   * Variance of a type's level in a gene, relative to the expected level. On bins, the likeliest value is .3 to 1 in measured
   * cells and 0 to .3 in simulated ones. 0 (Poisson): 47 instead of 66% of measured blood cells right, no change of accuracy
   * on the pancreas; .1 to .5: the same within .01 but for simulated whole transcriptomes. Under spots, Poisson: types −.022
   * (pancreas); .2: accuracy −.012, types +.003.
   */
  DISPERSION: 0.3,
};

/** Types of cells by their own counts, with the tissue as a prior. */
export const OWN_COUNTS = {
  /**
   * Exponent of the levels in the first round; it is 1 from the middle on. At full levels an abundant type could lose
   * its cells to types with few genes. 1 instead: accuracy .95 to .66 and .78 to .56 (two rendered slides).
   */
  FIRST_EXPONENT: 0.4,
  /** Share of the cells that are expected to be of no type of the catalog. */
  NONE_SHARE: 0.02,
  /**
   * Weight of a type that does not belong in the tissue: five or six counts of its own genes override it. 0.01: macro-F1
   * −.02 and −.018, 1e-6: +.005 (pancreas, 16 and 8 µm).
   */
  ELSEWHERE: 1e-4,
};

/** Names and confidence; the map of confidence is in `cell-types/confidence-table.json`. */
export const NAMES = {
  /**
   * Least confidence of a name: more likely right than wrong. At .4, more names are right and still more wrong
   * (docs/notebook/methods/5-measured.md).
   */
  LIKELY: 0.5,
  /** Counts that a fitted profile is compared by: it averages many cells, but the catalog's levels are approximate. */
  COUNTS: 30,
  /** How much likelier a component is of the type that it was fitted as than of any other, before its profile is compared. */
  FITTED_ODDS: 20,
  /** A profile this much likelier by itself than by the mean composition is clearly different (log scale). */
  CLEAR: 10,
  /**
   * Least share of a clear difference that a type must explain. In components below it, 0 to 35% of the cells are of the
   * type, by the kind of tissue, and between it and twice it, 9 to 61% (docs/notebook/methods/5-measured.md).
   */
  MIN_EXPLAINED: 0.05,
};

/** Tissue and candidates of cells that share spots. */
export const CANDIDATES = {
  /**
   * Standard errors by which the markers of a tissue's own types must be raised more than those of ubiquitous ones.
   * Measured: .96 and more for the right tissue (32 spots and more), .64 for a wrong one (26 spots), up to .04 in blood.
   */
  MIN_GAIN: 0.5,
  /**
   * Tissues compete as well unless the best gain is this many times theirs. Hardly more than 1: no change (pancreas, two
   * rendered brains); 2: types −.010 (two rendered breasts).
   */
  TIMES_NEXT: 1.5,
  /** Least markers of a type, in the data and confirmed in its cells. */
  MIN_MARKERS: 3,
  /** Least share of a type's markers that the data have. None: rates −.005 (pancreas, spots). */
  MIN_COVERAGE: 0.15,
  /** Least raise of a type's markers in one of the clusters, in standard errors, in whole transcriptomes. */
  MIN_RAISE_IN_ERRORS: 2.2,
  /** Least standard deviation of markers around the mean of their set. */
  MIN_SPREAD: 0.3,
};

/** Types fitted to spots. */
export const TYPE_FIT = {
  /** Rate of a gene in types that it does not mark, relative to those it marks. */
  BACKGROUND: 0.3,
  /** That rate in types that must not express it. */
  ABSENT: 0.06,
  /** Weight of these anchors in the profiles, in captured cells. */
  ANCHOR_CELLS: 2,
  /** Learning rate of Adam for the weights of types. */
  LEARNING_RATE: 0.05,
  /** Penalty on a cell's place relative to its look, because types share places. Looks only: types −.016 (pancreas, spots). */
  PLACE_PENALTY: 60,
  /** Largest log odds between the types of a group of cells that look alike, from which the fit starts. */
  MAX_LOG_ODDS: 4,
  /** Prior precision of the weights that it starts from, for a penalty of 1. */
  START_DECAY: 3,
  /** Prior precision of the gate's weights around their start, per unit of information in a spot. */
  DECAY: 0.03,
  /** Runs from different groups, where there are few cells. One: rates −.007, types +.009 (pancreas, spots). */
  RUNS: 3,
  /** Types with a smaller share of cells cannot be judged yet. */
  MIN_MASS: 0.005,
  /**
   * With this many spots, the fitted gate is used instead of discriminants. The gate always: types −.010 (pancreas,
   * 635 spots).
   */
  ENOUGH_SPOTS: 1000,
  /** Weight of what looks suggest of a spot's cells, in UMIs. 1 to 10 name as many measured cells right (reference). */
  LOOKS_UMIS: 2,
  /** Pseudocount for the ratio of a spot's observed to expected total, in weighted UMIs. No ratio: types −.009. */
  TOTAL_UMIS: 200,
};

/** Which fitted types the tissue has. */
export const CONFIRMATION = {
  /** Possible raises of markers' log rates over other cells (smaller for a type that dominates the tissue). */
  RAISES: [0.35, 0.7, 1.1],
  /** Least log rate of a marker over other cells that counts. */
  LOWEST: -1,
  /** Greatest such log rate. */
  HIGHEST: 1.6,
  /** Raise of markers in cells of other types, log. */
  ELSEWHERE: -0.1,
  /** Markers of a set are partly redundant: n of them count as n to this power. */
  TOGETHER: 0.75,
  /** A marker is confirmed if its rate is this many times that in all other cells (more for a rare type). */
  MIN_RAISE: 1.5,
  /** Standard deviation of the markers' log rates around the mean of their type. */
  SPREAD: 0.5,
  /** Share of a type's markers that its cells express. */
  SHARE_OF_TYPE: 0.8,
  /**
   * Least share of confirmed markers of a type: in whole transcriptomes many are counted too rarely to tell. .6: no change
   * beyond the spread between seeds, in panels and in transcriptomes (one seed of these: types +.051 and +.009).
   */
  MIN_CONFIRMED: 0.5,
  /** Components rarer than this must raise genes more: a small group is easily chosen to fit noise. */
  SURE_SHARE: 0.05,
  /** Log odds by which another component must beat a type's own. No trades at all: types −.026 (pancreas, spots). */
  STAYS: 3,
};

/** References: their genes, and the shares of their labels in spots (the model of RCTD, Cable et al. 2022). */
export const REFERENCES = {
  /** Least ratio of a label's mean to that of the other labels, in the genes that tell labels apart. */
  MIN_FOLD: 1.6,
  /** Rarer genes, as a share of UMIs, are dropped, because spots have no counts of them. */
  MIN_SHARE: 2e-5,
  /** Added to a gene's spread, so that a hardly expressed gene does not tell labels apart by chance. */
  MIN_SPREAD: 0.1,
  /** Prior relative standard deviation of a gene's platform factor. */
  PLATFORM_SPREAD: 0.7,
  /** Spot counts weigh 1/(1 + this · mean), because cells of a label differ. */
  DISPERSION: 0.01,
  /**
   * Half-width of an interval, in standard errors of counting: contains about 90 % of the true shares in mixtures of
   * measured cells (lab/archive/proportions.ts); profiles and cells also differ, so 1.96 is too few.
   */
  ERRORS: 4,
};

/** Clusters and their markers. */
export const CLUSTERS = {
  /** With fewer cells, a neighbor graph is meaningless. */
  MIN_CELLS: 12,
  /** Added to both means before their ratio, so that genes expressed in almost no cells do not rank first. */
  FLOOR: 0.02,
};
