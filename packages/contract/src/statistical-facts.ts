/** A number that may be missing: JSON has no NaN. */
export type Maybe = number | null;

/**
 * Genes that distinguish one group of cells from all others, best first by `auc`. Effects compare the counts of cells;
 * p-values count spots, because cells in a spot are not replicates.
 */
export interface GroupMarkers {
  group: string;
  /** Tested cells in the group. */
  cells: number;
  genes: string[];
  /** t of the rank correlation, over spots, between the gene's share of UMIs and the group's share of cells. */
  scores: number[];
  /** Two-sided. */
  pvals: number[];
  /** Benjamini–Hochberg over all tested genes of the group. */
  pvalsAdj: number[];
  /** log2 of the ratio of mean normalized counts, as scanpy computes it. */
  logFoldChanges: number[];
  /** Probability that a cell of the group has more than a cell outside it. */
  auc: number[];
  /** Difference of means in pooled standard deviations. */
  cohensD: number[];
  /** Smallest Cohen's d against any single other group. */
  minCohensD: number[];
  /** Share of cells with a count, in the group and in the others. */
  fraction: number[];
  fractionOthers: number[];
}

/** Markers of every group of one kind. */
export interface MarkerTable {
  groupBy: "cluster" | "cell_type" | "domain";
  /** Cells that entered the effects, spots (on bins: squares of 100 µm) that the p-values count, and genes. */
  testedCells: number;
  testedSpots: number;
  testedGenes: number;
  groups: GroupMarkers[];
}

/** Markers of groups that were made in the view. */
export type OwnMarkerTable = Omit<MarkerTable, "groupBy">;

export interface MoranTable {
  /** By falling I. */
  genes: string[];
  I: number[];
  /** Under normality; the same for every gene. */
  variance: number;
  z: number[];
  /** One-tailed, toward the side on which I lies. */
  pNormal: number[];
  /** Benjamini–Hochberg over all tested genes. */
  fdr: number[];
  permutations: number;
  /** Null for genes that were not permuted. */
  pSimulated: Maybe[];
  pZSimulated: Maybe[];
  varianceSimulated: Maybe[];
}

/** Square tables are indexed [row][column] by `types`. */
export interface NeighborhoodEnrichment {
  types: string[];
  permutations: number;
  /** Null if permutations never vary (a type without tested cells). */
  zscore: Maybe[][];
  /** Directed edges from cells of the row's type to cells of the column's. */
  count: number[][];
}

export interface CoOccurrence {
  types: string[];
  /** Upper ends of the distances, µm, after a leading 0. */
  intervalUm: number[];
  /** [type i][type j][distance]: P(i | j within the distance) / P(i within the distance). Null without pairs. */
  occ: Maybe[][][];
  /** Cells around which pairs were counted; below the number of tested cells when sampled. */
  centers: number;
  pairs: number;
}

export interface DomainSummary {
  count: number;
  names: string[];
  /** #rrggbb, one per domain. */
  colors: string[];
  cells: number[];
  /** Share of each type among the cells of a domain: [domain][type]. */
  types: string[];
  composition: number[][];
  /** Log likelihood per cell minus one per free parameter, best of the restarts, for each number tried. */
  tried: { count: number; score: number }[];
}

/** One row per ligand–receptor pair and pair of types. */
export interface LigandReceptorTable {
  /** Known pairs, and how many have both genes reliable. */
  knownPairs: number;
  testedPairs: number;
  permutations: number;
  ligand: string[];
  receptor: string[];
  sender: string[];
  receiver: string[];
  edges: number[];
  /** Mean over edges of the product of normalized log counts. */
  score: number[];
  /** (mean of the ligand in senders + mean of the receptor in receivers) / 2. */
  mean: number[];
  zscore: Maybe[];
  pvalue: number[];
  fdr: number[];
}

/**
 * Results that analysis type "advanced" adds, for observed cells and reliable genes. Null = could not be tested;
 * `notes` says why.
 */
export interface SpatialStatistics {
  /** Observed cells with enough counts, and the least counts that are enough. */
  testedCells: number;
  minimumCounts: number;
  testedGenes: number;
  graph: { edges: number; medianEdgeUm: number; maxEdgeUm: number; testedEdges: number };
  moran: MoranTable | null;
  enrichment: NeighborhoodEnrichment | null;
  coOccurrence: CoOccurrence | null;
  domains: DomainSummary | null;
  ligandReceptor: LigandReceptorTable | null;
  /** Sentences for the report: what was omitted or reduced. */
  notes: string[];
}
