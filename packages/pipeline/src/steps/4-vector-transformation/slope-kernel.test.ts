import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { openSlopeKernel } from "./slope-kernel.ts";

it.each([1, 2, 3, 24, 31])("is bit-identical to the formulas for %i prototypes", (k) => {
  const random = new Random(k);
  const [nSpots, nGenes] = [60, 17];
  const indptr = new Uint32Array(nSpots + 1);
  const indices: number[] = [];
  for (let s = 0; s < nSpots; s++) {
    // Some spots have no counts.
    for (let g = 0; g < nGenes; g++) if (s % 5 > 0 && random.uniform() < 0.4) indices.push(g);
    indptr[s + 1] = indices.length;
  }
  const counts = {
    nRows: nSpots,
    nCols: nGenes,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(indices, () => 1 + random.below(5)),
  };
  const kernel = openSlopeKernel(counts, k);
  // Run twice: nothing may be left over from the previous step.
  for (let step = 0; step < 2; step++) {
    // One spot in ten captures nothing.
    const data = Float32Array.from({ length: nSpots * k }, (_, i) =>
      Math.floor(i / k) % 10 === 4 ? 0 : random.uniform() ** 4,
    );
    const share = data.map((value) => value / 2);
    const rates = Float64Array.from({ length: nGenes * k }, () => random.uniform());
    const gradient = new Float64Array(nGenes * k);
    const slopes = new Float64Array(nSpots * k);
    for (let s = 0; s < nSpots; s++) {
      for (let n = indptr[s]; n < indptr[s + 1]; n++) {
        const [gene, y] = [counts.indices[n], counts.data[n]];
        let expected = 0;
        for (let j = 0; j < k; j++) {
          gradient[gene * k + j] -= y * share[s * k + j];
          expected += data[s * k + j] * rates[gene * k + j];
        }
        if (!(expected > 0)) continue;
        for (let j = 0; j < k; j++) slopes[s * k + j] += (y / expected) * rates[gene * k + j];
      }
    }
    expect(kernel.gradient(share)).toEqual(gradient);
    const found = kernel.slopes(data, rates);
    for (let s = 0; s < nSpots; s++) {
      const row = found.slopes.subarray(s * found.stride, s * found.stride + k);
      expect([...row]).toEqual([...slopes.subarray(s * k, (s + 1) * k)]);
    }
  }
});
