import { describe, expect, it } from "vitest";
import { transpose } from "@stipple/numerics/sparse";
import { asT, cellsAsSpots, readReference } from "../spatial-statistics/testing/read-reference.ts";
import { sparseOf } from "../../../store/testing/draw-sample.ts";
import { compareCells, type ComparedSample } from "./compare-cells.ts";

const { expected, counts, typeOf, geneNames } = readReference();

/** The reference cells in the layout that step 6 stores: gene-major. */
function sample(observed = new Uint8Array(counts.nRows).fill(1)): ComparedSample {
  const byGene = transpose(counts);
  const totals = new Float32Array(counts.nRows);
  for (let cell = 0; cell < counts.nRows; cell++) {
    for (let k = counts.indptr[cell]; k < counts.indptr[cell + 1]; k++)
      totals[cell] += counts.data[k];
  }
  return {
    totals,
    observed,
    genes: geneNames,
    spots: cellsAsSpots(counts),
    reliable: Uint8Array.from(geneNames, (_, gene) => gene % 2),
    counts: geneNames.map((_, gene) => {
      const [from, to] = [byGene.indptr[gene], byGene.indptr[gene + 1]];
      return {
        gene,
        cells: byGene.indices.subarray(from, to),
        values: byGene.data.subarray(from, to),
      };
    }),
  };
}

function bits(inside: (cell: number) => boolean, nCells = counts.nRows): Uint8Array {
  const set = new Uint8Array(Math.ceil(nCells / 8));
  for (let cell = 0; cell < nCells; cell++) if (inside(cell)) set[cell >> 3] |= 1 << (cell & 7);
  return set;
}
const ofType = (type: number): Uint8Array => bits((cell) => typeOf[cell] === type);

