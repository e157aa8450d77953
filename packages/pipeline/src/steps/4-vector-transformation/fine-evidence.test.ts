import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { FIELDS, type FieldKey, type StoredKey } from "../../fields.ts";
import { storedParts } from "../../views.ts";
import { capturingSpots } from "../../model/nearest-spots.ts";
import { cellsFrom, ratesFrom } from "../../model/rates.ts";
import { Random } from "@stipple/numerics/random";
import { identityMatrix, multiplyDense, rowSums, transpose } from "@stipple/numerics/sparse";
import { writeField } from "../../store/field-store.ts";
import {
  ratesOfFields,
  runInMemory,
  type Fields,
  type InMemoryRun,
} from "../../store/in-memory.ts";
import { readResult } from "../../store/results-folder.ts";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { step as vectorTransformation } from "./step.ts";
import { syntheticFields, syntheticTissue } from "./testing/synthetic-tissue.ts";

function sparse(rows: readonly (readonly number[])[]): SparseMatrix {
  const kept = rows.map((row) => row.flatMap((value, i) => (value > 0 ? [[i, value]] : [])));
  const indptr = new Uint32Array(rows.length + 1);
  kept.forEach((row, i) => (indptr[i + 1] = indptr[i] + row.length));
  return {
    nRows: rows.length,
    nCols: rows[0].length,
    indptr,
    indices: Uint32Array.from(kept.flat(), ([i]) => i),
    data: Float32Array.from(kept.flat(), ([, value]) => value),
  };
}

/** 30 × 30 cells, each a whole 8 µm bin, so that both bin sizes have the same counts. */
const SIDE = 30;
const N_GENES = 24;
function wholeBins(): { ofBins: Fields; ofFineBins: Fields } {
  const random = new Random(3);
  const n = SIDE * SIDE;
  const profile = Array.from({ length: 3 }, () =>
    Array.from({ length: N_GENES }, () => 6 * random.gamma(0.7)),
  );
  const type = Array.from(
    { length: n },
    (_, cell) => Math.floor((3 * (cell % SIDE)) / SIDE + 0.8 * random.uniform()) % 3,
  );
  const counts = sparse(type.map((own) => profile[own].map((rate) => random.poisson(rate + 0.01))));
  const places = Array.from(
    { length: 2 * n },
    (_, i) => 8 * ((i % 2 === 0 ? (i >> 1) % SIDE : Math.floor((i >> 1) / SIDE)) + 0.5),
  );
  const features: Matrix<Float32Array> = {
    nRows: n,
    nCols: 3,
    data: Float32Array.from(
      type.flatMap((own) => [own, own, own].map((t, f) => Number(t === f) + 0.5 * random.normal())),
    ),
  };
  const pca = {
    nRows: n,
    nCols: 2,
    data: Float32Array.from({ length: 2 * n }, () => random.normal()),
  };
  const like = syntheticFields(syntheticTissue({ seed: 1, sideUm: 300, nGenes: N_GENES }));
  const ofBins: Fields = {
    ...like,
    "sample/scale": { ...like["sample/scale"]!, pitchUm: 8, spotSizeUm: 8, spotShape: "square" },
    "spots/xy": { nRows: n, nCols: 2, data: Float64Array.from(places) },
    "spots/counts": counts,
    "spots/X_pca": pca,
    "spots/cells": identityMatrix(n),
    "cells/xy": { nRows: n, nCols: 2, data: Float32Array.from(places) },
    "cells/features": features,
    "features/name": ["a", "b", "c"],
    "cells/observed": new Uint8Array(n).fill(1),
    "cells/spot": Int32Array.from({ length: n }, (_, i) => i),
  };
  const total = rowSums(transpose(counts));
  return {
    ofBins,
    ofFineBins: {
      ...ofBins,
      "cells/fine_counts": counts,
      "cells/fine_capture": identityMatrix(n),
      "cells/fine_efficiency": new Float32Array(n).fill(1),
      "genes/fine_total": total,
      "genes/fine_unassigned": new Float64Array(N_GENES),
    },
  };
}

