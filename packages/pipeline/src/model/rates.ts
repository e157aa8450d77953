import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { rowsOf, type SparseRow, type SparseRows } from "@stipple/numerics/sparse-rows";
import type { PartReader } from "./part-reader.ts";
import { multiplyColumn } from "./gene-column.ts";
import { evidenceKeys, SPOTS, type EvidenceKeys } from "./evidence.ts";
import { openRateKernel, updatedByBins, type RateKernel } from "./rate-kernel.ts";
import { spotReader } from "./kept-rows.ts";
import { ownBins, type OwnBins } from "./own-bins.ts";
import { smoothedRates, type SmoothedFactors } from "./smoothed-rates.ts";

/** Inferred expression of every cell, computed on demand: nothing dense is stored. */
export interface Rates {
  nCells: number;
  nGenes: number;
  /** Rate of one gene in every cell (expected UMIs). O(nCells · k). */
  column(gene: number): Float32Array;
  /**
   * Rates of some cells, cells.length × nGenes (or × `genes.length`), row-major. O(cells · genes · k). Reuse the same
   * `genes` array across calls: everything that depends on it is prepared only once. The rates are written `into`
   * memory of that length if given, which nothing else may use in the meantime.
   */
  rows(
    cells: CellNumbers,
    genes?: Uint32Array,
    into?: Float32Array<ArrayBuffer>,
  ): Promise<Float32Array<ArrayBuffer>>;
}

/** Cell numbers; see `cellsFrom` for consecutive ones. */
export type CellNumbers = ArrayLike<number>;

/** Cells from … to − 1. */
export function cellsFrom(from: number, to: number): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: to - from }, (_, i) => from + i);
}

/** Rates that keep the factors they are computed from in memory. */
export interface HeldRates extends Rates {
  parts: RateParts;
  /** Fields with the evidence for the rates. */
  evidence: EvidenceKeys;
  /** Memory taken by the factors. */
  bytes: number;
  /** Rates with spot counts that are already in memory: reading rows from disk over and over doubles the time. */
  holding(spotCounts: SparseMatrix): HeldRates;
}

/**
 * Inputs for computing cells' rates, except the counts; see step 4's fields. Spots are places of counts: see
 * evidence.ts.
 */
export interface RateParts extends SmoothedFactors {
  exposure: Matrix<Float32Array>;
  /** nGenes: weight of the model, in UMIs around the cell (spots) or relative to the cell's own bins. */
  shape: Float32Array;
  /** Whether cells have bins of their own that capture them (HD), rather than spots around them. */
  ownBins: boolean;
}

/** Inputs for computing the rates of cells. */
export interface RowFactors extends RateParts {
  /** nSpots × nGenes. */
  spotCounts: SparseRows;
}

/** Additional inputs for computing the rates of genes. */
export interface RateFactors extends RowFactors {
  /** nGenes × nSpots. */
  geneCounts: SparseRows;
}

/** Opens the field view cells/rate. Keeps M, B, and E in memory; counts are read as needed. */
export async function openRates({ read, has, rows }: PartReader): Promise<HeldRates> {
  const evidence = evidenceKeys(has);
  return ratesFrom(
    {
      membership: await read("cells/membership"),
      profile: await read("genes/profile"),
      source: await read("genes/rate_source"),
      shape: await read("genes/rate_shape"),
      ownBins: (await read("sample/scale")).spotShape === "square",
      exposure: await read(evidence.exposure),
      nearSpot: await read(evidence.nearSpot),
      nearWeight: await read(evidence.nearWeight),
      spotTotals: await read(evidence.spotTotals),
      spotCounts: await rows(evidence.spotCounts),
      geneCounts: await rows(evidence.geneCounts),
    },
    evidence,
  );
}

/**
 * The model's rate λ = MB, updated with the counts n = Σ_s w_cs y_sg seen where the model expects d = Σ_s w_cs μ_sg,
 * μ = EB: λ_cg · (n + p) / (d + p), where p is a_g UMIs for spots around the cell and a_g · d for bins that capture it.
 * Genes whose source is not the model: see smoothed-rates.ts. `evidence`: which fields the factors were read from.
 */
export function ratesFrom(factors: RateFactors, evidence: EvidenceKeys = SPOTS): HeldRates {
  const { membership, profile, nearSpot, geneCounts } = factors;
  const nCells = membership.nRows;
  const nGenes = profile.nCols;
  const columnOf = geneColumns(factors);
  const column = (gene: number): Float32Array => columnOf(gene, geneCounts.row(gene));
  const { spotCounts: _spots, geneCounts: _genes, ...parts } = factors;
  const { exposure, nearWeight } = parts;
  const bytes = [membership, profile, exposure, nearSpot, nearWeight].reduce(
    (sum, { data }) => sum + data.byteLength,
    0,
  );
  const holding = (spotCounts: SparseMatrix): HeldRates =>
    ratesFrom({ ...factors, spotCounts: rowsOf(spotCounts) }, evidence);
  return { nCells, nGenes, bytes, parts, evidence, holding, column, ...rateRows(factors) };
}

