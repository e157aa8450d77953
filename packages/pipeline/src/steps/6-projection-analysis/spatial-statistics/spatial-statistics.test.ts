import { describe, expect, it } from "vitest";
import { rowSums } from "@stipple/numerics/sparse";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { Tasks } from "@stipple/tasks/task";
import { CancelledError } from "../../../errors.ts";
import { analyzeInSpace } from "./analyze-in-space.ts";
import { coOccurrence } from "./co-occurrence.ts";
import { geneValues } from "./gene-values.ts";
import { ligandReceptor, sampledContactsNote } from "./ligand-receptor.ts";
import { ligandReceptorPairs } from "./ligand-receptor-pairs.ts";
import { moransI } from "./morans-i.ts";
import { neighborGraph, subgraph } from "../../../model/neighbor-graph.ts";
import { neighborhoodEnrichment } from "./neighborhood-enrichment.ts";
import { sparseOf } from "../../../store/testing/draw-sample.ts";
import { QUIET, readReference } from "./testing/read-reference.ts";
import { testedCells } from "./tested-cells.ts";

const reference = readReference();
const { expected, counts, tested, typeOf, typeNames, geneNames, graph } = reference;
const everyGene = new Uint8Array(counts.nCols).fill(1);

/** A side × side square lattice with four neighbors per node. */
function lattice(side: number): ReturnType<typeof sparseOf> {
  return sparseOf(
    Array.from({ length: side * side }, (_, i) => {
      const [row, column] = [Math.floor(i / side), i % side];
      const around = [
        row > 0 ? i - side : -1,
        column > 0 ? i - 1 : -1,
        column < side - 1 ? i + 1 : -1,
        row < side - 1 ? i + side : -1,
      ];
      return around.filter((j) => j >= 0).map((j) => [j, 1]);
    }),
    side * side,
  );
}

describe("tested cells", () => {
  it("are observed and have at least a tenth of the median counts", () => {
    const matrix = sparseOf([[[0, 100]], [[0, 9]], [[0, 10]], [[0, 100]], []], 1);
    const result = testedCells(rowSums(matrix), Uint8Array.of(1, 1, 1, 0, 1));
    // Totals of observed cells 9, 10, 100: median 10, so 1 count is enough.
    expect([...result.cells]).toEqual([0, 1, 2]);
    expect([...result.rowOf]).toEqual([0, 1, 2, -1, -1]);
    expect(result.factor[1]).toBeCloseTo(10 / 9);
  });
});

describe("geneValues", () => {
  it("computes log(1 + count · median ÷ total), gene by gene", () => {
    const totals = expected.counts.map((row) => row.reduce((a, b) => a + b));
    const median = totals.toSorted((a, b) => a - b)[Math.floor(totals.length / 2)];
    for (const { gene, rows, values } of geneValues(counts, tested, everyGene)) {
      expect(rows.length).toBe(expected.counts.filter((row) => row[gene] > 0).length);
      rows.forEach((row, e) => {
        const cell = tested.cells[row];
        const value = Math.log1p((expected.counts[cell][gene] * median) / totals[cell]);
        expect(values[e]).toBeCloseTo(value, 5);
      });
    }
  });
});

