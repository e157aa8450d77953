import { placesByValue } from "@stipple/numerics/places-by-value";
import { Random } from "@stipple/numerics/random";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import type { TissueOptions } from "../options.ts";
import { emptyBins, type CaptureArray, type Deposits, type Places } from "./capture-array.ts";
import { binBarcode, FINE_PER_BIN, FINE_UM, fromMaps } from "./hd-arrays.ts";

const CHILDREN = FINE_PER_BIN ** 2;

/**
 * Splits 8 µm bins into 2 µm bins: each count of a bin is drawn into one of its sixteen parts according to what
 * each cell deposited there, times the stripe efficiencies of the 2 µm rows and columns. The 8 µm bins are
 * exactly the sums. `captured` (cells × genes) records the cell of origin of each count under tissue. Null if
 * no deposits were kept.
 */
export function fineBins(
  array: CaptureArray,
  counts: SparseMatrix,
  rates: Matrix<Float32Array>,
  { seed, spotEfficiencyCv }: TissueOptions,
): { array: Places; counts: SparseMatrix; captured: SparseMatrix } | null {
  const { deposits } = array;
  if (!deposits) return null;
  const random = new Random(seed + 11 * 2 ** 32);
  const side = Math.round(Math.sqrt(array.count));
  const fineSide = side * FINE_PER_BIN;
  const stripe = (): Float64Array =>
    Float64Array.from({ length: fineSide }, () => Math.exp(spotEfficiencyCv * random.normal()));
  const rowEfficiency = stripe();
  const columnEfficiency = stripe();
  const nGenes = rates.nCols;
  const origins = Array.from({ length: rates.nRows }, () => new Map<number, number>());
  const draw = partsDrawn(
    { ...byParent(deposits, side), deposits, fineSide },
    (at, gene) =>
      deposits.amount[at] *
      rates.data[deposits.cell[at] * nGenes + gene] *
      rowEfficiency[Math.floor(deposits.bin[at] / fineSide)] *
      columnEfficiency[deposits.bin[at] % fineSide],
    random,
  );

  const indptr = new Uint32Array(fineSide * fineSide + 1);
  let total = 0;
  for (const value of counts.data) total += value;
  const indices = new Uint32Array(total);
  const data = new Float32Array(total);
  let used = 0;
  for (let row = 0; row < side; row++) {
    // Interleaved genes and counts of every fine bin in four rows.
    const strip = Array.from({ length: fineSide * FINE_PER_BIN }, (): number[] => []);
    for (let column = 0; column < side; column++) {
      const parent = row * side + column;
      for (let k = counts.indptr[parent]; k < counts.indptr[parent + 1]; k++) {
        const gene = counts.indices[k];
        const drawn = draw(parent, gene, counts.data[k], (cell) => {
          if (array.inTissue[parent]) origins[cell].set(gene, (origins[cell].get(gene) ?? 0) + 1);
        });
        drawn.forEach((count, child) => {
          if (count === 0) return;
          const place =
            Math.floor(child / FINE_PER_BIN) * fineSide +
            column * FINE_PER_BIN +
            (child % FINE_PER_BIN);
          strip[place].push(gene, count);
        });
      }
    }
    strip.forEach((entries, place) => {
      for (let e = 0; e < entries.length; e += 2) {
        indices[used] = entries[e]!;
        data[used++] = entries[e + 1]!;
      }
      indptr[row * FINE_PER_BIN * fineSide + place + 1] = used;
    });
  }
  return {
    array: finePlaces(array, side),
    captured: fromMaps(origins, nGenes),
    counts: {
      nRows: fineSide * fineSide,
      nCols: counts.nCols,
      indptr,
      indices: indices.slice(0, used),
      data: data.slice(0, used),
    },
  };
}

/**
 * Draws each count of a bin into one of its sixteen parts, with the probability of what was deposited there: `amountOf` a
 * gene in a deposit. `from` hears the cell of each count.
 */
function partsDrawn(
  { order, starts, deposits, fineSide }: OrderedDeposits & { deposits: Deposits; fineSide: number },
  amountOf: (at: number, gene: number) => number,
  random: Random,
): (parent: number, gene: number, count: number, from: (cell: number) => void) => Uint32Array {
  const drawn = new Uint32Array(CHILDREN);
  const sums: number[] = [];
  return (parent, gene, count, from) => {
    const first = starts[parent];
    const n = starts[parent + 1] - first;
    let sum = 0;
    for (let i = 0; i < n; i++) sums[i] = sum += amountOf(order[first + i], gene);
    drawn.fill(0);
    for (let u = 0; u < count; u++) {
      const target = random.uniform() * sum;
      let i = 0;
      while (i < n - 1 && sums[i] <= target) i++;
      const at = order[first + i];
      const bin = deposits.bin[at];
      from(deposits.cell[at]);
      const inner = (Math.floor(bin / fineSide) % FINE_PER_BIN) * FINE_PER_BIN;
      drawn[inner + (bin % FINE_PER_BIN)]++;
    }
    return drawn;
  };
}

interface OrderedDeposits {
  order: Uint32Array;
  /** Where those of each 8 µm bin begin, and the end of the last. */
  starts: Uint32Array;
}

/** Deposits in the order of the 8 µm bins that contain them. */
function byParent({ bin }: Deposits, side: number): OrderedDeposits {
  const fineSide = side * FINE_PER_BIN;
  const parentOf = (fine: number): number =>
    Math.floor(Math.floor(fine / fineSide) / FINE_PER_BIN) * side +
    Math.floor((fine % fineSide) / FINE_PER_BIN);
  const { starts, places: order } = placesByValue(bin.map(parentOf), side * side);
  return { order, starts };
}

/** The sixteen parts of every 8 µm bin, row by row; they are under tissue if the bin is. */
function finePlaces(array: CaptureArray, side: number): Places {
  const fineSide = side * FINE_PER_BIN;
  const count = fineSide * fineSide;
  const fine = emptyBins("square_002um", FINE_UM, count);
  // Steps from one 8 µm bin to the next, along a row and along a column.
  const along = [array.x[1] - array.x[0], array.y[1] - array.y[0]] as const;
  const down = [array.x[side] - array.x[0], array.y[side] - array.y[0]] as const;
  const offset = (index: number): number => ((index % FINE_PER_BIN) + 0.5) / FINE_PER_BIN - 0.5;
  for (let bin = 0; bin < count; bin++) {
    const row = Math.floor(bin / fineSide);
    const column = bin % fineSide;
    const parent = Math.floor(row / FINE_PER_BIN) * side + Math.floor(column / FINE_PER_BIN);
    const [a, d] = [offset(column), offset(row)];
    fine.barcode[bin] = binBarcode(FINE_UM, row, column);
    fine.x[bin] = array.x[parent] + a * along[0] + d * down[0];
    fine.y[bin] = array.y[parent] + a * along[1] + d * down[1];
    fine.arrayRow[bin] = row;
    fine.arrayCol[bin] = column;
    fine.inTissue[bin] = array.inTissue[parent]!;
  }
  return fine;
}