describe("two sets of cells", () => {
  it(`against all others, with one cell per spot, match the rank sums of scanpy ${expected.versions["scanpy"]}`, () => {
    const table = compareCells(sample(), ofType(1), null);
    expect(table).toMatchObject({ cells_a: 93, cells_b: counts.nRows - 93, sampled: false });
    // The last gene has no counts and is not tested.
    expect(table.genes.toSorted()).toEqual(geneNames.slice(0, 11).toSorted());
    const theirs = expected.wilcoxon.B;
    table.genes.forEach((name, row) => {
      const gene = geneNames.indexOf(name);
      // 1 of 10 counts equals 2 of 20 only before rounding, so some ties differ.
      expect(Math.abs(table.t[row] - asT(theirs.scores[gene], counts.nRows))).toBeLessThan(0.01);
      expect(table.pvalue[row]).toBeCloseTo(theirs.pvals[gene], 2);
      expect(table.log2_fold_change[row]).toBeCloseTo(theirs.logfoldchanges[gene], 3);
      expect(table.reliable[row]).toBe(gene % 2 === 1);
    });
    expect(table.pvalue).toEqual(table.pvalue.toSorted((x, y) => x - y));
    expect(table.fdr.every((q, row) => q >= table.pvalue[row])).toBe(true);
  });

  it("against each other match U and p of scipy 1.17.1's mannwhitneyu", () => {
    const table = compareCells(sample(), ofType(0), ofType(1));
    expect([table.cells_a, table.cells_b]).toEqual([86, 93]);
    const theirs: [auc: number, p: number][] = [
      [0.973681, 1.1372e-29],
      [0.002876, 2.9617e-32],
      [0.529445, 0.41078],
      [0.435421, 0.12502],
      [0.571143, 0.061877],
      [0.512566, 0.7435],
      [0.448925, 0.18512],
      [0.512378, 0.7481],
      [0.50175, 0.9654],
      [0.471368, 0.46237],
      [0.607652, 0.012909],
    ];
    theirs.forEach(([auc, p], gene) => {
      const row = table.genes.indexOf(`g${gene}`);
      expect(Math.abs(table.auc[row] - auc)).toBeLessThan(2e-4);
      // We use Student's t tail, scipy the normal tail; they differ only far out.
      if (p > 1e-3) expect(Math.abs(table.pvalue[row] - p)).toBeLessThan(0.005);
      else expect(table.pvalue[row]).toBeLessThan(1e-20);
      expect(table.t[row] > 0).toBe(auc > 0.5);
    });
  });

  it("give the same result with the opposite sign when swapped", () => {
    const [one, other] = [
      compareCells(sample(), ofType(0), ofType(2)),
      compareCells(sample(), ofType(2), ofType(0)),
    ];
    expect(other.genes).toEqual(one.genes);
    other.t.forEach((t, row) => expect(t).toBeCloseTo(-one.t[row], 6));
    expect(other.fraction_a).toEqual(one.fraction_b);
  });

  it("exclude cells that were not observed", () => {
    const observed = Uint8Array.from(typeOf, (_, cell) => cell % 2);
    const table = compareCells(sample(observed), ofType(0), null);
    expect(table.cells_a + table.cells_b).toBe(counts.nRows / 2);
  });

  it("are sampled when large, the same way each time", () => {
    const nCells = 45_000;
    const large = (): ComparedSample => ({
      totals: new Float32Array(nCells).fill(4),
      observed: new Uint8Array(nCells).fill(1),
      genes: ["up", "flat"],
      // One spot holds all cells: no replicates, so nothing is significant.
      spots: {
        overlap: sparseOf([Array.from({ length: nCells }, (_, cell) => [cell, 1])], nCells),
        byGene: sparseOf([[[0, nCells]], [[0, 2 * Math.floor(nCells / 3)]]], 1),
        xy: { nRows: 1, nCols: 2, data: new Float64Array(2) },
        scale: { spotShape: "disc", micronsPerPixel: 1 },
      },
      reliable: Uint8Array.of(1, 1),
      counts: [0, 1].map((gene) => {
        // "up" has counts in every cell of the first half, "flat" in every third cell.
        const cells = Uint32Array.from({ length: nCells }, (_, cell) => cell).filter((cell) =>
          gene === 0 ? cell < nCells / 2 : cell % 3 === 0,
        );
        return { gene, cells, values: new Float32Array(cells.length).fill(2) };
      }),
    });
    const half = bits((cell) => cell < nCells / 2, nCells);
    const table = compareCells(large(), half, null);
    expect(table).toMatchObject({ cells_a: 20_000, cells_b: 20_000, sampled: true });
    expect(table.genes[0]).toBe("up");
    expect(table.auc[0]).toBe(1);
    expect(table.pvalue).toEqual([1, 1]);
    expect(table.auc[1]).toBeCloseTo(0.5, 1);
    expect(compareCells(large(), half, null)).toEqual(table);
  });

  it.each<[string, Uint8Array, Uint8Array | null, RegExp]>([
    ["empty", bits(() => false), null, /first set of cells is empty/],
    ["second empty", ofType(0), bits(() => false), /second set of cells is empty/],
    [
      "too short",
      new Uint8Array(3).fill(1),
      null,
      /has 3 bytes; with one bit for each of the 220 cells/,
    ],
    ["too far", new Uint8Array(28).fill(255), null, /beyond the sample's 220/],
    ["the same", ofType(0), ofType(0), /contain the same cells/],
    ["overlapping", ofType(0), bits((cell) => cell < 200), /share \d+ cells/],
    ["all cells", bits(() => true), null, /The rest has 0 cells/],
  ])("are refused: %s", (_, a, b, sentence) => {
    expect(() => compareCells(sample(), a, b)).toThrow(sentence);
  });

  it("are rejected where nothing was measured", () => {
    const unobserved = sample(new Uint8Array(counts.nRows));
    expect(() => compareCells(unobserved, ofType(0), null)).toThrow(
      "The first set has 0 cells whose expression was measured with enough counts; a comparison needs 3.",
    );
  });
});