describe("neighborGraph", () => {
  const xy = { nRows: 220, nCols: 2, data: Float64Array.from(expected.xy) };

  it("is symmetric, contains only Delaunay edges, and none longer than 2.5 medians", () => {
    const { distances, medianEdgeUm, maxEdgeUm, edges } = neighborGraph(xy, 1);
    expect(maxEdgeUm).toBe(2.5 * medianEdgeUm);
    const found = new Map<string, number>();
    for (let i = 0; i < 220; i++) {
      for (let k = distances.indptr[i]; k < distances.indptr[i + 1]; k++) {
        found.set(`${i} ${distances.indices[k]}`, distances.data[k]);
      }
    }
    expect(found.size).toBe(2 * edges);
    for (const [key, length] of found) {
      const [a, b] = key.split(" ").map(Number);
      expect(found.get(`${b} ${a}`)).toBe(length);
      expect(length).toBeLessThanOrEqual(maxEdgeUm);
      expect(length).toBeCloseTo(
        Math.hypot(xy.data[2 * a] - xy.data[2 * b], xy.data[2 * a + 1] - xy.data[2 * b + 1]),
        3,
      );
    }
    // The reference graph is Delaunay, cut off at 60 instead.
    for (const [a, b] of expected.edges) {
      const length = Math.hypot(
        xy.data[2 * a] - xy.data[2 * b],
        xy.data[2 * a + 1] - xy.data[2 * b + 1],
      );
      if (length <= maxEdgeUm) expect(found.has(`${a} ${b}`)).toBe(true);
    }
  });

  it("links points on a line in order, and handles zero points", () => {
    const line = { nRows: 4, nCols: 2, data: Float64Array.of(30, 0, 10, 0, 0, 0, 20, 0) };
    const { distances } = neighborGraph(line, 0.5);
    expect([...distances.indices]).toEqual([3, 2, 3, 1, 0, 1]);
    expect(distances.data[0]).toBe(5);
    for (const n of [0, 1]) {
      expect(neighborGraph({ nRows: n, nCols: 2, data: new Float64Array(2 * n) }, 1).edges).toBe(0);
    }
  });

  it("keeps the edges among chosen nodes", () => {
    const path = sparseOf(
      [
        [[1, 5]],
        [
          [0, 5],
          [2, 6],
        ],
        [[1, 6]],
      ],
      3,
    );
    const part = subgraph(path, [1, 2]);
    expect([...part.indptr]).toEqual([0, 1, 2]);
    expect([...part.indices]).toEqual([1, 0]);
    expect([...part.data]).toEqual([6, 6]);
  });
});

describe("Moran's I", () => {
  const options = { ...QUIET, permutedGenes: 12, permutations: 999 };

  it(`matches squidpy ${expected.versions["squidpy"]}, including variance and p-values`, async () => {
    const table = await moransI(
      graph,
      geneValues(counts, tested, everyGene),
      12,
      geneNames,
      options,
    );
    // I is undefined for the gene without counts.
    expect(table.genes.toSorted()).toEqual(geneNames.slice(0, 11).toSorted());
    table.genes.forEach((name, row) => {
      const gene = Number(name.slice(1));
      expect(table.I[row]).toBeCloseTo(expected.moran.I[gene], 5);
      expect(table.pNormal[row]).toBeCloseTo(expected.moran.pval_norm[gene], 4);
      expect(table.fdr[row]).toBeCloseTo(expected.moran.pval_norm_fdr_bh[gene], 4);
      expect(Math.abs(table.pSimulated[row]! - table.pNormal[row])).toBeLessThan(0.06);
      // Permuting the cells gives the analytic variance. squidpy permutes only the rows of the graph and gets
      // half of it.
      expect(table.varianceSimulated[row]! / table.variance).toBeGreaterThan(0.8);
      expect(table.varianceSimulated[row]! / table.variance).toBeLessThan(1.25);
    });
    expect(table.variance).toBeCloseTo(expected.moran.var_norm[0], 9);
    expect(table.I).toEqual(table.I.toSorted((a, b) => b - a));
  });

  it("is -1 on a checkerboard and near 1 on two halves", async () => {
    const side = 20;
    const of = (value: (row: number, column: number) => boolean): Promise<number> => {
      const rows = Uint32Array.from({ length: side * side }, (_, i) => i).filter((i) =>
        value(Math.floor(i / side), i % side),
      );
      const gene = { gene: 0, rows, values: new Float32Array(rows.length).fill(1) };
      return moransI(lattice(side), [gene], 1, ["x"], { ...options, permutations: 1 }).then(
        ({ I }) => I[0],
      );
    };
    expect(await of((row, column) => (row + column) % 2 === 0)).toBeCloseTo(-1, 9);
    expect(await of((row) => row < side / 2)).toBeGreaterThan(0.9);
  });

  it("gives the same result for the same seed, and stops when canceled", async () => {
    const run = (): ReturnType<typeof moransI> =>
      moransI(graph, geneValues(counts, tested, everyGene), 12, geneNames, {
        ...options,
        permutations: 99,
      });
    expect(await run()).toEqual(await run());
    const signal = AbortSignal.abort();
    await expect(
      moransI(graph, geneValues(counts, tested, everyGene), 12, geneNames, {
        ...options,
        signal,
        permutations: 1e6,
      }),
    ).rejects.toBeInstanceOf(CancelledError);
  });

  it("gives bit-identical results on threads", async () => {
    const run = (threads?: Tasks): ReturnType<typeof moransI> =>
      moransI(graph, geneValues(counts, tested, everyGene), 12, geneNames, {
        ...options,
        // Not a multiple of the permutations per task.
        permutations: 101,
        tasks: threads,
      });
    await using tasks = openTasks({ threads: 2, anyWork: true });
    expect(await run(tasks)).toEqual(await run());
  });
});

