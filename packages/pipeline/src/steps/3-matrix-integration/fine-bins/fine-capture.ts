import type { BleedModel } from "../../../facts.ts";
import { pause } from "../../../engine/pause.ts";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { transpose } from "@stipple/numerics/sparse";
import { FINE_BIN_UM } from "../../../readers/hd-visium/read-fine-bins.ts";
import { KERNEL_LENGTHS, kernelScale } from "../capture-matrix.ts";
import { SparseRows } from "../sparse-rows.ts";
import type { BinGrid } from "./bin-grid.ts";
import { OWNED_BY, type BinOwners } from "./bin-owners.ts";

/** Above this length the kernel changes little from bin to bin, so it is evaluated at only some of them. */
const FINE_LENGTH_UM = 8;
/** Smaller entries are omitted, as in the capture matrix. */
const MIN_SHARE = 1e-6;
/** Number of cells between checks of the signal. */
const PAUSE_CELLS = 2000;

export interface FineCaptureRequest {
  grid: BinGrid;
  owners: BinOwners;
  cellXy: Matrix<Float32Array>;
  areaUm2: ArrayLike<number>;
  bleed: Pick<BleedModel, "beta" | "lengthUm">;
  signal?: AbortSignal;
}

/**
 * How much of each cell's RNA the fine bins of each cell capture, nCells × nCells (row = owner of the bins):
 * the analog of the capture matrix of the array's larger bins, with all bins owned by one cell merged. RNA that
 * stays in place is captured by the cell's own bins within its outlines, (1 − β) · their share of its area; the
 * rest, β, is distributed over the surrounding bins by κ · exp(−d/ℓ), with d from the bin center to the
 * nucleus, cut off at 3ℓ. O(cells · bins within reach).
 */
export async function fineCapture(request: FineCaptureRequest): Promise<SparseMatrix> {
  const { grid, owners, cellXy, areaUm2, bleed } = request;
  const { owner } = owners;
  const nCells = cellXy.nRows;
  const inside = binsInOutlines(owners, nCells);
  const centers = grid.place(cellXy.data);
  const cut = (KERNEL_LENGTHS * bleed.lengthUm) / FINE_BIN_UM;
  const step = Math.max(1, Math.floor(bleed.lengthUm / FINE_LENGTH_UM));
  const fineBin = { spotSizeUm: step * FINE_BIN_UM, spotShape: "square" } as const;
  const shed = bleed.beta * kernelScale(fineBin, bleed.lengthUm);
  const falloff = FINE_BIN_UM / bleed.lengthUm;
  const sums = new Float64Array(nCells);
  const ofCell = new SparseRows(nCells, nCells);
  for (let cell = 0; cell < nCells; cell++) {
    if (cell % PAUSE_CELLS === 0) {
      await pause(request.signal);
    }
    const reached = [cell];
    const ownArea = inside[cell] * FINE_BIN_UM ** 2;
    sums[cell] = areaUm2[cell] > 0 ? (1 - bleed.beta) * Math.min(1, ownArea / areaUm2[cell]) : 0;
    const [x, y] = [centers[2 * cell], centers[2 * cell + 1]];
    const [top, bottom] = linesWithin(y, cut, step, grid.rows);
    const [left, right] = linesWithin(x, cut, step, grid.cols);
    for (let row = top; shed > 0 && row <= bottom; row += step) {
      const down = (row + 0.5 - y) ** 2;
      for (let col = left; col <= right; col += step) {
        const other = owner[row * grid.cols + col];
        const squared = down + (col + 0.5 - x) ** 2;
        if (other < 0 || squared > cut * cut) continue;
        if (sums[other] === 0 && other !== cell) reached.push(other);
        sums[other] += shed * Math.exp(-falloff * Math.sqrt(squared));
      }
    }
    for (const other of reached.sort((a, b) => a - b)) {
      if (sums[other] > MIN_SHARE) ofCell.push(other, sums[other]);
      sums[other] = 0;
    }
    ofCell.endRow();
  }
  return transpose(ofCell.finish());
}

/**
 * First and last rows or columns among every `step`-th one whose bin centers are within `reach` of a position.
 */
function linesWithin(place: number, reach: number, step: number, n: number): [number, number] {
  const first = Math.max(0, Math.ceil((place - reach - 0.5) / step) * step);
  return [first, Math.min(n - 1, Math.floor(place + reach - 0.5))];
}

/** Number of bins in each cell's nucleus or outline. */
function binsInOutlines({ owner, by }: BinOwners, nCells: number): Uint32Array {
  const nearest = OWNED_BY.indexOf("nearest");
  const bins = new Uint32Array(nCells);
  for (let bin = 0; bin < owner.length; bin++) {
    if (owner[bin] >= 0 && by[bin] !== nearest) bins[owner[bin]]++;
  }
  return bins;
}
