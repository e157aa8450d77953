import { GUARDS } from "../model/limits.ts";

/**
 * The columns of a posterior (nCells × width, the last of none) with half a cell or more in all, and the posterior of these
 * and none, which takes the probability of the others. O(cells · width).
 */
export function occurring(
  posterior: Float32Array,
  width: number,
): { kept: number[]; posterior: Float32Array } {
  const nCells = posterior.length / width;
  const mass = new Float64Array(width);
  posterior.forEach((own, at) => (mass[at % width] += own));
  const kept = [...mass.keys()].filter((t) => t < width - 1 && mass[t] >= GUARDS.MIN_MASS);
  const next = kept.length + 1;
  const out = new Float32Array(nCells * next);
  for (let cell = 0; cell < nCells; cell++) {
    let rest = 1;
    kept.forEach((t, to) => {
      const own = posterior[cell * width + t];
      out[cell * next + to] = own;
      rest -= own;
    });
    out[cell * next + kept.length] = Math.max(0, rest);
  }
  return { kept, posterior: out };
}