/** Rates of a gene in every cell, given its counts in spots. */
export function geneColumns(factors: RateParts): (gene: number, counts: SparseRow) => Float32Array {
  const { membership, profile, nearSpot } = factors;
  const nCells = membership.nRows;
  const k = membership.nCols;
  const nGenes = profile.nCols;
  const width = nearSpot.nCols;

  const smoothed = smoothedRates(factors);
  const { exposure, nearWeight } = factors;
  // Opened when a gene is first requested: often, rates are only needed cell by cell.
  let opened: { bins: OwnBins | null } | null = null;

  return (gene, { indices, data }) => {
    const { bins } = (opened ??= { bins: factors.ownBins ? ownBins(factors) : null });
    const b = new Float64Array(k);
    for (let j = 0; j < k; j++) b[j] = profile.data[j * nGenes + gene];
    const rate = new Float32Array(nCells);
    const shape = factors.shape[gene];
    multiplyColumn(membership.data, b, rate);
    if (smoothed?.has(gene)) {
      smoothed.fillColumn(gene, { indices, data }, rate);
      return rate;
    }
    if (bins) {
      const ratio = bins.ratios({ indices, data }, b);
      for (let c = 0; c < nCells; c++) rate[c] = updatedByBins(rate[c], shape, ratio[c]);
      return rate;
    }
    const near = nearSpot.data;
    const weight = nearWeight.data;
    const expected = new Float32Array(exposure.nRows);
    multiplyColumn(exposure.data, b, expected);
    // Observed and expected counts of a spot side by side: they are always read together.
    const seen = new Float32Array(2 * exposure.nRows);
    for (let s = 0; s < expected.length; s++) seen[2 * s + 1] = expected[s];
    for (let e = 0; e < indices.length; e++) seen[2 * indices[e]] = data[e];
    for (let c = 0; c < nCells; c++) {
      let above = shape;
      let below = shape;
      for (let n = c * width; n < (c + 1) * width; n++) {
        const s = 2 * near[n];
        if (s < 0) continue;
        const w = weight[n];
        above += w * seen[s];
        below += w * seen[s + 1];
      }
      rate[c] *= above / below;
    }
    return rate;
  };
}

/** How often a row must be read on average to be worth caching. */
const READS_WORTH_KEEPING = 4;
/** Cells computed at once: few enough for their rates to stay in the processor's cache. */
const TILE = 32;

/** Rates cell by cell. */
export function rateRows(factors: RowFactors): Pick<Rates, "rows"> {
  const { membership, profile } = factors;
  const k = membership.nCols;
  const nGenes = profile.nCols;
  const smoothed = smoothedRates(factors);
  const readSpot = spotReader(factors.spotCounts);
  const everyGene: GeneChoice = {
    genes: Uint32Array.from({ length: nGenes }, (_, g) => g),
    profile: profile.data,
    placeOf: null,
    countsOf: readSpot,
    isPlaced: true,
  };
  let chosen = everyGene;
  const spare: Float32Array[] = [];

  const choose = openChoices(factors);
  const gather = openGathering(factors);

  const kernelOf = ({ genes, profile }: GeneChoice): Promise<RateKernel> =>
    openRateKernel({
      ...{ profile, k, nGenes: genes.length, ownBins: factors.ownBins },
      shape: Float32Array.from(genes, (gene) => factors.shape[gene]),
    });

  return {
    async rows(cells, genes, into) {
      if (genes !== chosen.genes) chosen = genes ? choose(genes) : everyGene;
      const choice = chosen;
      const n = choice.genes.length;
      choice.isSmoothed ??= smoothed !== null && choice.genes.every((gene) => smoothed.has(gene));
      const rates = into ?? new Float32Array(cells.length * n);
      const most = Math.min(TILE, cells.length);
      const reused = spare.pop();
      // One array for all tiles; a concurrent call gets its own.
      const scratch =
        reused && reused.length >= most * (2 * k + n)
          ? reused
          : new Float32Array(most * (2 * k + n));
      for (let from = 0; from < cells.length; from += TILE) {
        const count = Math.min(TILE, cells.length - from);
        const [members, exposed, above] = parted(scratch, count * k, count * k, count * n);
        above.fill(0);
        for (let i = 0; i < count; i++) {
          members.set(rowOf(membership.data, cells[from + i], k), i * k);
          gather(cells[from + i], choice, rowOf(exposed, i, k), rowOf(above, i, n));
        }
        // Skip the kernel if none of the model's rates would remain.
        const tile = Array.from({ length: count }, (_, i) => cells[from + i]);
        if (!choice.isSmoothed || !tile.every((cell) => smoothed!.reaches(cell))) {
          const kernel = await (choice.kernel ??= kernelOf(choice));
          await kernel(members, exposed, above, rates.subarray(from * n, (from + count) * n));
        }
        if (!smoothed) continue;
        for (let i = 0; i < count; i++) {
          const rate = rowOf(rates, from + i, n);
          smoothed.fillRow(cells[from + i], rowOf(above, i, n), rate, choice, readSpot);
        }
      }
      spare.push(scratch);
      return rates;
    },
  };
}

