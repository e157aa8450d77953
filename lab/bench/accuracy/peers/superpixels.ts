import { windowMeans } from "@stipple/numerics/area-sums";
import type { TissueImage } from "@stipple/pipeline/samples";

/** A lattice of square superpixels with features of each and of its surroundings. */
export interface Superpixels {
  nX: number;
  nY: number;
  /** Side of a superpixel, image pixels. */
  sidePx: number;
  nFeatures: number;
  /** (nX · nY) × nFeatures, standardized. */
  features: Float32Array;
}

/** Of the surroundings, in superpixels. */
const REACHES = [1, 3];

/**
 * Color features in superpixels of `sidePx`: mean and standard deviation of each channel's optical density in
 * the superpixel, and the means over the surrounding 3 × 3 and 7 × 7 superpixels. Reads the image in strips;
 * O(pixels).
 */
export async function superpixels(image: TissueImage, sidePx: number): Promise<Superpixels> {
  const nX = Math.floor(image.widthPx / sidePx);
  const nY = Math.floor(image.heightPx / sidePx);
  const n = nX * nY;
  // One plane for each color.
  const means = [0, 1, 2].map(() => new Float32Array(n));
  const deviations = [0, 1, 2].map(() => new Float32Array(n));
  for (let y = 0; y < nY; y++) {
    const { data, width, channels } = await image.getRegion({
      x: 0,
      y: y * sidePx,
      width: nX * sidePx,
      height: sidePx,
    });
    for (let x = 0; x < nX; x++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        let squares = 0;
        for (let v = 0; v < sidePx; v++) {
          for (let u = 0; u < sidePx; u++) {
            const value = data[(v * width + x * sidePx + u) * channels + c];
            const od = -Math.log((value + 1) / 256);
            sum += od;
            squares += od * od;
          }
        }
        const pixels = sidePx * sidePx;
        const mean = (means[c][y * nX + x] = sum / pixels);
        deviations[c][y * nX + x] = Math.sqrt(Math.max(0, squares / pixels - mean ** 2));
      }
    }
  }
  const around = REACHES.flatMap((reach) => means.map((of) => windowMeans(of, nX, nY, reach)));
  const planes = [...means, ...around, ...deviations];
  const nFeatures = planes.length;
  const features = new Float32Array(n * nFeatures);
  planes.forEach((plane, p) => {
    for (let i = 0; i < n; i++) features[i * nFeatures + p] = plane[i];
  });
  standardize(features, nFeatures);
  return { nX, nY, sidePx, nFeatures, features };
}

function standardize(features: Float32Array, width: number): void {
  const n = features.length / width;
  for (let p = 0; p < width; p++) {
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < n; i++) {
      sum += features[i * width + p];
      squares += features[i * width + p] ** 2;
    }
    const sd = Math.sqrt(Math.max(1e-12, squares / n - (sum / n) ** 2));
    for (let i = 0; i < n; i++) features[i * width + p] = (features[i * width + p] - sum / n) / sd;
  }
}
