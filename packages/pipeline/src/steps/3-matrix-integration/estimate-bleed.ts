import KDBush from "kdbush";
import type { AlignmentScale, BleedModel } from "../../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { kernelScale, spotAreaUm2 } from "./capture-matrix.ts";

const LENGTHS_UM = [20, 30, 40, 55, 70, 85, 100, 125, 150, 200];
const BETAS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6];
/** Fewer off-tissue spots near tissue carry too little information. */
const MIN_SPOTS = 20;
/** Counts this far from every cell are considered ambient. */
const AMBIENT_UM = 500;

/**
 * Estimates the bleed fraction and length from spots next to the tissue, which receive only bleed. Assuming
 * that all cells are alike, a spot's expected count is m·[(1 − β)·(cells in it) + β·κ·Σ exp(−d/ℓ)] + ambient; m
 * comes from the spots under tissue, and β and ℓ are those whose expected counts best fit the off-tissue spots
 * (squared difference of logarithms). Returns null if there are too few such spots. O(spots · cells within
 * reach · lengths).
 */
export function estimateBleed(request: {
  spots: Matrix;
  inTissue: Uint8Array;
  totals: Float64Array;
  cellXy: Matrix;
  scale: Pick<AlignmentScale, "micronsPerPixel" | "spotSizeUm" | "spotShape">;
  /** Values that are not to be estimated; null = to be. */
  given: { beta: number | null; lengthUm: number | null };
}): Pick<BleedModel, "beta" | "lengthUm"> | null {
  const { spots, inTissue, totals, cellXy, scale, given } = request;
  if (cellXy.nRows === 0 || scale.spotShape === "square") return null;
  const pxUm = scale.micronsPerPixel;
  const index = new KDBush(cellXy.nRows);
  for (let c = 0; c < cellXy.nRows; c++) index.add(cellXy.data[2 * c], cellXy.data[2 * c + 1]);
  index.finish();
  const reach = AMBIENT_UM / pxUm;
  const beside: number[] = [];
  const under: number[] = [];
  const ambient: number[] = [];
  const sheds: Float64Array[] = [];
  const inside: number[] = [];
  const betas = given.beta === null ? BETAS : [given.beta];
  const lengthsUm = given.lengthUm === null ? LENGTHS_UM : [given.lengthUm];
  const lengths = lengthsUm.map((length) => ({ length, kappa: kernelScale(scale, length) }));
  const radius = Math.sqrt(spotAreaUm2(scale) / Math.PI);
  for (let s = 0; s < spots.nRows; s++) {
    const x = spots.data[2 * s];
    const y = spots.data[2 * s + 1];
    const near = index.within(x, y, reach);
    const shed = new Float64Array(lengthsUm.length);
    let own = 0;
    let nearest = Infinity;
    for (const c of near) {
      const d = Math.hypot(cellXy.data[2 * c] - x, cellXy.data[2 * c + 1] - y) * pxUm;
      if (d < nearest) nearest = d;
      if (d < radius) own++;
      lengths.forEach(({ length, kappa }, i) => {
        if (d <= 3 * length) shed[i] += kappa * Math.exp(-d / length);
      });
    }
    sheds.push(shed);
    inside.push(own);
    if (inTissue[s] && own > 0) under.push(s);
    else if (!inTissue[s] && near.length === 0) ambient.push(totals[s]);
    else if (!inTissue[s] && own === 0 && nearest < 200) beside.push(s);
  }
  if (beside.length < MIN_SPOTS || under.length < MIN_SPOTS) return null;
  const floating = ambient.length > 0 ? median(ambient) : 0;
  let best: Pick<BleedModel, "beta" | "lengthUm"> | null = null;
  let least = Infinity;
  lengths.forEach(({ length }, i) => {
    for (const beta of betas) {
      const expected = (s: number): number => (1 - beta) * inside[s] + beta * sheds[s][i];
      const m = median(under.map((s) => Math.max(0, totals[s] - floating) / expected(s)));
      let misfit = 0;
      for (const s of beside) {
        misfit += (Math.log(totals[s] + 1) - Math.log(m * expected(s) + floating + 1)) ** 2;
      }
      if (misfit >= least) continue;
      least = misfit;
      best = { beta, lengthUm: length };
    }
  });
  return best;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
