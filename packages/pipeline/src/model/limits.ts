/**
 * Limits of steps 4 and 5 that are not meant to shape results: guards of divisions, rounds until nothing changes any
 * more, samples that stand for all, and what a file must hold. What shapes results is in `constants.ts`.
 */

/** Guards of logarithms, divisions, and tiny numbers. */
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
  /** Least variance within groups by look, of the total, so that no direction is infinitely informative. */
  MIN_VARIANCE: 0.01,
  /** Share of the features' mean variance added to each variance of the discriminants, likewise. */
  ADDED_VARIANCE: 0.02,
  /** Factor that scales up the intercept column of the ridge regression, so that it is effectively not penalized. */
  FREE: 100,
  /** Least rate of a gene, of its mean, so that a cell or a group can return to it. */
  MIN_RATE: 1e-3,
  /** Least level of a gene in a group of cells or in a reference's label, relative to the mean. */
  MIN_LEVEL: 0.05,
  /** Greatest level measured in a reference. */
  MAX_LEVEL: 50,
  /** Posteriors are clipped to between this and 1 minus this before their logit. */
  MIN_ODDS: 1e-3,
  /** Smaller probabilities of a type count as none where looks are weighed: it saves time. */
  NEGLIGIBLE: 1e-6,
  /** Types with fewer cells than this in all are left out of the results. */
  MIN_MASS: 0.5,
  /** Weight of the prior where rates are fitted almost without one, in captured cells. */
  FREE_PRIOR_CELLS: 0.1,
  /** Share of a spot's cells that every type has at least, so that counts can show it; also the least ratio of shares. */
  MIN_SHARE: 1e-3,
  /** Relative ridge that keeps the information matrix invertible if labels cannot be told apart. */
  RIDGE: 1e-6,
};

/** Values that cross-validation or a likelihood chooses from. */
export const GRIDS = {
  /** Ridge penalties (generalized cross-validation, Golub, Heath & Wahba 1979). */
  ALPHAS: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  /** Weights of the model relative to a cell's bins, from "only the bins" to "only the model". */
  SHAPES: [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300] as const,
};

/** Rounds of iterations. */
export const ROUNDS = {
  /** Expectation–maximization of groups that look alike, and of a spot's composition. */
  GROUPS: 40,
  /** Sweeps of a gene's least-squares fit. */
  SWEEPS: 60,
  /** Fit of the prototypes' totals, and of the weights of bins. */
  TOTALS: 100,
  /** Stacking of parts (Wolpert 1992). */
  STACKING: 200,
  /** Types of cells by their own counts; measured cells' types no longer change after eight. */
  OWN_COUNTS: 12,
  /** Bases of the types' profiles, what the profiles are of, and the power of looks, which five would settle. */
  PROFILES: 10,
  /** Steps of Adam for types, before each check of the types, and for the weights that they start from. */
  TYPE_STEPS: 60,
  /** Steps after the last check, and of the fit of labels. */
  LAST_STEPS: 100,
  /** Expectation–maximization of profiles in each step. */
  TYPE_PROFILES: 2,
  /** Most checks of the types. */
  TYPE_CHECKS: 5,
  /** Rates of groups of cells almost without a prior. */
  FREE: 25,
  /** Proportions of labels in all spots together. */
  BULK: 300,
  /** The same in each spot. */
  SPOT: 120,
};

/** Samples that stand for all: more of them move results by less than sampling noise. */
export const SAMPLES = {
  /** Cells that groups and prototypes are found with, and types by own counts are fitted to. */
  CELLS: 20_000,
  /** Cells whose numbers of counts differ by up to half of this share expectations. */
  TOTALS_RATIO: 1.3,
  /** Genes used to choose parts. */
  PART_GENES: 300,
  /** Genes by which the lead of a source is measured. */
  SOURCE_GENES: 400,
  /** Most genes that compare sources on bins. */
  BIN_GENES: 500,
  /** Spots to train a gate on: its few thousand weights converge with far fewer. */
  GATE_SPOTS: 100_000,
  /** Side of the squares of tissue sampled for that, in pitches. */
  GATE_PITCHES: 12,
  /** Gate training steps in a held-out fit, of those in the final fit. */
  QUICK_STEPS: 1 / 3,
  /** Random spots with this many entries of a gene determine its profile as well as all spots do. */
  PROFILE_ENTRIES: 8192,
  /** Most entries of the count matrix in a held-out check. */
  HELDOUT_ENTRIES: 2_000_000,
  /** Most cells in a held-out check; types are fitted once, not in several runs, to more. */
  HELDOUT_CELLS: 15_000,
  /** Approximate number of cells that weights of bins are learned from. */
  BIN_CELLS: 2000,
  /** Cells of bins of 2 µm that determine a cell's RNA content: those that capture most of it. */
  RICHNESS_CELLS: 3,
  /** Bootstrap samples of the spots. */
  BOOTSTRAPS: 8,
  /** Most spots to resample. */
  BOOTSTRAP_SPOTS: 40_000,
  /** Genes whose median gives a cell's uncertainty. */
  BOOTSTRAP_GENES: 24,
  /** Cells whose median gives a gene's uncertainty. */
  BOOTSTRAP_CELLS: 200,
  /** Side of the squares in which counts of bins are allocated independently, µm. */
  ALLOCATION_UM: 1000,
  /** Most cells in the fit of types, in whole neighborhoods of spots. */
  TYPE_CELLS: 30_000,
  /** Most spots in it. */
  TYPE_SPOTS: 2_500,
  /** Spots of a neighborhood. */
  PATCH: 50,
  /** Mean number of cells per spot above which neighborhoods are kept together. */
  PATCH_CELLS: 10,
  /** Cells for choosing genes and finding axes of clusters. */
  CLUSTER_CELLS: 8_000,
  /** Most genes for the full covariance. */
  CLUSTER_GENES: 2_048,
};

/** What a reference is made of. */
export const REFERENCE_FILE = {
  /** Labels with fewer cells are dropped. */
  MIN_CELLS: 3,
  /** Largest value that can be the logarithm of a count. */
  LARGEST_LOG: 30,
  /** Counts are scaled to this total before the logarithm, as is usual. */
  TOTAL: 10_000,
  /** Most genes that a condensed reference keeps. */
  MAX_GENES: 3_000,
  /** Genes of each ordered pair of labels among them. */
  OF_PAIRS: 20,
  /** Most genes per label in a fit. */
  PER_LABEL: 200,
  /** With more spots, no proportions are fitted: it would take longer than everything else. */
  MAX_SPOTS: 50_000,
};
