import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ratesOfFields, runInMemory, type InMemoryRun } from "../../store/in-memory.ts";
import { writeField } from "../../store/field-store.ts";
import { mkdir } from "node:fs/promises";
import { FIELDS, type FieldKey, type StoredKey } from "../../fields.ts";
import { rowSums } from "../../numerics/sparse.ts";
import { accuracy, baselines } from "./accuracy.ts";
import { cellsFrom, type Rates } from "../../model/rates.ts";
import { readResult } from "../../store/results-folder.ts";
import { step as vectorTransformation } from "./step.ts";
import { syntheticFields, syntheticTissue } from "./synthetic-tissue.ts";

const size = { sideUm: 1000, nGenes: 100 };

function ratesOf({ fields }: InMemoryRun): Rates {
  return ratesOfFields(fields);
}

function totals(run: InMemoryRun): { cells: Float64Array; spots: Float64Array } {
  const { nCols, indices, data } = run.fields["cells/counts"]!;
  const cells = run.fields["genes/unassigned"]!.slice();
  for (let k = 0; k < indices.length; k++) cells[indices[k]] += data[k];
  const spots = new Float64Array(nCols);
  const counts = run.fields["spots/counts"]!;
  for (let k = 0; k < counts.indices.length; k++) spots[counts.indices[k]] += counts.data[k];
  return { cells, spots };
}

describe("on a tissue whose morphology tells cell types apart", () => {
  const tissue = syntheticTissue({ ...size, seed: 11, morphology: 1 });
  let run: InMemoryRun;
  let rates: Rates;
  beforeAll(async () => {
    run = await runInMemory(vectorTransformation, syntheticFields(tissue));
    rates = ratesOf(run);
  });

  it("beats the nearest spot and interpolation clearly", () => {
    const { nearest, interpolation } = baselines(tissue);
    const ours = accuracy(tissue, rates.column);
    expect(ours.all).toBeGreaterThan(1.15 * interpolation.all);
    expect(ours.variable).toBeGreaterThan(1.25 * interpolation.variable);
    expect(ours.variable).toBeGreaterThan(1.25 * nearest.variable);
  });

  it("gives every observed count to a cell of the tissue, or says that it did not", () => {
    const { cells, spots } = totals(run);
    expect(cells).toEqual(spots);
    const counts = run.fields["cells/counts"]!;
    const observed = run.fields["cells/observed"]!;
    for (let c = 0; c < counts.nRows; c++) {
      const row = counts.indices.subarray(counts.indptr[c], counts.indptr[c + 1]);
      if (observed[c] === 0) expect(row.length).toBe(0);
      for (let k = 1; k < row.length; k++) expect(row[k]).toBeGreaterThan(row[k - 1]);
    }
    expect(counts.data.every((value) => Number.isInteger(value) && value > 0)).toBe(true);
  });

  it("writes memberships that sum to one and rates that are finite", () => {
    const { data, nCols } = run.fields["cells/membership"]!;
    for (let c = 0; c < tissue.nCells; c += 97) {
      let sum = 0;
      for (let j = 0; j < nCols; j++) sum += data[c * nCols + j];
      expect(sum).toBeCloseTo(1, 5);
    }
    expect(rates.column(3).every((rate) => Number.isFinite(rate) && rate >= 0)).toBe(true);
  });

  it("computes the same rates by gene, by block of cells and from disk", async () => {
    const gene = 17;
    const column = rates.column(gene);
    const cells = cellsFrom(100, 140);
    const block = await rates.rows(cells);
    const few = await rates.rows(cells, Uint32Array.of(5, gene));
    const one = rates.row(103);
    const results = await mkdtemp(join(tmpdir(), "rates-"));
    try {
      for (const [key, value] of Object.entries(run.fields)) {
        const { step } = FIELDS[key as FieldKey];
        if (step !== 0 && step !== 4) continue;
        const folder = join(results, `step${step}_output`);
        await mkdir(folder, { recursive: true });
        await writeField(folder, key as StoredKey, value as never);
      }
      const step0 = join(results, "step0_output");
      await writeField(step0, "spots/total_counts", rowSums(tissue.counts));
      const stored = await readResult(results, "cells/rate");
      expect(stored.column(gene)).toEqual(column);
      expect(await stored.rows(cells)).toEqual(block);
      expect(stored.row(103)).toEqual(one);
    } finally {
      await rm(results, { recursive: true });
    }
    for (let i = 0; i < 40; i++) {
      expect(block[i * tissue.nGenes + gene]).toBeCloseTo(column[100 + i], 4);
      expect(few[i * 2 + 1]).toBeCloseTo(column[100 + i], 4);
    }
    one.forEach((rate, g) => expect(block[3 * tissue.nGenes + g]).toBeCloseTo(rate, 4));
  });

  it("measures reliability that tracks the truth", () => {
    const heldout = run.fields["genes/heldout_pcc"]!;
    expect(heldout.length).toBe(tissue.nGenes);
    expect(run.fields["genes/reliable"]!.some((value) => value === 1)).toBe(true);
    expect(run.progress.at(-1)).toBeGreaterThan(0.95);
  });
});

