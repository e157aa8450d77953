import type { AlignmentScale } from "../../../facts.ts";
import { meanRanks } from "@stipple/numerics/mean-ranks";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { columnSums } from "@stipple/numerics/sparse";
import { studentTwoSided } from "@stipple/numerics/student-tail";

/** Bins are merged into squares with this side length, because a cell covers several bins. */
const SQUARE_UM = 100;
/** No test is run with fewer spots. */
const MIN_UNITS = 10;

/** The inputs from which the replicates of a test are built. */
export interface CapturedSpots {
  /** Overlap matrix A, nSpots × nCells. */
  overlap: SparseMatrix;
  /** nGenes × nSpots, UMIs as counted. */
  byGene: SparseMatrix;
  /** nSpots × 2, full-resolution px. */
  xy: Matrix;
  scale: Pick<AlignmentScale, "spotShape" | "micronsPerPixel">;
}

/** Spots, or squares of bins: the replicates of every test. */
export interface Units {
  /** Unit of each spot; −1 where the spot captured no cell or no counts. */
  unitOf: Int32Array;
  /** Total UMIs per unit. */
  totals: Float64Array;
}

/** What the replicates are called. */
export function unitNoun({ spotShape }: Pick<AlignmentScale, "spotShape">): string {
  return spotShape === "square" ? `squares of ${SQUARE_UM} µm` : "spots";
}

/** The replicates of a sample. O(entries of the counts). */
export function unitsOf({ overlap, byGene, xy, scale }: CapturedSpots): Units {
  const perSpot = columnSums(byGene);
  const unitOf = new Int32Array(overlap.nRows).fill(-1);
  const totals: number[] = [];
  const known = new Map<string, number>();
  const side = SQUARE_UM / scale.micronsPerPixel;
  for (let s = 0; s < overlap.nRows; s++) {
    if (perSpot[s] === 0 || overlap.indptr[s] === overlap.indptr[s + 1]) continue;
    const place =
      scale.spotShape === "square"
        ? `${Math.floor(xy.data[2 * s] / side)} ${Math.floor(xy.data[2 * s + 1] / side)}`
        : String(s);
    let unit = known.get(place);
    if (unit === undefined) known.set(place, (unit = totals.push(0) - 1));
    unitOf[s] = unit;
    totals[unit] += perSpot[s];
  }
  return { unitOf, totals: Float64Array.from(totals) };
}

/** Composition of the units: each group's share of the cells captured by a unit. */
export interface Composition {
  nGroups: number;
  /** Units included in the tests. */
  units: Uint32Array;
  /**
   * Ranks of the shares over these units, centered and scaled to unit length; zero for a group that does not
   * vary. Groups × units.
   */
  ranks: Float64Array;
}

/** Minimum fraction of a unit's cells that must be among the compared cells for it to count. */
const MIN_COMPARED = 0.5;

/**
 * Group shares in each unit, as ranks. `groupOf` holds a group for every cell of the sample, −1 = not compared;
 * units that mostly capture cells that are not compared are left out. Shares are computed among the compared
 * cells.
 */
export function compositionOf(
  { overlap }: CapturedSpots,
  { unitOf, totals }: Units,
  groupOf: ArrayLike<number>,
  nGroups: number,
): Composition {
  const nUnits = totals.length;
  const captured = new Float64Array(nUnits);
  const shares = new Float64Array(nUnits * nGroups);
  const compared = new Float64Array(nUnits);
  for (let s = 0; s < overlap.nRows; s++) {
    const unit = unitOf[s];
    if (unit < 0) continue;
    for (let k = overlap.indptr[s]; k < overlap.indptr[s + 1]; k++) {
      const group = groupOf[overlap.indices[k]];
      captured[unit] += overlap.data[k];
      if (group < 0) continue;
      compared[unit] += overlap.data[k];
      shares[unit * nGroups + group] += overlap.data[k];
    }
  }
  const units = Uint32Array.from(totals.keys()).filter(
    (unit) => compared[unit] > 0 && compared[unit] >= MIN_COMPARED * captured[unit],
  );
  const ranks = new Float64Array(nGroups * units.length);
  for (let group = 0; group < nGroups; group++) {
    const own = Float64Array.from(units, (unit) => shares[unit * nGroups + group] / compared[unit]);
    ranks.set(scaledRanks(own), group * units.length);
  }
  return { nGroups, units, ranks };
}

/** One gene's share of the total UMIs in each unit. */
export function unitShares(
  { byGene }: Pick<CapturedSpots, "byGene">,
  { unitOf, totals }: Units,
  gene: number,
): Float64Array {
  const counts = new Float64Array(totals.length);
  for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
    const unit = unitOf[byGene.indices[k]];
    if (unit >= 0) counts[unit] += byGene.data[k];
  }
  return counts.map((count, unit) => count / totals[unit]);
}

/**
 * Spearman correlation across units between a gene's share of the UMIs and each group's share of the cells, as
 * t with n − 2 degrees of freedom and two-sided p (Kendall & Gibbons 1990, ties by mean ranks). A spot's counts
 * enter once, however many cells it contains. p = 1 where nothing varies or fewer than ten units are left.
 */
export function testGroups(
  values: Float64Array,
  { nGroups, units, ranks }: Composition,
): { t: Float64Array; p: Float64Array } {
  const n = units.length;
  const t = new Float64Array(nGroups);
  const p = new Float64Array(nGroups).fill(1);
  if (n < MIN_UNITS) return { t, p };
  const own = scaledRanks(Float64Array.from(units, (unit) => values[unit]));
  for (let group = 0; group < nGroups; group++) {
    let rho = 0;
    for (let i = 0; i < n; i++) rho += own[i] * ranks[group * n + i];
    rho = Math.max(-1 + 1e-12, Math.min(1 - 1e-12, rho));
    t[group] = rho * Math.sqrt((n - 2) / (1 - rho * rho));
    if (rho !== 0) p[group] = studentTwoSided(t[group], n - 2);
  }
  return { t, p };
}

/** Mean ranks, centered and scaled to unit length; all zeros if all values are equal. */
function scaledRanks(values: Float64Array): Float64Array {
  const ranks = meanRanks(values).map((rank) => rank - (values.length - 1) / 2);
  const length = Math.sqrt(ranks.reduce((sum, rank) => sum + rank * rank, 0));
  return length > 0 ? ranks.map((rank) => rank / length) : ranks;
}
