/** Cells × genes of log1p(UMIs per 10,000), and the UMIs of each cell in all genes that were measured. */
export interface LogNormalized {
  values: Float32Array;
  nGenes: number;
  totals: readonly number[];
}

/** How far a restored value may be from a whole number: stored values are rounded to a few digits. */
const TOLERANCE = 0.1;

/**
 * The counts that were normalized. That they come out as whole numbers shows that the values are what they are taken for;
 * throws if they do not.
 */
export function countsBehind({ values, nGenes, totals }: LogNormalized): Int32Array {
  return Int32Array.from(values, (value, i) => {
    const cell = Math.floor(i / nGenes);
    const restored = (Math.expm1(value) * totals[cell]) / 10_000;
    const count = Math.round(restored);
    if (Math.abs(restored - count) > TOLERANCE) {
      throw new Error(
        `Cell ${cell} has ${restored.toFixed(3)} UMIs of gene ${i % nGenes}: not log1p of UMIs per 10,000`,
      );
    }
    return count;
  });
}
