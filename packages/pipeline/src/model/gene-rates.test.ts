import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { openGeneRates } from "./gene-rates.ts";

const [nCells, nGenes, k] = [70_000, 11, 6];
const random = new Random(3);
const drawn = (length: number): Float32Array =>
  Float32Array.from({ length }, () => (random.uniform() < 0.3 ? 0 : random.gamma(0.4)));
const [membership, profile] = [drawn(nCells * k), drawn(k * nGenes)];
// Negligible next to the other memberships of its cell.
membership.set([1, 5e-4, 0, 0, 0, 0]);

it("gives the model's rates of all cells, some genes at a time, from the leading memberships", async () => {
  const { genesTogether, rates } = await openGeneRates({ membership, profile, k, nGenes });
  expect(genesTogether).toBe(3);
  for (let from = 0; from < nGenes; from += genesTogether) {
    const to = Math.min(nGenes, from + genesTogether);
    const found = await rates(from, to);
    expect(found.length).toBe((to - from) * nCells);
    for (let gene = from; gene < to; gene++) {
      expect(found[(gene - from) * nCells]).toBe(profile[gene]);
      for (let cell = 1; cell < nCells; cell += 997) {
        const own = membership.subarray(cell * k, (cell + 1) * k);
        const least = 1e-3 * Math.max(...own);
        const rate = own.reduce(
          (sum, m, j) => sum + (m > least ? m * profile[j * nGenes + gene] : 0),
          0,
        );
        expect(found[(gene - from) * nCells + cell]).toBeCloseTo(rate, 5);
      }
    }
  }
});
