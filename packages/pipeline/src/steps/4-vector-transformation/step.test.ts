import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ratesOfFields, runInMemory, type InMemoryRun } from "../../store/in-memory.ts";
import { writeField } from "../../store/field-store.ts";
import { FIELDS, type FieldKey, type StoredKey } from "../../fields.ts";
import { rowSums } from "@stipple/numerics/sparse";
import { accuracy, baselines } from "./testing/accuracy.ts";
import { expectedCounts } from "../../model/expected-counts.ts";
import { cellsFrom, type Rates } from "../../model/rates.ts";
import { sharingCells } from "../../model/sharing-cells.ts";
import { readResult } from "../../store/results-folder.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { step as vectorTransformation } from "./step.ts";
import { syntheticFields, syntheticTissue } from "./testing/synthetic-tissue.ts";

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

describe("on a tissue whose morphology distinguishes cell types", () => {
  const tissue = syntheticTissue({ ...size, seed: 11, morphology: 1 });
  let run: InMemoryRun;
  let rates: Rates;
  beforeAll(async () => {
    run = await runInMemory(vectorTransformation, syntheticFields(tissue));
    rates = ratesOf(run);
  });

  it("clearly beats the nearest spot and interpolation", () => {
    const { nearest, interpolation } = baselines(tissue);
    const ours = accuracy(tissue, rates.column);
    expect(ours.all).toBeGreaterThan(1.15 * interpolation.all);
    expect(ours.variable).toBeGreaterThan(1.25 * interpolation.variable);
    expect(ours.variable).toBeGreaterThan(1.25 * nearest.variable);
  });

  it("assigns every observed count to a cell or reports it as unassigned", () => {
    const { cells, spots } = totals(run);
    expect(cells).toEqual(spots);
    const counts = run.fields["cells/counts"]!;
    for (let c = 0; c < counts.nRows; c++) {
      const row = counts.indices.subarray(counts.indptr[c], counts.indptr[c + 1]);
      for (let k = 1; k < row.length; k++) expect(row[k]).toBeGreaterThan(row[k - 1]);
    }
    expect(counts.data.every((value) => Number.isInteger(value) && value > 0)).toBe(true);
  });

  it("gives the cells of every spot exactly that spot's counts of each gene", () => {
    const counts = run.fields["cells/counts"]!;
    const spotOf = run.fields["cells/spot"]!;
    const sums = new Float64Array(tissue.counts.nRows * tissue.nGenes);
    for (let c = 0; c < counts.nRows; c++) {
      for (let k = counts.indptr[c]; k < counts.indptr[c + 1]; k++) {
        sums[spotOf[c] * tissue.nGenes + counts.indices[k]] += counts.data[k];
      }
    }
    const { nRows, indptr, indices, data } = tissue.counts;
    for (let s = 0; s < nRows; s++) {
      for (let k = indptr[s]; k < indptr[s + 1]; k++) {
        sums[s * tissue.nGenes + indices[k]] -= data[k];
      }
    }
    expect(sums.every((rest) => rest === 0)).toBe(true);
  });

  it.each([0, 0.3])(
    "preserves the expected total of every gene when shares below %f UMIs are moved",
    (least) => {
      const { data: membership, nCols: k } = run.fields["cells/membership"]!;
      const expected = expectedCounts({
        sharing: sharingCells({
          evidence: { ownBins: false },
          overlap: tissue.overlap,
          observed: tissue.observed,
          spotOf: run.fields["cells/spot"]!,
        }),
        membership,
        profile: run.fields["genes/profile"]!.data,
        k,
        nGenes: tissue.nGenes,
        spotCounts: rowsOf(tissue.counts),
      });
      const { lengths, indices, values } = expected.rows(0, tissue.nCells, least);
      const sums = new Float64Array(tissue.nGenes);
      indices.forEach((gene, i) => (sums[gene] += values[i]));
      totals(run).spots.forEach((total, gene) => expect(sums[gene] / total).toBeCloseTo(1, 5));
      // Counts are integers close to it.
      const counts = run.fields["cells/counts"]!;
      let [at, far] = [0, 0];
      for (let c = 0; c < tissue.nCells; c++) {
        const row = new Float64Array(tissue.nGenes);
        for (let i = 0; i < lengths[c]; i++, at++) row[indices[at]] = values[at];
        for (let e = counts.indptr[c]; e < counts.indptr[c + 1]; e++) {
          row[counts.indices[e]] -= counts.data[e];
        }
        far += row.filter((rest) => Math.abs(rest) > 1.5).length;
      }
      expect(far).toBeLessThan(0.01 * tissue.nCells * tissue.nGenes);
    },
  );

  it("allocates counts that match the true cells better than the nearest spot does", () => {
    const { nCols, indptr, indices, data } = run.fields["cells/counts"]!;
    const byGene = Array.from({ length: nCols }, () => new Float32Array(tissue.nCells));
    for (let c = 0; c < tissue.nCells; c++) {
      for (let k = indptr[c]; k < indptr[c + 1]; k++) byGene[indices[k]][c] = data[k];
    }
    const counts = accuracy(tissue, (gene) => byGene[gene]);
    const { nearest } = baselines(tissue);
    expect(counts.all).toBeGreaterThan(nearest.all);
    expect(counts.variable).toBeGreaterThan(1.05 * nearest.variable);
  });

  it("writes memberships that sum to one and finite rates", () => {
    const { data, nCols } = run.fields["cells/membership"]!;
    for (let c = 0; c < tissue.nCells; c += 97) {
      let sum = 0;
      for (let j = 0; j < nCols; j++) sum += data[c * nCols + j];
      expect(sum).toBeCloseTo(1, 5);
    }
    expect(rates.column(3).every((rate) => Number.isFinite(rate) && rate >= 0)).toBe(true);
  });

  it("computes the same rates by gene, by block of cells, and from disk", async () => {
    const gene = 17;
    const column = rates.column(gene);
    const cells = cellsFrom(100, 140);
    const block = await rates.rows(cells);
    const few = await rates.rows(cells, Uint32Array.of(5, gene));
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
    } finally {
      await rm(results, { recursive: true });
    }
    for (let i = 0; i < 40; i++) {
      expect(block[i * tissue.nGenes + gene]).toBeCloseTo(column[100 + i], 4);
      expect(few[i * 2 + 1]).toBeCloseTo(column[100 + i], 4);
    }
  });

  it("measures reliability that tracks the truth", () => {
    const heldout = run.fields["genes/heldout_pcc"]!;
    expect(heldout.length).toBe(tissue.nGenes);
    expect(run.fields["genes/reliable"]!.some((value) => value === 1)).toBe(true);
    expect(run.progress.at(-1)).toBeGreaterThan(0.95);
  });
});

