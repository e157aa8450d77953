/**
 * Score of a gene set: the mean over its genes of log(1 + x), standardized over the cells marked 1. A gene that
 * is constant over these cells adds nothing. O(genes · nCells), memory for two columns.
 */
export function geneSetScore(columns: Iterable<Float32Array>, standard: Uint8Array): Float32Array {
  const nCells = standard.length;
  const sum = new Float32Array(nCells);
  let nGenes = 0;
  for (const values of columns) {
    nGenes++;
    for (let cell = 0; cell < nCells; cell++) values[cell] = Math.log1p(values[cell]);
    const { mean, deviation } = spread(values, standard);
    if (deviation < 1e-12) continue;
    for (let cell = 0; cell < nCells; cell++) sum[cell] += (values[cell] - mean) / deviation;
  }
  return sum.map((value) => value / Math.max(1, nGenes));
}

function spread(values: Float32Array, standard: Uint8Array): { mean: number; deviation: number } {
  let [n, sum] = [0, 0];
  values.forEach((value, cell) => {
    n += standard[cell];
    sum += standard[cell] * value;
  });
  const mean = n > 0 ? sum / n : 0;
  let squares = 0;
  values.forEach((value, cell) => (squares += standard[cell] * (value - mean) ** 2));
  return { mean, deviation: n > 0 ? Math.sqrt(squares / n) : 0 };
}
