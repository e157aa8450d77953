/**
 * Constants that shape the types of steps 4 and 5, names, clusters, and references, by the part of the method. Where a
 * line names no source, none is recorded; where it names no sensitivity, none was measured. What a rule is worth is
 * from docs/notebook/ablations.md: median correlation of rates, macro-F1 of types.
 */

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
  /** Least level measured in a reference. */
  LOWEST: 0.05,
  /** Greatest level measured in a reference. */
  HIGHEST: 50,
  /** Share of the labels' mean added to a reference's levels. */
  PRIOR_SHARE: 0.05,
};

/** Types of cells by their own counts. */
export const OWN_COUNTS = {
  /**
   * Share of a cell's counts that come from its surroundings or that the lists do not describe, with the sample's mean
   * composition: it limits what one gene can say. 0.3: as many measured cells right; more names wrong on rendered slides.
   */
  AMBIENT: 0.5,
  /** Rounds of expectation–maximization; measured cells' types no longer change after eight. */
  ROUNDS: 12,
  /**
   * Exponent of the levels in the first round; it is 1 from the middle on. At full levels an abundant type could lose
   * its cells to types with few genes. 1 instead: accuracy .95 to .66 and .78 to .56 (two rendered slides).
   */
  FIRST_EXPONENT: 0.4,
  /** Cells in the fit, evenly spaced; all are then assigned. */
  MAX_FITTED: 20_000,
  /** Share of the cells that are expected to be of no type of the catalog. */
  NONE_SHARE: 0.02,
  /** Types with fewer cells than this in all are left out of the results. */
  MIN_MASS: 0.5,
};

/** Tissue as a prior of types by counts. */
export const TISSUE_PRIOR = {
  /**
   * Weight of a type that does not belong in the tissue: five or six counts of its own genes override it. 0.01: macro-F1
   * −.02 and −.018, 1e-6: +.005 (pancreas, 16 and 8 µm).
   */
  ELSEWHERE: 1e-4,
  /** A tissue is named if it has at least this share of the evidence; its types weigh more in any case. */
  MIN_SHARE: 0.5,
};

/** Names and confidence; the map of confidence is in `cell-types/confidence-table.json`. */
export const NAMES = {
  /**
   * Least confidence of a name: it is more likely right than wrong. At .4, more names are right and still more wrong
   * (docs/notebook/methods/5-measured.md).
   */
  MIN_CONFIDENCE: 0.5,
  /** Posteriors are clipped to between this and 1 minus this before their logit. */
  MIN_ODDS: 1e-3,
  /** Least gain from looks, in held-out correlation, that makes a difference to the confidence. */
  MIN_GAIN: 1e-3,
  /** Greatest such gain. */
  MAX_GAIN: 5e-2,
  /** Share of a fitted profile that is the sample's mean composition. */
  MEAN_SHARE: 0.15,
  /** Counts that a fitted profile is compared by: it averages many cells, but the catalog's levels are approximate. */
  COUNTS: 30,
  /** A component is of another type if its counts are this much likelier from it (log scale; 20 to 1). */
  MIN_LEAD: 3,
  /** Rounds of the fit of the bases under these profiles. */
  ROUNDS: 10,
  /** A profile this much likelier by itself than by the mean composition is clearly different (log scale). */
  CLEAR: 10,
  /**
   * Least share of a clear difference that a type must explain. On the measured section up to .06 in components without a
   * type (once .095), .2 and more in others. It also takes some components of nine of 41 rendered tissues.
   */
  MIN_EXPLAINED: 0.1,
};

/** Tissue and candidates of cells that share spots. */
export const CANDIDATES = {
  /**
   * Standard errors by which the markers of a tissue's own types must be raised more than those of ubiquitous ones.
   * Measured: .96 and more for the right tissue (32 spots and more), .64 for a wrong one (26 spots), up to .04 in blood.
   */
  MIN_GAIN: 0.5,
  /** Tissues compete as well unless the best gain is this many times theirs. 1 or 2: types +.003, −.010 (two rendered breasts). */
  TIMES_NEXT: 1.5,
  /** Least markers of a type, in the data and confirmed in its cells. */
  MIN_MARKERS: 3,
  /** Least share of a type's markers that the data have. None: rates −.005 (pancreas, spots). */
  MIN_COVERAGE: 0.15,
  /** Least UMIs over all spots that tell where a marker is raised, in whole transcriptomes. */
  MIN_UMIS: 20,
  /** Least raise of a type's markers in one of the clusters, in standard errors. */
  MIN_RAISE_IN_ERRORS: 2.2,
  /** Least standard deviation of markers around the mean of their set. */
  MIN_SPREAD: 0.3,
  /** Smaller rates count as this fraction of the mean: so few UMIs say no more. */
  MIN_RATE: 0.05,
};

