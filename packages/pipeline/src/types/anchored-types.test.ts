import { describe, expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import { anchoredTypes, meanOf, type SpotEvidence } from "./anchored-types.ts";
import type { CandidateType } from "./find-types.ts";
import { nearOwnSpot } from "./testing/spots-of-whole-cells.ts";

const TYPES = 3;
const MARKERS = 6;
const PER_SPOT = 8;
const N_SPOTS = 150;

/**
 * Cells of three types, each differing in one feature only; spots contain eight cells, mixed by location.
 */
function tissue(
  nSpots = N_SPOTS,
  noise = 0,
  markers = MARKERS,
): { evidence: SpotEvidence; typeOf: Int32Array } {
  const random = new Random(11);
  const nCells = nSpots * PER_SPOT;
  const typeOf = new Int32Array(nCells);
  const nCols = TYPES + 1 + noise;
  const phi = { data: new Float32Array(nCells * nCols), nCols };
  for (let cell = 0; cell < nCells; cell++) {
    const favorite = Math.floor(cell / PER_SPOT) % TYPES;
    typeOf[cell] = random.uniform() < 0.4 ? favorite : random.below(TYPES);
    phi.data[cell * phi.nCols] = 1;
    for (let j = 0; j < TYPES + noise; j++) {
      phi.data[cell * phi.nCols + 1 + j] = random.normal() + (typeOf[cell] === j ? 2.5 : 0);
    }
  }
  const overlap: SparseMatrix = {
    nRows: nSpots,
    nCols: nCells,
    indptr: Uint32Array.from({ length: nSpots + 1 }, (_, s) => s * PER_SPOT),
    indices: Uint32Array.from({ length: nCells }, (_, i) => i),
    data: new Float32Array(nCells).fill(1),
  };
  // The first genes mark the first type, and so on; the last genes mark a type that is absent.
  const nGenes = (TYPES + 1) * markers;
  const indptr = new Uint32Array(nGenes + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let gene = 0; gene < nGenes; gene++) {
    for (let s = 0; s < nSpots; s++) {
      let mean = 0;
      for (let c = s * PER_SPOT; c < (s + 1) * PER_SPOT; c++) {
        mean += Math.floor(gene / markers) === typeOf[c] ? 3 : 0.3;
      }
      const count = random.poisson(mean);
      if (count === 0) continue;
      indices.push(s);
      data.push(count);
    }
    indptr[gene + 1] = data.length;
  }
  return {
    typeOf,
    evidence: {
      overlap,
      efficiency: new Float32Array(nSpots).fill(1),
      byGene: {
        nRows: nGenes,
        nCols: nSpots,
        indptr,
        indices: Uint32Array.from(indices),
        data: Float32Array.from(data),
      },
      phi,
      nLooks: nCols - 1,
      penalty: Float64Array.from({ length: nCols }, (_, j) => (j === 0 ? 0 : 1)),
      near: nearOwnSpot(nCells, PER_SPOT),
      seed: 0,
    },
  };
}

const candidates = candidatesWith(MARKERS);

function candidatesWith(markers: number): CandidateType[] {
  return Array.from({ length: TYPES + 1 }, (_, t) => ({
    markers: Array.from({ length: markers }, (_, i) => t * markers + i),
    absent: [],
  }));
}

describe("types anchored in marker genes", () => {
  it("finds each cell's type from mixed spots and drops a type that is absent", async () => {
    const { evidence, typeOf } = tissue();
    const found = await anchoredTypes(candidates, evidence, {});
    expect(found?.kept).toEqual([0, 1, 2]);
    expect(found?.confirmed.map((genes) => genes.length)).toEqual([6, 6, 6]);
    const width = TYPES + 1;
    let [right, believed] = [0, 0];
    typeOf.forEach((type, cell) => {
      const own = found!.posterior.subarray(cell * width, (cell + 1) * width);
      expect(own.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4);
      const best = own.indexOf(Math.max(...own));
      if (best === type) right++;
      believed += own[best];
    });
    // 0.935 by looks and places alone.
    expect(right / typeOf.length).toBeGreaterThan(0.94);
    // The posterior is calibrated.
    expect(Math.abs(believed - right) / typeOf.length).toBeLessThan(0.05);
  });

  it("gives bit-identical results when threads do the other runs", async () => {
    const { evidence } = tissue();
    await using tasks = openTasks({ threads: 2, anyWork: true });
    const others = { tasks, signal: new AbortController().signal };
    const told: number[] = [];
    const found = await anchoredTypes(candidates, evidence, {
      others,
      progress: (done) => told.push(done),
    });
    expect(found).toEqual(await anchoredTypes(candidates, evidence, {}));
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it("is nearly as accurate when spot efficiencies are far off", async () => {
    const rightWith = async (spread: number): Promise<number> => {
      const { evidence, typeOf } = tissue(N_SPOTS, 0, 24);
      const random = new Random(5);
      // The efficiencies given to the fit are off by these factors.
      const efficiency = evidence.efficiency.map((e) => e * Math.exp(spread * random.normal()));
      const found = await anchoredTypes(
        candidatesWith(24).slice(0, TYPES),
        { ...evidence, efficiency },
        {},
      );
      const width = TYPES + 1;
      const right = typeOf.filter((type, cell) => {
        const own = found!.posterior.subarray(cell * width, (cell + 1) * width);
        return own.indexOf(Math.max(...own)) === type;
      });
      return right.length / typeOf.length;
    };
    const [off, known] = [await rightWith(0.7), await rightWith(0)];
    expect(off).toBeGreaterThan(known - 0.05);
  });

  it("keeps a type with half of its markers confirmed and drops one with fewer", async () => {
    const { evidence } = tissue();
    const strangers = candidates[TYPES].markers;
    const keptWith = async (own: number, others: number): Promise<number[] | undefined> => {
      const last = candidates[2].markers.slice(0, own);
      const markers = [...last, ...strangers.slice(0, others)];
      const types = [candidates[0], candidates[1], { markers, absent: [] }];
      return (await anchoredTypes(types, evidence, {}))?.kept;
    };
    expect(await keptWith(3, 3)).toEqual([0, 1, 2]);
    expect(await keptWith(3, 4)).toEqual([0, 1]);
  });

  it("returns nothing for a handful of spots", async () => {
    const { evidence } = tissue();
    const overlap = {
      ...evidence.overlap,
      indptr: evidence.overlap.indptr.map((at) => Math.min(at, 15 * PER_SPOT)),
    };
    expect(await anchoredTypes(candidates, { ...evidence, overlap }, {})).toBeNull();
  });

  it("returns nothing for a single candidate, which would take every cell", async () => {
    const { evidence } = tissue();
    expect(await anchoredTypes(candidates.slice(0, 1), evidence, {})).toBeNull();
  });

  it("averages runs over the types found by any of them, with cells of other types counted as none", () => {
    const found = meanOf([
      {
        owners: [0, 2, 2, -1],
        confirmed: new Map([
          [0, [5, 6]],
          [2, [7]],
        ]),
        posterior: Float32Array.of(0.2, 0.3, 0.4, 0.1, 0.6, 0.1, 0.1, 0.2),
      },
      {
        owners: [0, -1],
        confirmed: new Map([[0, [5]]]),
        posterior: Float32Array.of(0.6, 0.4, 0.8, 0.2),
      },
    ]);
    const rounded = (values: Float32Array): number[] =>
      [...values].map((value) => Number(value.toFixed(4)));
    expect(found.kept).toEqual([0, 2]);
    expect(found.confirmed).toEqual([[5, 6], [7]]);
    expect(rounded(found.posterior)).toEqual([0.4, 0.35, 0.25, 0.7, 0.1, 0.2]);
  });
});
