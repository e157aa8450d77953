import { openGraph } from "./onnx-graph.ts";
import { release } from "./release.ts";

/** Rows per tile: sums of products are in single precision within a tile, in double precision across tiles. */
const TILE = 1024;

/**
 * Covariance of the columns of `data` (nRows × nCols, row-major), nCols × nCols, computed by ONNX Runtime.
 * O(nRows · nCols²).
 */
export async function covarianceOf(data: Float32Array, nCols: number): Promise<Float64Array> {
  const shape = ["rows", nCols] as const;
  const product = await openGraph({
    nodes: [
      { operator: "Gemm", inputs: ["left", "right"], output: "product", attributes: { transA: 1 } },
    ],
    inputs: [
      { name: "left", shape },
      { name: "right", shape },
    ],
    output: { name: "product", shape: [nCols, nCols] },
  });
  const nRows = data.length / nCols;
  const mean = new Float64Array(nCols);
  for (let i = 0; i < nRows; i++) {
    for (let j = 0; j < nCols; j++) mean[j] += data[i * nCols + j] / nRows;
  }
  const sums = new Float64Array(nCols * nCols);
  for (let from = 0; from < nRows; from += TILE) {
    const tile = data.slice(from * nCols, Math.min(nRows, from + TILE) * nCols);
    for (let i = 0; i < tile.length; i += nCols) {
      for (let j = 0; j < nCols; j++) tile[i + j] -= mean[j];
    }
    const part = await product(tile, tile);
    for (let i = 0; i < sums.length; i++) sums[i] += part[i];
    release(tile);
    release(part);
  }
  return sums.map((sum) => sum / Math.max(1, nRows - 1));
}