/** What a cell's look and place say of its type, and the first guess from groups that look alike. */
export const TYPE_FEATURES = {
  /** Leading spot components that describe a cell's place. */
  COMPONENTS: 8,
  /** Penalty on a cell's place relative to its look, because types share places. */
  PLACE_PENALTY: 60,
  /** Groups of cells by look: more than types, because cells of a type can look different. */
  GROUPS: 24,
  /** Largest log odds between a group's types. */
  MAX_LOG_ODDS: 4,
  /** Steps of Adam from the groups to weights. */
  STEPS: 60,
  /** Prior precision of these weights for a penalty of 1. */
  DECAY: 3,
  /**
   * Share of the features' mean variance added to each variance of the discriminants, so that no direction is
   * infinitely informative.
   */
  RIDGE: 0.02,
  /** Smaller probabilities of a type count as none where looks are weighed: it saves time. */
  NEGLIGIBLE: 1e-6,
};

/** Types fitted to spots. */
export const TYPE_FIT = {
  /** Fewer spots with counts and cells than this cannot resolve types. */
  MIN_SPOTS: 20,
  /** Most cells in the fit, in whole neighborhoods of spots. */
  MAX_CELLS: 30_000,
  /** Most spots in the fit. */
  MAX_SPOTS: 2_500,
  /** Runs from different groups; one with more than MAX_CELLS_AGAIN cells, where all runs agree. */
  RUNS: 3,
  /** Cells above which there is one run. */
  MAX_CELLS_AGAIN: 15_000,
  /** Spots per patch of a part of the spots. */
  PATCH: 50,
  /** Mean number of cells per spot above which patches are used. */
  MANY_CELLS: 10,
  /** Rate of a gene in types that it does not mark, relative to those it marks. */
  BACKGROUND: 0.3,
  /** That rate in types that must not express it. */
  ABSENT: 0.06,
  /** Steps of a fit whose types may still be dropped. */
  WARM_STEPS: 60,
  /** Steps of the last fit, beyond WARM_STEPS. */
  FINAL_STEPS: 100,
  /** Most rounds of fitting and dropping types. */
  MAX_ROUNDS: 5,
  /** Types with a smaller share of cells cannot be judged yet. */
  MIN_MASS: 0.005,
  /**
   * With this many spots, the fitted gate is used instead of discriminants. The gate always: types −.010 (pancreas,
   * 635 spots).
   */
  ENOUGH_SPOTS: 1000,
  /** Learning rate of Adam for the weights of types. */
  LEARNING_RATE: 0.05,
  /** Rounds of expectation–maximization for the profiles in each step. */
  PROFILE_ROUNDS: 2,
  /** Weight of the anchors in the profiles, in captured cells. */
  ANCHOR_CELLS: 2,
  /** Variance of a spot's count beyond Poisson noise, of its squared mean: types vary within a tissue. */
  OVERDISPERSION: 0.2,
  /** Prior precision of the gate's weights around their start, per unit of information in a spot. */
  DECAY: 0.03,
  /** Pseudocount for the ratio of a spot's observed to expected total, in weighted UMIs. */
  TOTAL_UMIS: 200,
  /** Rounds of the fit almost without a prior. */
  FREE_ROUNDS: 25,
  /** Weight of its prior, in captured cells. */
  FREE_PRIOR_CELLS: 0.1,
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
  /** Share of a type's markers that its cells express. */
  SHARE_OF_TYPE: 0.8,
  /** Standard deviation of the markers' log rates around the mean of their type. */
  SPREAD: 0.5,
  /** A marker is confirmed if its rate is this many times that in all other cells (more for a rare type). */
  MIN_RAISE: 1.5,
  /** Least share of confirmed markers of a type. */
  MIN_CONFIRMED: 0.6,
  /** The same in a whole transcriptome, where most markers are counted too rarely to tell. */
  MIN_OF_WHOLE: 0.5,
  /** Components rarer than this must raise genes more: a small group is easily chosen to fit noise. */
  SURE_SHARE: 0.05,
  /** Log odds by which another component must beat a type's own. No trades at all: types −.026 (pancreas, spots). */
  STAYS: 3,
};

