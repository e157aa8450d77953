import type { AlignmentScale } from "../../facts.ts";
import type { Matrix, Polygons } from "@stipple/numerics/matrices";
import { binRing } from "../../readers/lattice/bin-squares.ts";
import KDBush from "kdbush";

/** One pseudo-cell per spot, in full-resolution pixels: the fallback when nuclei cannot be seen. */
export interface SpotLevelCells {
  polygons: Polygons;
  xy: Matrix<Float32Array>;
  areaUm2: Float32Array;
  features: Matrix<Float32Array>;
  names: string[];
}

const DISC_POINTS = 24;

/**
 * Turns each spot into a cell with the spot's outline. Features only count nearby spots, since expression comes from
 * the spot itself. O(spots).
 */
export function spotLevelCells(
  spots: Matrix,
  scale: Pick<
    AlignmentScale,
    "micronsPerPixel" | "pitchUm" | "spotSizeUm" | "spotShape" | "binAngle"
  >,
): SpotLevelCells {
  const n = spots.nRows;
  const half = scale.spotSizeUm / 2 / scale.micronsPerPixel;
  const corners =
    scale.spotShape === "square"
      ? [...binRing(0, 0, 2 * half, scale.binAngle).subarray(0, 8)]
      : Array.from({ length: DISC_POINTS }, (_, k) => (2 * Math.PI * k) / DISC_POINTS).flatMap(
          (angle) => [half * Math.cos(angle), half * Math.sin(angle)],
        );
  const points = corners.length / 2;
  const offsets = Uint32Array.from({ length: n + 1 }, (_, i) => i * points);
  const polygonXy = new Float32Array(2 * points * n);
  const xy = new Float32Array(2 * n);
  const index = new KDBush(Math.max(1, n));
  for (let spot = 0; spot < n; spot++) {
    const x = spots.data[2 * spot];
    const y = spots.data[2 * spot + 1];
    xy[2 * spot] = x;
    xy[2 * spot + 1] = y;
    index.add(x, y);
    for (let p = 0; p < corners.length; p += 2) {
      polygonXy[2 * points * spot + p] = x + corners[p];
      polygonXy[2 * points * spot + p + 1] = y + corners[p + 1];
    }
  }
  if (n === 0) index.add(0, 0);
  index.finish();
  const features = new Float32Array(2 * n);
  const reach = scale.pitchUm / scale.micronsPerPixel;
  for (let spot = 0; spot < n; spot++) {
    const [x, y] = [xy[2 * spot], xy[2 * spot + 1]];
    features[2 * spot] = index.within(x, y, 1.5 * reach).length - 1;
    features[2 * spot + 1] = index.within(x, y, 4.5 * reach).length - 1;
  }
  const area =
    scale.spotShape === "square" ? scale.spotSizeUm ** 2 : Math.PI * (scale.spotSizeUm / 2) ** 2;
  return {
    polygons: { offsets, xy: polygonXy },
    xy: { nRows: n, nCols: 2, data: xy },
    areaUm2: new Float32Array(n).fill(area),
    features: { nRows: n, nCols: 2, data: features },
    names: ["spots_within_1_pitch", "spots_within_4_pitches"],
  };
}
