import type { Matrix } from "../fields.ts";
import type { SparseRows } from "../store/sparse-rows.ts";

type Row = ReturnType<SparseRows["row"]>;

/**
 * Turns a bin's counts into observed over expected counts, y_sg / μ_sg with μ = EB: what a cell's own bins say about
 * its rate. Genes for which `asCounted` holds keep their counts. `profile` is k × nGenes, with genes in the same
 * positions as in the rows. O(entries · k) per row.
 */
export function ratioReader(
  exposure: Matrix<Float32Array>,
  profile: Float32Array,
  rows: (bin: number) => Row,
  asCounted: (place: number) => boolean,
): (bin: number) => Row {
  const k = exposure.nCols;
  const nGenes = profile.length / k;
  // Gene by gene, so that the k values of an entry are adjacent.
  const byGene = new Float32Array(profile.length);
  for (let j = 0; j < k; j++) {
    for (let g = 0; g < nGenes; g++) byGene[g * k + j] = profile[j * nGenes + g];
  }
  return (bin) => {
    const { indices, data } = rows(bin);
    const ratios = new Float32Array(data.length);
    const seen = exposure.data.subarray(bin * k, (bin + 1) * k);
    for (let e = 0; e < indices.length; e++) {
      if (asCounted(indices[e])) {
        ratios[e] = data[e];
        continue;
      }
      let mean = 0;
      for (let j = 0, at = indices[e] * k; j < k; j++, at++) mean += seen[j] * byGene[at];
      ratios[e] = mean > 0 ? data[e] / mean : 0;
    }
    return { indices, data: ratios };
  };
}
