import type { AlignmentScale } from "../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import type { PictureLayer } from "./figure.ts";
import { binRing } from "../readers/lattice/bin-squares.ts";
import { Raster, type Rgb } from "./raster.ts";
import type { TissuePanel } from "./tissue-panel.ts";

/** Spots or bins at their true size, colored by `colorOf`. `xy`: nSpots × 2, full-resolution px. */
export function spotsLayer(
  panel: TissuePanel,
  x: number,
  y: number,
  spots: {
    xy: Matrix;
    scale: Pick<AlignmentScale, "spotSizeUm" | "micronsPerPixel" | "spotShape" | "binAngle">;
    colorOf(spot: number): Rgb;
  },
): PictureLayer {
  const { xy, scale, colorOf } = spots;
  const raster = new Raster(panel.widthPx, panel.heightPx);
  const half = Math.max(0.6, (scale.spotSizeUm / scale.micronsPerPixel / 2) * panel.scale);
  for (let spot = 0; spot < xy.nRows; spot++) {
    const cx = (xy.data[2 * spot] - panel.x) * panel.scale;
    const cy = (xy.data[2 * spot + 1] - panel.y) * panel.scale;
    if (scale.spotShape === "disc") {
      raster.fillDisc(cx, cy, half, colorOf(spot), 0.85);
      continue;
    }
    const ring = binRing(cx, cy, 2 * half, scale.binAngle).subarray(0, 8);
    raster.fillPolygon(ring, colorOf(spot), 0.75);
  }
  return raster.layer(x, y);
}