/** Opens the choice of some genes. */
function openChoices({
  profile,
  nearSpot,
  spotCounts,
}: RowFactors): (genes: Uint32Array) => GeneChoice {
  // A spot is near dozens of cells, so its row is prepared once for all of them; a bin is near only one or two.
  const isReadOnce =
    spotCounts.isHeld === true && nearSpot.data.length < READS_WORTH_KEEPING * spotCounts.nRows;
  return (genes) => {
    const { nRows: k, nCols: nGenes, data } = profile;
    const placeOf = new Int32Array(nGenes).fill(-1);
    const part = new Float32Array(k * genes.length);
    genes.forEach((gene, at) => {
      placeOf[gene] = at;
      for (let j = 0; j < k; j++) part[j * genes.length + at] = data[j * nGenes + gene];
    });
    const row = (spot: number): SparseRow => onlyPlaced(spotCounts.row(spot), placeOf);
    const countsOf = isReadOnce
      ? spotCounts.row
      : spotReader({ ...spotCounts, isHeld: false, row });
    return { genes, profile: part, placeOf, countsOf, isPlaced: !isReadOnce };
  };
}

/**
 * Opens the surroundings of one cell: exposure to the prototypes (k) and the counts around it (a row of genes, zeroed
 * beforehand).
 */
function openGathering({
  exposure,
  nearSpot,
  nearWeight,
}: RowFactors): (
  cell: number,
  choice: GeneChoice,
  exposed: Float32Array,
  above: Float32Array,
) => void {
  const k = exposure.nCols;
  const width = nearSpot.nCols;
  return (cell, { countsOf, placeOf, isPlaced }, exposed, above) => {
    const sums = new Float64Array(k);
    for (let i = cell * width; i < (cell + 1) * width; i++) {
      const s = nearSpot.data[i];
      const w = nearWeight.data[i];
      if (s < 0 || w === 0) continue;
      for (let j = 0; j < k; j++) sums[j] += w * exposure.data[s * k + j];
      const { indices, data } = countsOf(s);
      if (isPlaced || !placeOf) {
        for (let e = 0; e < indices.length; e++) above[indices[e]] += w * data[e];
        continue;
      }
      for (let e = 0; e < indices.length; e++) {
        const place = placeOf[indices[e]];
        if (place >= 0) above[place] += w * data[e];
      }
    }
    exposed.set(sums);
  };
}

function rowOf(matrix: Float32Array, i: number, nCols: number): Float32Array {
  return matrix.subarray(i * nCols, (i + 1) * nCols);
}

/** Consecutive parts of an array, by their lengths. */
function parted(array: Float32Array, ...lengths: readonly number[]): Float32Array[] {
  let at = 0;
  return lengths.map((length) => array.subarray(at, (at += length)));
}

/** Some genes of the profiles, k × genes.length, and the position of each gene among them (−1: none). */
interface GeneChoice {
  genes: Uint32Array;
  profile: Float32Array;
  /** null = every gene keeps its own index. */
  placeOf: Int32Array | null;
  /** A spot's counts: of these genes, by position, if `isPlaced`; of all genes otherwise. */
  countsOf: SparseRows["row"];
  isPlaced: boolean;
  /** Whether none of their rates come from the model; determined on first use. */
  isSmoothed?: boolean;
  /** Opened on first use. */
  kernel?: Promise<RateKernel>;
}

/** The entries of a row whose genes have a position, by that position. */
function onlyPlaced({ indices, data }: SparseRow, placeOf: Int32Array): SparseRow {
  let n = 0;
  for (let e = 0; e < indices.length; e++) if (placeOf[indices[e]] >= 0) n++;
  const places = new Uint32Array(n);
  const values = new Float32Array(n);
  for (let e = 0, to = 0; to < n; e++) {
    const place = placeOf[indices[e]];
    if (place < 0) continue;
    places[to] = place;
    values[to++] = data[e];
  }
  return { indices: places, data: values };
}