it("is no worse than interpolation when morphology is uninformative", async () => {
  const tissue = syntheticTissue({ sideUm: 800, nGenes: 80, seed: 12, morphology: 0 });
  const run = await runInMemory(vectorTransformation, syntheticFields(tissue));
  const { interpolation } = baselines(tissue);
  const ours = accuracy(tissue, ratesOf(run).column);
  expect(ours.all).toBeGreaterThan(0.95 * interpolation.all);
  expect(ours.variable).toBeGreaterThan(0.95 * interpolation.variable);
});

it("handles a crop with few spots, spots without cells, silent genes, and no features", async () => {
  const tissue = syntheticTissue({ seed: 13, sideUm: 420, nGenes: 60 });
  const fields = syntheticFields(tissue);
  const counts = tissue.counts;
  // Gene 7 has no counts; the first spot has no cells; one feature is constant, another missing.
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

it("is no worse than interpolation on a crop of about fifty spots", async () => {
  const tissue = syntheticTissue({ seed: 23, sideUm: 700, nGenes: 60 });
  const run = await runInMemory(vectorTransformation, syntheticFields(tissue));
  const ours = accuracy(tissue, ratesOf(run).column);
  const { interpolation } = baselines(tissue);
  expect(ours.all).toBeGreaterThan(0.95 * interpolation.all);
  expect(ours.variable).toBeGreaterThan(0.95 * interpolation.variable);
  // The model stays unless it is clearly behind.
  const { medianHeldoutPccRate, medianHeldoutPccInterpolation } = run.fields["sample/expression"]!;
  expect(medianHeldoutPccRate).toBeGreaterThan(0.95 * medianHeldoutPccInterpolation!);
});

it("gives the same result with the same seed and a different one with another", async () => {
  const fields = syntheticFields(syntheticTissue({ seed: 16, sideUm: 500, nGenes: 40 }));
  const [one, two, other] = await Promise.all(
    [0, 0, 5].map((seed) => runInMemory(vectorTransformation, fields, { settings: { seed } })),
  );
  for (const key of ["cells/counts", "genes/profile", "genes/heldout_pcc"] as const) {
    expect(two.fields[key]).toEqual(one.fields[key]);
  }
  expect(other.fields["cells/counts"]!.data).not.toEqual(one.fields["cells/counts"]!.data);
});

it("keeps each spot's own counts when spots are used as cells", async () => {
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
  // Genes are judged, but there is no expectation over single cells.
  expect(run.fields["genes/heldout_pcc"]!.some(Number.isFinite)).toBe(true);
  expect(run.fields["genes/cell_pcc"]!.data.every(Number.isNaN)).toBe(true);
});

it("stops when canceled", async () => {
  const tissue = syntheticTissue({ seed: 15, sideUm: 700, nGenes: 60 });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 30);
  await expect(
    runInMemory(vectorTransformation, syntheticFields(tissue), { signal: controller.signal }),
  ).rejects.toThrow("canceled");
});
