import { openKernels } from "../model/kernels.ts";
import { GUARDS } from "../model/limits.ts";

/** Types added at a time, for a quarter of the loads and stores. */
const TOGETHER = 4;

/** Sums over the types of a spot, and over the spots of a type. */
export interface TypeSums {
  /** Stride between types, in doubles: the number of genes, rounded up to even. */
  width: number;
  /** Rates of the types, nTypes × width; filled by the caller. */
  rates: Float64Array;
  /** Means of a spot's genes, their weights, and their weighted counts in units of the mean. */
  mean: Float64Array;
  weight: Float64Array;
  pull: Float64Array;
  /** Σ exposure · weight and Σ exposure · pull over the spots, both nTypes × width. */
  mass: Float64Array;
  gain: Float64Array;
  /** mean ← Σ_t exposure_t · rates_t. */
  predict(exposure: Float32Array): void;
  /** mass_t ← mass_t + exposure · weight. */
  addMass(type: number, exposure: number): void;
  /** gain_t ← gain_t + exposure · pull. */
  addGain(type: number, exposure: number): void;
}

/** Opens the sums: compiled loops in memory of their own (`assembly/rows.ts`). */
export function openTypeSums(nTypes: number, nGenes: number): TypeSums {
  const { reserve, call } = openKernels();
  const width = nGenes + (nGenes % 2);
  const row = 8 * width;
  const meanAt = 8 * TOGETHER;
  const weightAt = meanAt + row;
  const pullAt = weightAt + row;
  const ratesAt = pullAt + row;
  const massAt = ratesAt + nTypes * row;
  const gainAt = massAt + nTypes * row;
  const buffer = reserve(gainAt + nTypes * row);
  const given = new Float64Array(buffer, 0, TOGETHER);
  const mean = new Float64Array(buffer, meanAt, width);
  const present = new Uint32Array(nTypes);
  const addRow = (to: number, type: number, exposure: number, from: number): void => {
    given[0] = exposure;
    const at = to + type * row;
    call.addDoubles(at, at + row, 0, from);
  };
  return {
    width,
    rates: new Float64Array(buffer, ratesAt, nTypes * width),
    mean,
    weight: new Float64Array(buffer, weightAt, width),
    pull: new Float64Array(buffer, pullAt, width),
    mass: new Float64Array(buffer, massAt, nTypes * width),
    gain: new Float64Array(buffer, gainAt, nTypes * width),
    predict(exposure) {
      mean.fill(0);
      let n = 0;
      for (let t = 0; t < nTypes; t++) if (exposure[t] >= GUARDS.MIN_EXPOSURE) present[n++] = t;
      for (let i = 0; i < n;) {
        const together = n - i >= TOGETHER ? TOGETHER : 1;
        for (let r = 0; r < together; r++) given[r] = exposure[present[i + r]];
        const [a, b, c, d] = present.subarray(i, i + together);
        if (together === 1) call.addDoubles(meanAt, weightAt, 0, ratesAt + a * row);
        else {
          const from = ratesAt;
          call.addFourDoubles(
            meanAt,
            weightAt,
            0,
            from + a * row,
            from + b * row,
            from + c * row,
            from + d * row,
          );
        }
        i += together;
      }
    },
    addMass: (type, exposure) => addRow(massAt, type, exposure, weightAt),
    addGain: (type, exposure) => addRow(gainAt, type, exposure, pullAt),
  };
}
