import { expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import { Random } from "@stipple/numerics/random";
import { openProfilePool } from "./profile-pool.ts";
import { exposureOf, solveProfiles } from "./profiles.ts";

it.each([0, 4])(
  "gives the same profiles on three threads as on one (%i rounds)",
  async (rounds) => {
    const [nSpots, k, nGenes] = [40, 5, 600];
    const random = new Random(1);
    const data = Float32Array.from({ length: nSpots * k }, () => random.gamma(0.5));
    const exposure = exposureOf(data, k, { cells: 2 });
    const indptr = new Uint32Array(nGenes + 1);
    const entries: [number, number][] = [];
    for (let g = 0; g < nGenes; g++) {
      for (let s = 0; s < nSpots; s++) {
        const y = random.poisson(1.5 * data[s * k + (g % k)]);
        if (y > 0) entries.push([s, y]);
      }
      indptr[g + 1] = entries.length;
    }
    const byGene = {
      nRows: nGenes,
      nCols: nSpots,
      indptr,
      indices: Uint32Array.from(entries, ([s]) => s),
      data: Float32Array.from(entries, ([, y]) => y),
    };
    await using tasks = openTasks({ threads: 3, anyWork: true });
    const one = openProfilePool();
    const three = openProfilePool({ tasks, signal: new AbortController().signal });
    const profile = await three.solve(exposure, byGene, rounds);
    expect(profile).toEqual(await one.solve(exposure, byGene, rounds));
    // With so many nonzero counts the pool uses matrix products, which must match the entry-by-entry formula.
    const plain = solveProfiles({ exposure, byGene, rounds });
    profile.forEach((rate, i) => {
      expect(Math.abs(rate - plain[i])).toBeLessThanOrEqual(1e-5 * plain[i] + 1e-7);
    });
    // Each gene was drawn from one prototype, which should have most of it.
    let right = 0;
    for (let g = 0; g < nGenes; g++) {
      const of = Array.from({ length: k }, (_, j) => profile[j * nGenes + g]);
      if (of.indexOf(Math.max(...of)) === g % k) right++;
    }
    expect(right).toBeGreaterThan(0.9 * nGenes);
  },
);