describe("neighborhood enrichment", () => {
  it("matches squidpy's counts, and its z-scores within the permutation error", async () => {
    const result = await neighborhoodEnrichment(graph, typeOf, typeNames, {
      ...QUIET,
      permutations: 4000,
    });
    expect(result.count.flat()).toEqual(expected.nhood.count);
    result.zscore.flat().forEach((z, pair) => {
      const theirs = expected.nhood.zscore[pair];
      // With 4,000 permutations, the standard deviation is known to 1% and the mean to 0.016.
      expect(Math.abs(z! - theirs)).toBeLessThan(0.08 + 0.05 * Math.abs(theirs));
    });
  });

  it("has no z-score for a type without cells", async () => {
    const { zscore, count } = await neighborhoodEnrichment(graph, typeOf, ["A", "B", "C", "D"], {
      ...QUIET,
      permutations: 20,
    });
    expect(zscore[3]).toEqual([null, null, null, null]);
    expect(count[3]).toEqual([0, 0, 0, 0]);
  });
});

describe("co-occurrence", () => {
  const xy = Float64Array.from(expected.xy);
  const options = { ...QUIET, maxDistanceUm: 200, stepUm: 20, maxPairs: Infinity };

  it("matches squidpy", async () => {
    const result = await coOccurrence(xy, typeOf, typeNames, options);
    expect(result.intervalUm).toEqual(expected.co_occurrence.interval);
    result.occ.flat(2).forEach((value, i) => {
      expect(value).toBeCloseTo(expected.co_occurrence.occ[i], 4);
    });
    expect(result.centers).toBe(220);
  });

  it("is close to the full result when only some cells are centers", async () => {
    const whole = await coOccurrence(xy, typeOf, typeNames, options);
    const part = await coOccurrence(xy, typeOf, typeNames, {
      ...options,
      maxPairs: whole.pairs / 2,
    });
    expect(part.centers).toBeLessThan(150);
    expect(part.pairs).toBeLessThan(whole.pairs * 0.55);
    part.occ.flat(2).forEach((value, i) => {
      if (i % 10 < 4) return; // few pairs are this close
      expect(value! / whole.occ.flat(2)[i]!).toBeGreaterThan(0.7);
      expect(value! / whole.occ.flat(2)[i]!).toBeLessThan(1.4);
    });
  });
});

describe("ligand–receptor pairs", () => {
  it("include at least 150, each once, in the capitalization of the species", () => {
    const human = ligandReceptorPairs("human");
    expect(human.length).toBeGreaterThanOrEqual(150);
    expect(new Set(human.map(({ ligand, receptor }) => `${ligand} ${receptor}`)).size).toBe(
      human.length,
    );
    expect(human).toContainEqual({ ligand: "HLA-E", receptor: "KLRC1" });
    expect(ligandReceptorPairs("mouse")).toContainEqual({ ligand: "Cxcl12", receptor: "Cxcr4" });
    for (const { ligand, receptor } of human) expect(ligand + receptor).toMatch(/^[A-Z0-9-]+$/);
  });
});

