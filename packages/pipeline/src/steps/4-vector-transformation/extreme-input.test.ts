import { describe, expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { cellsFrom } from "../../model/rates.ts";
import { ratesOfFields, runInMemory, type Fields } from "../../store/in-memory.ts";
import { step as vectorTransformation } from "./step.ts";
import { syntheticFields, syntheticTissue } from "./testing/synthetic-tissue.ts";

/** Runs step 4 and checks invariants that hold for any input. */
async function runAndCheck(fields: Fields): Promise<Fields> {
  const { fields: out } = await runInMemory(vectorTransformation, fields);
  const rates = ratesOfFields(out);
  const all = await rates.rows(cellsFrom(0, rates.nCells));
  expect(all.every((rate) => Number.isFinite(rate) && rate >= 0)).toBe(true);
  const spots = new Float64Array(rates.nGenes);
  const counts = fields["spots/counts"]!;
  counts.indices.forEach((gene, k) => (spots[gene] += counts.data[k]));
  const cells = Float64Array.from(out["genes/unassigned"]!);
  const allocated = out["cells/counts"]!;
  allocated.indices.forEach((gene, k) => (cells[gene] += allocated.data[k]));
  expect(cells).toEqual(spots);
  expect(out["cells/rate_cv"]!.length).toBe(rates.nCells);
  expect(JSON.stringify(out["sample/expression"])).not.toContain("Infinity");
  return out;
}

function keepColumns(matrix: SparseMatrix, nCols: number): SparseMatrix {
  const indptr = new Uint32Array(matrix.nRows + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let i = 0; i < matrix.nRows; i++) {
    for (let k = matrix.indptr[i]; k < matrix.indptr[i + 1]; k++) {
      if (matrix.indices[k] >= nCols) continue;
      indices.push(matrix.indices[k]);
      data.push(matrix.data[k]);
    }
    indptr[i + 1] = indices.length;
  }
  return {
    ...matrix,
    nCols,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

describe("extreme input", () => {
  it.each([
    [1, 140],
    [2, 190],
  ])("runs on %i spot(s) and reports that nothing could be judged", async (nSpots, sideUm) => {
    const tissue = syntheticTissue({ seed: 3, sideUm, nGenes: 30 });
    expect(tissue.spotsXy.nRows).toBe(nSpots);
    const out = await runAndCheck(syntheticFields(tissue));
    expect(out["sample/expression"]!.morphologyHelps).toBeNull();
    expect(out["sample/expression"]!.medianHeldoutPcc).toBeNull();
    expect(out["genes/reliable"]!.every((value) => value === 0)).toBe(true);
  });

  it("runs when half of the spots have no counts", async () => {
    const tissue = syntheticTissue({ seed: 4, sideUm: 560, nGenes: 30 });
    const { counts } = tissue;
    const kept = { indices: [] as number[], data: [] as number[] };
    const indptr = counts.indptr.slice();
    for (let s = 0; s < counts.nRows; s++) {
      if (s % 2 === 0) {
        kept.indices.push(...counts.indices.subarray(counts.indptr[s], counts.indptr[s + 1]));
        kept.data.push(...counts.data.subarray(counts.indptr[s], counts.indptr[s + 1]));
      }
      indptr[s + 1] = kept.indices.length;
    }
    tissue.counts = {
      ...counts,
      indptr,
      indices: Uint32Array.from(kept.indices),
      data: Float32Array.from(kept.data),
    };
    await runAndCheck(syntheticFields(tissue));
  });

  it("runs on a single gene", async () => {
    const tissue = syntheticTissue({ seed: 5, sideUm: 560, nGenes: 30 });
    const fields = syntheticFields(tissue);
    await runAndCheck({
      ...fields,
      "spots/counts": keepColumns(tissue.counts, 1),
      "genes/symbol": ["Gene0"],
      "genes/id": ["Gene0"],
    });
  });

  it("runs when all cells lie in one spot, and leaves the other spots' counts unassigned", async () => {
    const tissue = syntheticTissue({ seed: 6, sideUm: 560, nGenes: 30 });
    const { overlap, nCells, counts } = tissue;
    const fields = syntheticFields(tissue);
    const out = await runAndCheck({
      ...fields,
      "spots/cells": {
        ...overlap,
        indptr: Uint32Array.from({ length: overlap.nRows + 1 }, (_, s) => (s === 0 ? 0 : nCells)),
        indices: Uint32Array.from({ length: nCells }, (_, c) => c),
        data: new Float32Array(nCells).fill(1),
      },
      "cells/observed": new Uint8Array(nCells).fill(1),
      "cells/spot": new Int32Array(nCells),
    });
    const rest = counts.data.subarray(counts.indptr[1]).reduce((a, b) => a + b, 0);
    expect(out["genes/unassigned"]!.reduce((a, b) => a + b, 0)).toBe(rest);
  });

  it("treats constant features as no features", async () => {
    const tissue = syntheticTissue({ seed: 7, sideUm: 560, nGenes: 30 });
    tissue.features.data.fill(2);
    const out = await runAndCheck(syntheticFields(tissue));
    expect(out["sample/expression"]!.morphologyHelps).toBeNull();
    expect(out["sample/expression"]!.settings["sharePlace"]).toBe(1);
  });

  it("takes no prior so heavy that its sums overflow", () => {
    const of = (priorCells: number) =>
      vectorTransformation.params.safeParse({ priorCells }).success;
    expect([of(1e6), of(1e40)]).toEqual([true, false]);
  });

  it("takes no blocks of a size that halving never ends or that positions cannot be divided by", () => {
    const of = (blockPitches: number) =>
      vectorTransformation.params.safeParse({ blockPitches }).success;
    expect([0.1, 1000, 1e308, 5e-324].map(of)).toEqual([true, true, false, false]);
  });
});
