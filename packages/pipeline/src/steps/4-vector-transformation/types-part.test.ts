import { beforeAll, describe, expect, it } from "vitest";
import { MARKER_SETS } from "../../markers/index.ts";
import { pearson } from "@stipple/numerics/pearson";
import { ratesOfFields, runInMemory, type InMemoryRun } from "../../store/in-memory.ts";
import { step as vectorTransformation } from "./step.ts";
import { shareWithType } from "./types-part.ts";
import {
  syntheticFields,
  syntheticTissue,
  type SyntheticTissue,
} from "./testing/synthetic-tissue.ts";

const TYPES = ["Tumor epithelial", "Fibroblast", "T cell", "Macrophage", "Endothelial", "B cell"];
/** A gene marks a type if it is this many times as high there as in the mean cell. */
const TIMES = 3;

const tissue = syntheticTissue({
  seed: 4,
  sideUm: 700,
  nGenes: 150,
  nTypes: TYPES.length,
  morphology: 1,
});

/** Genes that mark each type, clearest first, from the true rates. */
function markersOf({ nCells, nGenes, rate, type }: SyntheticTissue): number[][] {
  const mean = Array.from({ length: TYPES.length + 1 }, () => new Float64Array(nGenes));
  const size = new Float64Array(TYPES.length + 1);
  for (let cell = 0; cell < nCells; cell++) {
    for (const row of [type[cell], TYPES.length]) {
      size[row]++;
      for (let g = 0; g < nGenes; g++) mean[row][g] += rate[cell * nGenes + g];
    }
  }
  const times = (t: number, g: number): number =>
    mean[t][g] / size[t] / (mean[TYPES.length][g] / size[TYPES.length]);
  return TYPES.map((_, t) =>
    Array.from({ length: nGenes }, (_, g) => g)
      .filter((g) => times(t, g) > TIMES)
      .sort((a, b) => times(t, b) - times(t, a)),
  );
}

const markers = markersOf(tissue);

/** Symbols by which each type's markers are known; all other genes have names that nothing knows. */
function symbols(): string[] {
  const names = Array.from({ length: tissue.nGenes }, (_, g) => `GENE${g}X`);
  const taken = new Set<string>();
  TYPES.forEach((name, t) => {
    const own = MARKER_SETS.find((set) => set.name === name)!.markers;
    const free = own.filter((symbol) => !taken.has(symbol));
    markers[t].slice(0, free.length).forEach((g, i) => {
      names[g] = free[i];
      taken.add(free[i]);
    });
  });
  return names;
}

function run(named: boolean): Promise<InMemoryRun> {
  return runInMemory(
    vectorTransformation,
    { ...syntheticFields(tissue), ...(named && { "genes/symbol": symbols() }) },
    { settings: { species: "human", tissue: "breast" } },
  );
}

/** Median correlation of the markers' rates with the true ones, over all cells. */
function accuracyOf({ fields }: InMemoryRun): number {
  const rates = ratesOfFields(fields);
  const { nCells, nGenes, rate } = tissue;
  const values = markers.flat().map((g) =>
    pearson(
      rates.column(g),
      Float32Array.from({ length: nCells }, (_, cell) => rate[cell * nGenes + g]),
    ),
  );
  return values.sort((a, b) => a - b)[values.length >> 1];
}

it("counts the cells that have a type", () => {
  const twoAndNone = (a: number, b: number): number =>
    shareWithType(
      Float32Array.from({ length: 300 }, (_, i) => [a, b, 1 - a - b][i % 3]),
      3,
    );
  expect(twoAndNone(0.9, 0.1)).toBeCloseTo(1, 6);
  expect(twoAndNone(0.3, 0.3)).toBeCloseTo(0.6, 6);
  expect(twoAndNone(0, 0)).toBeCloseTo(0, 6);
});

describe("cell types as a part of the model", () => {
  let known: InMemoryRun;
  let unknown: InMemoryRun;
  beforeAll(async () => {
    [known, unknown] = [await run(true), await run(false)];
  });

  it("raise the accuracy of marker genes", () => {
    expect(unknown.fields["sample/type_fit"]).toBeUndefined();
    expect(accuracyOf(known)).toBeGreaterThan(1.1 * accuracyOf(unknown));
  });

  it("are those that the tissue contains, with posteriors that sum to 1", () => {
    const { types, tissue: name } = known.fields["sample/type_fit"]!;
    expect(name).toBe("breast");
    expect(types.length).toBeGreaterThan(TYPES.length / 2);
    const { nRows, nCols, data } = known.fields["cells/type_posterior"]!;
    expect([nRows, nCols]).toEqual([tissue.nCells, types.length + 1]);
    for (let cell = 0; cell < nRows; cell++) {
      const row = data.subarray(cell * nCols, (cell + 1) * nCols);
      expect(Math.abs(row.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(1e-3);
    }
  });

  it("leave the weights of the model at 1 and every count in place", () => {
    const { settings } = known.fields["sample/expression"]!;
    const shares = ["shareLearned", "shareLooks", "sharePlace", "shareTypes"].map(
      (name) => settings[name],
    );
    expect(settings["shareTypes"]).toBeGreaterThan(0.4);
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6);
    const { nCols, nRows, data } = known.fields["cells/membership"]!;
    let sum = 0;
    for (const value of data) sum += value;
    expect(sum / nRows).toBeCloseTo(1, 4);
    expect(known.fields["genes/profile"]!.nRows).toBe(nCols);
  });
});
