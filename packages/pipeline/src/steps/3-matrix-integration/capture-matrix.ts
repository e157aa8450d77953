import KDBush from "kdbush";
import { pause } from "../../engine/pause.ts";
import type { AlignmentScale, BleedModel } from "../../facts.ts";
import type { Matrix, Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import { signedArea } from "@stipple/numerics/polygon-shape";
import { polygonDiscArea, polygonSquareArea } from "@stipple/numerics/polygon-overlap";
import { SparseRows } from "./sparse-rows.ts";

export interface CaptureRequest {
  /** nSpots × 2 and nCells × 2, full-resolution px, like the polygons. */
  spots: Matrix;
  /** 0 for spots that say nothing about these cells, and so capture none; all do if not given. */
  use?: Uint8Array;
  cellXy: Matrix;
  polygons: Polygons;
  scale: Pick<AlignmentScale, "micronsPerPixel" | "spotSizeUm" | "spotShape" | "binAngle">;
  bleed: Pick<BleedModel, "beta" | "lengthUm">;
  signal?: AbortSignal;
  progress?(fraction: number): void;
}

export interface Capture {
  /** Capture matrix A: nSpots × nCells. */
  weights: SparseMatrix;
  /** The spot with the largest share of each cell's area (-1 if none). */
  bestSpot: Int32Array;
  /** Sum over spots of the share of the cell's area inside them, ≤ 1. */
  totalOverlap: Float32Array;
}

/** The bleed kernel is cut off at this many decay lengths, which contain 80% of it. */
export const KERNEL_LENGTHS = 3;

/** Area of a spot or bin, µm². */
export function spotAreaUm2(scale: Pick<AlignmentScale, "spotSizeUm" | "spotShape">): number {
  return scale.spotShape === "square"
    ? scale.spotSizeUm ** 2
    : Math.PI * (scale.spotSizeUm / 2) ** 2;
}

/**
 * κ: the share of what a cell sheds that is captured by a spot at distance 0. exp(−d/ℓ) is normalized to
 * integrate to 1 over the disk of radius 3ℓ, and a spot captures what falls on its own area.
 */
export function kernelScale(
  scale: Pick<AlignmentScale, "spotSizeUm" | "spotShape">,
  lengthUm: number,
): number {
  const n = KERNEL_LENGTHS;
  const integral = 2 * Math.PI * lengthUm * lengthUm * (1 - (1 + n) * Math.exp(-n));
  return spotAreaUm2(scale) / integral;
}

/**
 * How much of each cell's RNA each spot captures: (1 − β)·overlap + β·κ·exp(−d/ℓ), with d from the spot center
 * to the nucleus, cut off at 3ℓ. Overlap is the exact share of the cell's area inside the spot. O(spots · cells
 * within reach); entries below 1e-6 are omitted.
 */
export async function captureMatrix(request: CaptureRequest): Promise<Capture> {
  const { scale, bleed } = request;
  const { spots, cellXy, polygons } = alongBins(request, scale.binAngle ?? 0);
  const nCells = cellXy.nRows;
  const pxUm = scale.micronsPerPixel;
  const size = scale.spotSizeUm / pxUm;
  const square = scale.spotShape === "square";
  const spotReach = square ? (size / 2) * Math.SQRT2 : size / 2;
  const kappa = kernelScale(scale, bleed.lengthUm);
  const cut = (KERNEL_LENGTHS * bleed.lengthUm) / pxUm;
  const { areas, radii, largest } = cellExtents(polygons, cellXy);
  const index = new KDBush(Math.max(1, nCells));
  for (let c = 0; c < nCells; c++) index.add(cellXy.data[2 * c], cellXy.data[2 * c + 1]);
  if (nCells === 0) index.add(0, 0);
  index.finish();
  const bestOverlap = new Float32Array(nCells);
  const bestSpot = new Int32Array(nCells).fill(-1);
  const totalOverlap = new Float32Array(nCells);
  const rows = new SparseRows(spots.nRows, nCells);
  const reach = Math.max(bleed.beta > 0 ? cut : 0, spotReach + largest);
  for (let s = 0; s < spots.nRows; s++) {
    if (s % 500 === 0) {
      request.progress?.(s / spots.nRows);
      await pause(request.signal);
    }
    const x = spots.data[2 * s];
    const y = spots.data[2 * s + 1];
    const capturesCells = nCells > 0 && request.use?.[s] !== 0;
    for (const c of capturesCells ? index.within(x, y, reach).sort((a, b) => a - b) : []) {
      const d = Math.hypot(cellXy.data[2 * c] - x, cellXy.data[2 * c + 1] - y);
      let overlap = 0;
      if (d < spotReach + radii[c]) {
        const from = polygons.offsets[c];
        const to = polygons.offsets[c + 1];
        const shared = square
          ? polygonSquareArea(polygons.xy, from, to, x, y, size)
          : polygonDiscArea(polygons.xy, from, to, x, y, size / 2);
        overlap = areas[c] > 0 ? Math.min(1, shared / areas[c]) : 0;
        totalOverlap[c] += overlap;
        if (overlap > bestOverlap[c]) {
          bestOverlap[c] = overlap;
          bestSpot[c] = s;
        }
      }
      const shed = d <= cut ? bleed.beta * kappa * Math.exp((-d * pxUm) / bleed.lengthUm) : 0;
      const weight = (1 - bleed.beta) * overlap + shed;
      if (weight > 1e-6) rows.push(c, weight);
    }
    rows.endRow();
  }
  return { weights: rows.finish(), bestSpot, totalOverlap };
}

/** Everything turned together until the sides of the bins are parallel to the axes. O(points). */
function alongBins<T extends Pick<CaptureRequest, "spots" | "cellXy" | "polygons">>(
  places: T,
  angle: number,
): T {
  if (angle === 0) return places;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turned = <A extends Matrix["data"] | Float32Array>(xy: A): A => {
    const out = xy.slice() as A;
    for (let i = 0; i < xy.length; i += 2) {
      out[i] = cos * xy[i] + sin * xy[i + 1];
      out[i + 1] = cos * xy[i + 1] - sin * xy[i];
    }
    return out;
  };
  const { spots, cellXy, polygons } = places;
  return {
    ...places,
    spots: { ...spots, data: turned(spots.data) },
    cellXy: { ...cellXy, data: turned(cellXy.data) },
    polygons: { ...polygons, xy: turned(polygons.xy) },
  };
}

/** Area of each cell, and the maximum distance of its outline from its position, px. */
function cellExtents(
  polygons: Polygons,
  cellXy: Matrix,
): { areas: Float64Array; radii: Float64Array; largest: number } {
  const areas = new Float64Array(cellXy.nRows);
  const radii = new Float64Array(cellXy.nRows);
  let largest = 0;
  for (let c = 0; c < cellXy.nRows; c++) {
    const from = polygons.offsets[c];
    const to = polygons.offsets[c + 1];
    areas[c] = Math.abs(signedArea(polygons.xy.subarray(2 * from, 2 * to)));
    for (let p = from; p < to; p++) {
      const d = Math.hypot(
        polygons.xy[2 * p] - cellXy.data[2 * c],
        polygons.xy[2 * p + 1] - cellXy.data[2 * c + 1],
      );
      if (d > radii[c]) radii[c] = d;
    }
    if (radii[c] > largest) largest = radii[c];
  }
  return { areas, radii, largest };
}
