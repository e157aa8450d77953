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

const REACHES = [0, 1, 3];

/**
 * Color features in superpixels of `sidePx`: mean and standard deviation of each channel's optical density in
 * the superpixel, and the means over the surrounding 3 × 3 and 7 × 7 superpixels. Reads the image in strips;
 * O(pixels).
 */
export async function superpixels(image: TissueImage, sidePx: number): Promise<Superpixels> {
  const nX = Math.floor(image.widthPx / sidePx);
  const nY = Math.floor(image.heightPx / sidePx);
  const n = nX * nY;
  const mean = new Float32Array(n * 3);
  const deviation = new Float32Array(n * 3);
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
        mean[(y * nX + x) * 3 + c] = sum / pixels;
        deviation[(y * nX + x) * 3 + c] = Math.sqrt(
          Math.max(0, squares / pixels - (sum / pixels) ** 2),
        );
      }
    }
  }
  const blocks = [...REACHES.map((reach) => boxMeans(mean, nX, nY, reach)), deviation];
  const nFeatures = 3 * blocks.length;
  const features = new Float32Array(n * nFeatures);
  blocks.forEach((block, b) => {
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < 3; c++) features[i * nFeatures + 3 * b + c] = block[i * 3 + c]!;
    }
  });
  standardize(features, nFeatures);
  return { nX, nY, sidePx, nFeatures, features };
}

function boxMeans(plane: Float32Array, nX: number, nY: number, reach: number): Float32Array {
  if (reach === 0) return plane;
  const out = new Float32Array(plane.length);
  for (let y = 0; y < nY; y++) {
    for (let x = 0; x < nX; x++) {
      let count = 0;
      for (let v = Math.max(0, y - reach); v <= Math.min(nY - 1, y + reach); v++) {
        for (let u = Math.max(0, x - reach); u <= Math.min(nX - 1, x + reach); u++) {
          count++;
          for (let c = 0; c < 3; c++) out[(y * nX + x) * 3 + c] += plane[(v * nX + u) * 3 + c];
        }
      }
      for (let c = 0; c < 3; c++) out[(y * nX + x) * 3 + c] /= count;
    }
  }
  return out;
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
