import { expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { assignTypes } from "./assign-types.ts";
import type { TypingInput } from "./typing-input.ts";

const SYMBOLS = "CD3D CD3E CD2 TRAC COL1A1 COL1A2 DCN LUM CD68 CD163 CD14 MSR1".split(" ");
const options = { signal: new AbortController().signal, progress: () => undefined };

function input(given: Partial<TypingInput> & { nCells: number }): TypingInput {
  return { symbols: SYMBOLS, ids: SYMBOLS, lookGain: 0.05, nucleated: true, looks: null, ...given };
}

/** Cells that have ten counts of each of four genes in turn. */
function counts(nCells: number): SparseMatrix {
  const start = (cell: number): number => 4 * (cell % 3);
  return {
    nRows: nCells,
    nCols: SYMBOLS.length,
    indptr: Uint32Array.from({ length: nCells + 1 }, (_, cell) => 4 * cell),
    indices: Uint32Array.from({ length: 4 * nCells }, (_, k) => start(k >> 2) + (k & 3)),
    data: new Float32Array(4 * nCells).fill(10),
  };
}

it("names cells by their own counts, if they have any", async () => {
  const result = await assignTypes(input({ nCells: 90, ownCounts: counts(90) }), options);
  expect(result.basis?.way).toBe("counts");
  const names = [0, 1, 2].map((cell) => result.names[result.cellType[cell]]);
  expect(names).toEqual(["T cell", "Fibroblast", "Macrophage"]);
  expect(result.report).toMatchObject({ species: "human", tissueSource: "guessed" });
});

it("names cells by the types fitted to the spots, but not those beyond reach", async () => {
  const types = [
    { name: "T cell", markers: [0, 1, 2] },
    { name: "Fibroblast", markers: [4, 5, 6] },
  ];
  const posterior = Float32Array.of(0.9, 0.05, 0.05, 0.1, 0.9, 0, 0.9, 0.1, 0);
  const fitted: TypingInput["fitted"] = {
    report: { species: "human", tissue: "skin", tissueScores: {}, types },
    posterior,
  };
  const result = await assignTypes(
    input({ nCells: 3, fitted, withheld: Uint8Array.of(0, 0, 1) }),
    options,
  );
  expect(Array.from(result.cellType, (type) => result.names[type])).toEqual([
    "T cell",
    "Fibroblast",
    "Unknown",
  ]);
  expect(result.report).toMatchObject({
    tissue: "skin",
    markersFound: { "T cell": ["CD3D", "CD3E", "CD2"] },
  });
  expect(result.report.unknownFraction).toBeCloseTo(1 / 3);
});

it("leaves cells Unknown that have neither", async () => {
  const result = await assignTypes(input({ nCells: 4 }), options);
  expect(result.names).toEqual(["Unknown"]);
  expect(result.confidence).toEqual(new Float32Array(4).fill(NaN));
  expect(result.report.unknownFraction).toBe(1);
});