it("is no worse than interpolation when morphology says nothing", async () => {
  const tissue = syntheticTissue({ sideUm: 800, nGenes: 80, seed: 12, morphology: 0 });
  const run = await runInMemory(vectorTransformation, syntheticFields(tissue));
  const { interpolation } = baselines(tissue);
  const ours = accuracy(tissue, ratesOf(run).column);
  expect(ours.all).toBeGreaterThan(0.95 * interpolation.all);
  expect(ours.variable).toBeGreaterThan(0.95 * interpolation.variable);
});

it("copes with a crop of few spots, spots without cells, silent genes and no features", async () => {
  const tissue = syntheticTissue({ seed: 13, sideUm: 420, nGenes: 60 });
  const fields = syntheticFields(tissue);
  const counts = tissue.counts;
  // Gene 7 is nowhere; the first spot has lost its cells; a feature is constant, another missing.
  for (let k = 0; k < counts.indices.length; k++) if (counts.indices[k] === 7) counts.data[k] = 0;
  const { overlap } = tissue;
  overlap.data = overlap.data.slice(overlap.indptr[1]);
  overlap.indices = overlap.indices.slice(overlap.indptr[1]);
  overlap.indptr = overlap.indptr.map((at, s) => (s === 0 ? 0 : at - overlap.indptr[1]));
  for (let c = 0; c < tissue.nCells; c++) {
    tissue.features.data[c * tissue.features.nCols] = 3;
    tissue.features.data[c * tissue.features.nCols + 1] = NaN;
  }
  const run = await runInMemory(vectorTransformation, fields);
  const { cells, spots } = totals(run);
  expect(cells).toEqual(spots);
  expect(
    ratesOf(run)
      .column(7)
      .every((rate) => rate === 0),
  ).toBe(true);
  expect((await ratesOf(run).rows(cellsFrom(0, 5))).every(Number.isFinite)).toBe(true);
});

it("is no worse than interpolation on a crop of some fifty spots", async () => {
  const tissue = syntheticTissue({ seed: 23, sideUm: 700, nGenes: 60 });
  const run = await runInMemory(vectorTransformation, syntheticFields(tissue));
  const ours = accuracy(tissue, ratesOf(run).column);
  const { interpolation } = baselines(tissue);
  expect(ours.all).toBeGreaterThan(0.95 * interpolation.all);
  expect(ours.variable).toBeGreaterThan(0.95 * interpolation.variable);
  const { medianHeldoutPccRate, medianHeldoutPccInterpolation } = run.fields["sample/expression"]!;
  expect(medianHeldoutPccRate).toBeGreaterThanOrEqual(medianHeldoutPccInterpolation!);
});

it("repeats itself with the same seed and differs with another", async () => {
  const fields = syntheticFields(syntheticTissue({ seed: 16, sideUm: 500, nGenes: 40 }));
  const [one, two, other] = await Promise.all(
    [0, 0, 5].map((seed) => runInMemory(vectorTransformation, fields, { settings: { seed } })),
  );
  for (const key of ["cells/counts", "genes/profile", "genes/heldout_pcc"] as const) {
    expect(two.fields[key]).toEqual(one.fields[key]);
  }
  expect(other.fields["cells/counts"]!.data).not.toEqual(one.fields["cells/counts"]!.data);
});

it("leaves each spot its own counts when spots stand for cells", async () => {
  const tissue = syntheticTissue({ seed: 14, sideUm: 700, nGenes: 60 });
  const nSpots = tissue.spotsXy.nRows;
  const identity = Uint32Array.from({ length: nSpots }, (_, s) => s);
  const fields = syntheticFields(tissue);
  const run = await runInMemory(vectorTransformation, {
    ...fields,
    "sample/segmentation": { ...fields["sample/segmentation"]!, method: "spot_level" },
    "spots/cells": {
      nRows: nSpots,
      nCols: nSpots,
      indptr: Uint32Array.from({ length: nSpots + 1 }, (_, s) => s),
      indices: identity,
      data: new Float32Array(nSpots).fill(1),
    },
    "cells/xy": { nRows: nSpots, nCols: 2, data: Float32Array.from(tissue.spotsXy.data) },
    "cells/features": { nRows: nSpots, nCols: 0, data: new Float32Array(0) },
    "features/name": [],
    "cells/observed": new Uint8Array(nSpots).fill(1),
    "cells/spot": Int32Array.from(identity),
  });
  expect(run.fields["cells/counts"]!.indices).toEqual(tissue.counts.indices);
  expect(run.fields["cells/counts"]!.data).toEqual(tissue.counts.data);
});

it("stops when it is cancelled", async () => {
  const tissue = syntheticTissue({ seed: 15, sideUm: 700, nGenes: 60 });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 30);
  await expect(
    runInMemory(vectorTransformation, syntheticFields(tissue), { signal: controller.signal }),
  ).rejects.toThrow("cancelled");
});
