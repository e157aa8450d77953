/** Total RNA of a cell of each prototype: the sums of B, k × nGenes, over genes. */
export function prototypeTotals(profile: Float32Array, k: number): Float64Array<ArrayBuffer> {
  const nGenes = profile.length / k;
  const totals = new Float64Array(k);
  for (let i = 0, j = 0; j < k; j++) {
    for (const end = i + nGenes; i < end; i++) totals[j] += profile[i];
  }
  return totals;
}

/**
 * Sums over prototypes of rows of M or E (rows × k) times a value for each prototype. With {@link prototypeTotals}:
 * expected totals of cells or spots. The same for labels of a reference.
 */
export function timesPrototypes(
  rows: Float32Array | Float64Array,
  ofPrototypes: Float64Array,
): Float64Array<ArrayBuffer> {
  const k = ofPrototypes.length;
  const sums = new Float64Array(rows.length / k);
  for (let row = 0, at = 0; row < sums.length; row++) {
    let sum = 0;
    for (let j = 0; j < k; j++, at++) sum += rows[at] * ofPrototypes[j];
    sums[row] = sum;
  }
  return sums;
}