describe("when cells are whole 8 µm bins", () => {
  let ofBins: InMemoryRun;
  let ofFineBins: InMemoryRun;
  beforeAll(async () => {
    const fields = wholeBins();
    ofBins = await runInMemory(vectorTransformation, fields.ofBins);
    ofFineBins = await runInMemory(vectorTransformation, fields.ofFineBins);
  });

  it("2 µm bins give the same rates and counts", () => {
    const [one, two] = [ratesOfFields(ofBins.fields), ratesOfFields(ofFineBins.fields)];
    expect(one.evidence.spotCounts).toBe("spots/counts");
    expect(two.evidence.spotCounts).toBe("cells/counts");
    for (let gene = 0; gene < N_GENES; gene++) {
      const known = one.column(gene);
      two.column(gene).forEach((rate, cell) => expect(rate).toBeCloseTo(known[cell], 5));
    }
    for (const key of ["cells/counts", "genes/rate_shape", "genes/rate_source"] as const) {
      expect(ofFineBins.fields[key]).toEqual(ofBins.fields[key]);
    }
  });

  it("rates read from the results also use the cells' own bins, by gene and by cell", async () => {
    const results = await mkdtemp(join(tmpdir(), "fine-evidence-"));
    try {
      const given = {
        ...ofFineBins.fields,
        "spots/total_counts": rowSums(ofFineBins.fields["spots/counts"]!),
      };
      for (const [key, value] of Object.entries(given)) {
        const { step } = FIELDS[key as FieldKey];
        if (step !== 0 && step !== 4) continue;
        const folder = join(results, `step${step}_output`);
        await mkdir(folder, { recursive: true });
        await writeField(folder, key as StoredKey, value as never);
      }
      // The counts of the 8 µm bins must not matter.
      await writeField(join(results, "step0_output"), "spots/counts", identityMatrix(SIDE * SIDE));
      const known = ratesOfFields(ofFineBins.fields);
      const stored = await readResult(results, "cells/rate");
      const cells = cellsFrom(40, 90);
      expect(stored.evidence).toEqual(known.evidence);
      // Data fetched for a step or the view must include everything that holds the evidence.
      expect(storedParts(["cells/rate"])).toEqual(
        expect.arrayContaining(Object.values(stored.evidence)),
      );
      expect(stored.column(5)).toEqual(known.column(5));
      expect(await stored.rows(cells)).toEqual(await known.rows(cells));
    } finally {
      await rm(results, { recursive: true });
    }
  });
});

it("one bin that is the sum of four is as informative about a cell as the four", () => {
  const random = new Random(8);
  const [nCells, k, nGenes] = [12, 3, 9];
  const positive = (nRows: number, nCols: number): Matrix<Float32Array> => ({
    nRows,
    nCols,
    data: Float32Array.from({ length: nRows * nCols }, () => random.gamma(1)),
  });
  const model = {
    membership: positive(nCells, k),
    profile: positive(k, nGenes),
    source: new Uint8Array(nGenes),
    shape: Float32Array.from({ length: nGenes }, () => random.gamma(1)),
    ownBins: true,
  };
  /** Each bin captures a quarter of its cell. */
  const bins = Array.from({ length: 4 * nCells }, (_, bin) =>
    Array.from({ length: nCells }, (_, cell) => (bin >> 2 === cell ? 0.25 : 0)),
  );
  const counted = bins.map(() => Array.from({ length: nGenes }, () => random.poisson(0.6)));
  const summed = Array.from({ length: nCells }, (_, cell) =>
    Array.from({ length: nGenes }, (_, gene) =>
      [0, 1, 2, 3].reduce((sum, i) => sum + counted[4 * cell + i][gene], 0),
    ),
  );
  const rates = (capture: SparseMatrix, counts: SparseMatrix) => {
    const near = capturingSpots(capture, 7);
    return ratesFrom({
      ...model,
      exposure: {
        nRows: capture.nRows,
        nCols: k,
        data: multiplyDense(capture, model.membership.data, k),
      },
      nearSpot: { nRows: nCells, nCols: 7, data: near.spot },
      nearWeight: { nRows: nCells, nCols: 7, data: near.weight },
      spotTotals: rowSums(counts),
      spotCounts: rowsOf(counts),
      geneCounts: rowsOf(transpose(counts)),
    });
  };
  const fromBins = rates(sparse(bins), sparse(counted));
  const fromSums = rates(identityMatrix(nCells), sparse(summed));
  for (let gene = 0; gene < nGenes; gene++) {
    const known = fromBins.column(gene);
    fromSums.column(gene).forEach((rate, cell) => expect(rate).toBeCloseTo(known[cell], 4));
  }
});
