import * as scran from "scran.js";
import { describe, expect, it } from "vitest";
import { geneValues } from "../spatial-statistics/gene-values.ts";
import {
  asT,
  cellsAsSpots,
  QUIET,
  readReference,
} from "../spatial-statistics/testing/read-reference.ts";
import { findMarkers } from "./find-markers.ts";
import { rankSums, sortedEntries } from "./rank-sum.ts";

const { expected, counts, tested, typeOf, typeNames, geneNames } = readReference();
const spots = cellsAsSpots(counts);
const everyGene = new Uint8Array(counts.nCols).fill(1);

async function markers(groupOf: Int32Array, names: readonly string[]) {
  const [found] = await findMarkers(
    geneValues(counts, tested, everyGene),
    { cells: tested.cells.length, genes: 12 },
    [{ groupBy: "cell_type", groupOf, ofAllCells: groupOf, names }],
    spots,
    geneNames,
    12,
    QUIET,
  );
  return found;
}

describe("markers", () => {
  it(`with one cell per spot, match the rank sums of scanpy ${expected.versions["scanpy"]}`, async () => {
    const { table } = await markers(typeOf, typeNames);
    for (const group of table.groups) {
      const theirs = expected.wilcoxon[group.group as "A"];
      group.genes.forEach((name, row) => {
        const gene = Number(name.slice(1));
        // scanpy gives no score for a gene with no counts; ours is 0. 1 of 10 counts equals 2 of 20 only before
        // rounding, so some ties differ.
        const t = asT(theirs.scores[gene] ?? 0, counts.nRows);
        expect(Math.abs(group.scores[row] - t)).toBeLessThan(0.01);
        expect(group.pvals[row]).toBeCloseTo(theirs.pvals[gene] ?? 1, 2);
        if (gene < 11) {
          expect(group.logFoldChanges[row]).toBeCloseTo(theirs.logfoldchanges[gene], 3);
        }
      });
      expect(group.auc).toEqual(group.auc.toSorted((a, b) => b - a));
    }
  });

  it("find the genes of the types", async () => {
    const { table } = await markers(typeOf, typeNames);
    expect(table.groups.map(({ genes }) => genes[0])).toEqual(["g0", "g1", "g2"]);
    expect(table.groups[1].pvalsAdj[0]).toBeLessThan(1e-10);
    expect(table.groups[1].auc[0]).toBeGreaterThan(0.9);
  });

  it("have the smallest pairwise Cohen's d from libscran", async () => {
    await scran.initialize({ numberOfThreads: 1 });
    const matrix = scran.initializeSparseMatrixFromSparseArrays(
      counts.nCols,
      counts.nRows,
      Int32Array.from(counts.data),
      Int32Array.from(counts.indices),
      Float64Array.from(counts.indptr),
      { byRow: false },
    );
    // libscran takes log2, which does not affect Cohen's d.
    const normalized = scran.normalizeCounts(matrix, {
      sizeFactors: tested.factor.map((factor) => 1 / factor),
    });
    const theirs = scran.scoreMarkers(normalized, typeOf, { numberOfThreads: 1 });
    const { table } = await markers(typeOf, typeNames);
    for (const [index, group] of table.groups.entries()) {
      const d = theirs.cohensD(index, { summary: "minimum" });
      group.genes.forEach((name, row) => {
        if (name !== "g11") expect(group.minCohensD[row]).toBeCloseTo(d[Number(name.slice(1))], 4);
      });
    }
    for (const object of [theirs, normalized, matrix]) object.free();
  });

  it("leave out groups of fewer than five cells", async () => {
    const few = Int32Array.from(typeOf, (_, row) => (row < 4 ? 0 : 1));
    expect((await markers(few, ["few", "many"])).table.groups).toEqual([]);
  });
});

describe("rankSums", () => {
  it("computes the share of pairs that rank higher, counting ties as half", () => {
    const rows = Uint32Array.of(0, 2, 3);
    const values = Float32Array.of(2, 1, 2);
    const scores = rankSums(sortedEntries(rows, values), rows, values, {
      groupOf: Int32Array.of(0, 0, 1, 1, 1),
      sizes: Float64Array.of(2, 3),
    });
    // Group 0 has values 2, 0; group 1 has 1, 2, 0: pairs 1 + ½ + 1 + 0 + 0 + ½ of 6.
    expect(scores.auc[0]).toBeCloseTo(3 / 6, 12);
    expect(scores.auc[0] + scores.auc[1]).toBeCloseTo(1, 12);
  });

  it("refuses more cells than it can rank", () => {
    expect(() => sortedEntries(Uint32Array.of(2 ** 22), Float32Array.of(1))).toThrow(RangeError);
  });
});
