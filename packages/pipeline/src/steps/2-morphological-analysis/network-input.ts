import { NETWORK_MULTIPLE_PX } from "./nucleus-network.ts";
import type { StainPlanes } from "./stain-planes.ts";

/** Three planes of height × width for the network. */
export interface NetworkInput {
  data: Float32Array;
  width: number;
  height: number;
}

/**
 * Turns a tile into what the network was trained on: colours from −2 to 2, the first plane red. Fluorescence enters as
 * a negative, so that nuclei are dark on light in every image. Sides are filled up to multiples of 16 px with the
 * last pixel. O(pixels).
 */
export function networkInput(stains: StainPlanes, width: number, height: number): NetworkInput {
  const fullWidth = Math.ceil(width / NETWORK_MULTIPLE_PX) * NETWORK_MULTIPLE_PX;
  const fullHeight = Math.ceil(height / NETWORK_MULTIPLE_PX) * NETWORK_MULTIPLE_PX;
  const plane = fullWidth * fullHeight;
  const data = new Float32Array(3 * plane);
  const { rgb } = stains;
  const nuclear = stains.planes[0];
  for (let y = 0; y < fullHeight; y++) {
    const row = Math.min(y, height - 1) * width;
    for (let x = 0; x < fullWidth; x++) {
      const from = row + Math.min(x, width - 1);
      const to = y * fullWidth + x;
      for (let c = 0; c < 3; c++) {
        const light = rgb ? rgb[3 * from + c] / 255 : 1 - Math.min(1, nuclear[from]);
        data[c * plane + to] = (light - 0.5) * 4;
      }
    }
  }
  return { data, width: fullWidth, height: fullHeight };
}