/** Spots weigh types. */
export const SPOT_WEIGHTS = {
  /** Weight of the composition that looks suggest, in UMIs. 1 to 10 name as many measured cells right. */
  PRIOR_UMIS: 2,
  /** Rounds of expectation–maximization. */
  ROUNDS: 40,
  /** Share of a spot's cells that every type has at least, so that counts can show it. */
  LEAST_SHARE: 1e-3,
  /** Limit of a ratio of shares. */
  LEAST_RATIO: 1e-3,
};

/** References: which are usable, their genes, and the fit of their labels. */
export const REFERENCES = {
  /** With fewer genes in common, a reference is refused. */
  MIN_GENES: 30,
  /** Largest value that can be the logarithm of a count. */
  LARGEST_LOG: 30,
  /** Labels with fewer cells are dropped. */
  MIN_CELLS: 3,
  /** Counts are scaled to this total before the logarithm, as is usual. */
  TOTAL: 10_000,
  /** Most genes that a condensed reference keeps. */
  MAX_GENES: 3_000,
  /** Genes of each ordered pair of labels. */
  OF_PAIRS: 20,
  /** Added to a gene's spread, so that a hardly expressed gene does not tell labels apart by chance. */
  MIN_SPREAD: 0.1,
  /** Steps of the fit of labels to spots. */
  STEPS: 100,
  /** A label's genes have at least this many times the mean of all labels. */
  RAISED: 2,
};

/** Genes that tell a reference's labels apart. */
export const LABEL_GENES = {
  /** Most genes per label. */
  PER_LABEL: 200,
  /** Least ratio of a label's mean to that of the other labels. */
  MIN_FOLD: 1.6,
  /** Rarer genes, as a share of UMIs, are dropped, because spots have no counts of them. */
  MIN_SHARE: 2e-5,
  /** Least UMIs of a gene over all spots. */
  MIN_UMIS: 10,
  /** With fewer informative genes, all counted genes are used. */
  MIN_GENES: 50,
};

/** Proportions of a reference's labels in spots (the model of RCTD, Cable et al. 2022). */
export const PROPORTIONS = {
  /** Prior relative standard deviation of a gene's platform factor. */
  PLATFORM_SPREAD: 0.7,
  /** Spot counts weigh 1/(1 + this · mean), because cells of a label differ. */
  DISPERSION: 0.01,
  /** Rounds of expectation–maximization for all spots together. */
  BULK_ROUNDS: 300,
  /** The same for each spot. */
  SPOT_ROUNDS: 120,
  /** With more spots, none are fitted: it would take longer than everything else. */
  MAX_SPOTS: 50_000,
  /**
   * Half-width of an interval, in standard errors of counting: contains about 90 % of the true shares in mixtures of
   * measured cells (lab/archive/proportions.ts); profiles and cells also differ, so 1.96 is too few.
   */
  ERRORS: 4,
  /** Relative ridge that keeps the information matrix invertible if labels cannot be told apart. */
  RIDGE: 1e-6,
};

/** Clusters and their markers. */
export const CLUSTERS = {
  /** With fewer reliable genes, all expressed genes describe the cells. */
  MIN_RELIABLE: 30,
  /** With fewer cells, a neighbor graph is meaningless. */
  MIN_CELLS: 12,
  /** Cells for choosing genes and finding axes. */
  SAMPLE: 8_000,
  /** Most genes for the full covariance. */
  MAX_COLUMNS: 2_048,
  /** Added to both means before their ratio, so that genes expressed in almost no cells do not rank first. */
  FLOOR: 0.02,
};