describe("ligand–receptor on contacts", () => {
  const side = 24;
  // Types in stripes of three columns; the ligand in A and the receptor in B, only in cells at their borders.
  const typeAt = (i: number): number => (Math.floor((i % side) / 3) % 2 === 0 ? 0 : 1);
  const types = Int32Array.from({ length: side * side }, (_, i) => typeAt(i));
  const where = (test: (i: number) => boolean): { rows: Uint32Array; values: Float32Array } => {
    const rows = Uint32Array.from({ length: side * side }, (_, i) => i).filter(test);
    return { rows, values: new Float32Array(rows.length).fill(2) };
  };
  const run = (): ReturnType<typeof ligandReceptor> =>
    ligandReceptor(
      {
        graph: lattice(side),
        typeOf: types,
        types: ["A", "B"],
        values: new Map([
          ["L", where((i) => typeAt(i) === 0 && i % 3 === 2)],
          ["R", where((i) => typeAt(i) === 1 && i % 3 === 0)],
          ["N", where((i) => (i * 2654435761) % 7 < 2)],
        ]),
        pairs: [
          { ligand: "L", receptor: "R" },
          { ligand: "N", receptor: "N" },
          { ligand: "L", receptor: "absent" },
        ],
      },
      { ...QUIET, permutations: 400 },
    );

  it("finds the pair on the contacts that express it", async () => {
    const table = await run();
    expect(table.knownPairs).toBe(3);
    expect(table.testedPairs).toBe(2);
    const row = table.ligand.findIndex(
      (ligand, i) => ligand === "L" && table.sender[i] === "A" && table.receiver[i] === "B",
    );
    expect(table.pvalue[row]).toBeCloseTo(1 / 401, 9);
    expect(table.fdr[row]).toBeLessThan(0.05);
    // Contacts A → B: 24 rows × 7 borders of A and B; at 4 of these, A's last column meets B's first.
    expect(table.edges[row]).toBe(24 * 7);
    expect(table.score[row]).toBeCloseTo(4 * (4 / 7), 6);
    const chance = table.fdr.filter((_, i) => table.ligand[i] === "N");
    expect(Math.min(...chance)).toBeGreaterThan(0.05);
  });

  it("gives the same result for the same seed", async () => {
    expect(await run()).toEqual(await run());
  });

  it("counts some of the contacts in large samples, and says so", async () => {
    const graph = lattice(510);
    const n = graph.nRows;
    const everywhere = {
      rows: Uint32Array.from({ length: n }, (_, i) => i),
      values: new Float32Array(n).fill(1),
    };
    const { edges } = await ligandReceptor(
      {
        ...{ graph, typeOf: new Int32Array(n), types: ["A"] },
        ...{ values: new Map([["L", everywhere]]), pairs: [{ ligand: "L", receptor: "L" }] },
      },
      { ...QUIET, permutations: 1 },
    );
    const contacts = graph.indices.length;
    expect(edges[0]).toBeLessThan(contacts);
    expect(sampledContactsNote(contacts)).toBe(
      "Ligand–receptor pairs were scored on about 1,000,000 randomly chosen contacts of 1,038,360.",
    );
    expect(sampledContactsNote(edges[0] / 2)).toBeNull();
  });
});

it("says of species without known ligands and receptors that there are none", async () => {
  const n = counts.nRows;
  const { statistics } = await analyzeInSpace(
    {
      ...{ rows: "cell", species: "other", micronsPerPixel: 1, counts, tested, typeOf },
      ...{ reliable: everyGene, geneNames, geneSymbols: geneNames },
      xy: { nRows: n, nCols: 2, data: Float64Array.from(expected.xy) },
      types: typeNames.map((name) => ({ name, color: "#0072B2", count: 1 })),
      components: { nRows: n, nCols: 1, data: Float32Array.from({ length: n }, (_, i) => i % 7) },
      membership: { nRows: n, nCols: 1, data: new Float32Array(n).fill(1) },
    },
    { ...QUIET, permutations: 19 },
  );
  expect(statistics.notes).toEqual([
    "Ligand–receptor pairs are known only for human and mouse, so none was tested.",
  ]);
});
