import { expect, it } from "vitest";
import { rowSums, transpose } from "@stipple/numerics/sparse";
import type { GateData } from "./gate.ts";
import { partForGate } from "./gate.ts";
import { syntheticTissue } from "./testing/synthetic-tissue.ts";

const { counts, overlap, nCells, spotsXy } = syntheticTissue({
  seed: 4,
  sideUm: 3000,
  nGenes: 20,
  nFeatures: 2,
});
const pitchPx = 100;
const data: GateData = {
  // Each cell's feature is its own index.
  phi: { data: Float32Array.from({ length: nCells }, (_, cell) => cell), nCols: 1 },
  overlap,
  reached: transpose(overlap),
  efficiency: Float32Array.from({ length: overlap.nRows }, (_, spot) => spot),
  byGene: transpose(counts),
};

it("keeps all spots if there are few", () => {
  expect(partForGate(data, { spotsXy, pitchPx }, { seed: 1 })).toEqual({ part: data, share: 1 });
});

it("samples whole squares if there are many spots, with all their cells and counts", () => {
  const most = Math.ceil(overlap.nRows / 2);
  const { part, share } = partForGate(data, { spotsXy, pitchPx }, { seed: 1, most });
  const spots = [...part.efficiency];
  expect(spots.length).toBeLessThanOrEqual(most);
  expect(spots.length).toBeGreaterThan(most / 2);
  expect(share).toBeCloseTo(spots.length / overlap.nRows, 6);
  const captured = rowSums(overlap);
  expect([...rowSums(part.overlap)]).toEqual(spots.map((spot) => captured[spot]));
  const counted = rowSums(counts);
  expect([...rowSums(transpose(part.byGene))]).toEqual(spots.map((spot) => counted[spot]));
  const cell = part.overlap.indices[0];
  expect(part.phi.data[cell]).toBe(overlap.indices[overlap.indptr[spots[0]]]);
  expect(part.reached).toEqual(transpose(part.overlap));
});
