import type { SparseMatrix } from "@stipple/numerics/matrices";
import { openGraph } from "@stipple/numerics/onnx-graph";
import { transpose } from "@stipple/numerics/sparse";
import { denseCounts, isDense } from "./dense-profiles.ts";
import { openSlopeKernel } from "./slope-kernel.ts";
import { countsIn, descend, type Exposure, type ProfileFit } from "./profiles.ts";
import { GUARDS } from "../../model/limits.ts";

const { MIN_EXPECTED, MIN_RATE } = GUARDS;
/** Maximum number of counts held as a dense matrix: 64 MB. */
const MAX_COUNTS = 1 << 24;

/**
 * Fits the genes' rates to an exposure by least squares and returns the derivative of the Poisson log-likelihood with
 * respect to one unit of each prototype in each spot, nSpots × k.
 */
export type GateSlopes = (exposure: Exposure) => Promise<Float32Array>;

/** Opens the derivative for some genes (genes × spots): by matrix products, or entry by entry if counts are sparse. */
export async function openGateSlopes(
  byGene: SparseMatrix,
  efficiency: Float32Array,
  k: number,
): Promise<GateSlopes> {
  if (!isDense({ byGene }) || byGene.nRows * byGene.nCols > MAX_COUNTS) {
    return sparseSlopes(byGene, efficiency, k);
  }
  return denseSlopes(byGene, efficiency, k);
}

async function denseSlopes(
  byGene: SparseMatrix,
  efficiency: Float32Array,
  k: number,
): Promise<GateSlopes> {
  const { nRows: nGenes, nCols: nSpots } = byGene;
  const counts = denseCounts(byGene, 0, nGenes);
  const given = [{ name: "counts", shape: [nGenes, nSpots], data: counts }] as const;
  const sumsOf = await openGraph({
    nodes: [{ operator: "MatMul", inputs: ["counts", "share"], output: "sums" }],
    constants: given,
    inputs: [{ name: "share", shape: [nSpots, k] }],
    output: { name: "sums", shape: [nGenes, k] },
  });
  const slopesOf = await openGraph({
    nodes: [
      {
        operator: "Gemm",
        inputs: ["rates", "exposure"],
        output: "expected",
        attributes: { transB: 1 },
      },
      { operator: "Max", inputs: ["expected", "least"], output: "possible" },
      { operator: "Div", inputs: ["counts", "possible"], output: "ratio" },
      { operator: "Gemm", inputs: ["ratio", "rates"], output: "slopes", attributes: { transA: 1 } },
    ],
    constants: [...given, { name: "least", shape: [1, 1], data: Float32Array.of(MIN_EXPECTED) }],
    inputs: [
      { name: "rates", shape: [nGenes, k] },
      { name: "exposure", shape: [nSpots, k] },
    ],
    output: { name: "slopes", shape: [nSpots, k] },
  });
  return async (exposure) => {
    const gradient = Float64Array.from(await sumsOf(exposure.share), (sum) => -sum);
    const rates = new Float32Array(nGenes * k);
    const totals = fitGenes(exposure, byGene, gradient, rates);
    return lessTotals(await slopesOf(rates, exposure.data), k, totals, exposure, efficiency);
  };
}

function sparseSlopes(byGene: SparseMatrix, efficiency: Float32Array, k: number): GateSlopes {
  // Spot by spot, because the rates of all genes fit in the CPU cache, while the exposures of all spots would not.
  const kernel = openSlopeKernel(transpose(byGene), k);
  const rates = new Float64Array(byGene.nRows * k);
  return (exposure) => {
    const totals = fitGenes(exposure, byGene, kernel.gradient(exposure.share), rates);
    const { slopes, stride } = kernel.slopes(exposure.data, rates);
    return Promise.resolve(lessTotals(slopes, stride, totals, exposure, efficiency));
  };
}

/** Fits all genes by least squares from their gradients (genes × k, overwritten) into `rates`. Returns Σ_g B_kg. */
function fitGenes(
  exposure: Exposure,
  byGene: SparseMatrix,
  gradient: Float64Array,
  rates: Float32Array | Float64Array,
): Float64Array {
  const { k } = exposure;
  const fit: ProfileFit = { b: new Float64Array(k), mean: 0 };
  const totals = new Float64Array(k);
  for (let g = 0; g < byGene.nRows; g++) {
    descend(exposure, gradient.subarray(g * k, (g + 1) * k), countsIn(exposure, byGene, g), fit);
    for (let j = 0; j < k; j++) {
      totals[j] += rates[g * k + j] = Math.max(fit.b[j], MIN_RATE * fit.mean);
    }
  }
  return totals;
}

/** Σ_g B_kg y_sg/μ_sg − Σ_g B_kg, times the spots' efficiency; 0 for spots that capture nothing. */
function lessTotals(
  slopes: Float32Array | Float64Array,
  stride: number,
  totals: Float64Array,
  { k, captured }: Exposure,
  efficiency: Float32Array,
): Float32Array {
  const out = new Float32Array(slopes.length);
  for (let s = 0; s < captured.length; s++) {
    if (!(captured[s] > 0)) continue;
    for (let j = 0; j < k; j++)
      out[s * k + j] = efficiency[s] * (slopes[s * stride + j] - totals[j]);
  }
  return out;
}
