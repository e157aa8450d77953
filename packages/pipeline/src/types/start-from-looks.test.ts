import { expect, it } from "vitest";
import { membership } from "../model/prototypes.ts";
import { Random } from "@stipple/numerics/random";
import { chooseRows, transpose } from "@stipple/numerics/sparse";
import type { AnchoredData } from "./anchored-fit.ts";
import { startFromLooks } from "./find-types.ts";
import { spotsOfWholeCells } from "./testing/spots-of-whole-cells.ts";

const TYPES = 3;
const MARKERS = 5;
const LOOKS = 2 * TYPES;
const PER_SPOT = 8;
const N_SPOTS = 150;

/** Cells of three types with two looks each, one feature per look; spots of eight cells. */
function tissue(): { data: AnchoredData; lookOf: Int32Array } {
  const random = new Random(5);
  const nCells = N_SPOTS * PER_SPOT;
  const lookOf = Int32Array.from({ length: nCells }, () => random.below(LOOKS));
  const nCols = 1 + LOOKS;
  const phi = { data: new Float32Array(nCells * nCols), nCols };
  lookOf.forEach((look, cell) => {
    phi.data[cell * nCols] = 1;
    for (let j = 0; j < LOOKS; j++) {
      phi.data[cell * nCols + 1 + j] = random.normal() + (look === j ? 5 : 0);
    }
  });
  const nGenes = TYPES * MARKERS;
  const { overlap, byGene } = spotsOfWholeCells(
    { nSpots: N_SPOTS, perSpot: PER_SPOT, nGenes },
    (gene, cell) => (Math.floor(gene / MARKERS) === lookOf[cell] % TYPES ? 3 : 0.3),
    random,
  );
  const bySpot = transpose(byGene);
  const counts = new Float32Array(N_SPOTS * nGenes);
  for (let s = 0; s < N_SPOTS; s++) {
    for (let i = bySpot.indptr[s]; i < bySpot.indptr[s + 1]; i++) {
      counts[s * nGenes + bySpot.indices[i]] = bySpot.data[i];
    }
  }
  const all = chooseRows(overlap, [...Array(N_SPOTS).keys()]);
  const data: AnchoredData = {
    overlap: all,
    reached: transpose(all),
    counts,
    nGenes,
    phi,
    nLooks: LOOKS,
    penalty: Float64Array.from({ length: nCols }, (_, j) => (j === 0 ? 0 : 1)),
  };
  return { data, lookOf };
}

const MARKERS_OF = Array.from({ length: TYPES }, (_, t) =>
  Array.from({ length: MARKERS }, (_, i) => t * MARKERS + i),
);

it("starts from the types whose markers are shown by groups of similar cells, even if a type has two looks", async () => {
  const { data, lookOf } = tissue();
  const k = TYPES + 1;
  const weights = await startFromLooks(data, MARKERS_OF, 0);
  const members = membership(data.phi, { weights, k });
  const right = new Float64Array(LOOKS);
  lookOf.forEach((look, cell) => {
    const own = members.subarray(cell * k, (cell + 1) * k);
    if (own.indexOf(Math.max(...own)) === look % TYPES) right[look] += 1;
  });
  const cells = right.map((_, look) => lookOf.filter((own) => own === look).length);
  right.forEach((n, look) => {
    expect(n / cells[look]).toBeGreaterThan(0.85);
  });
});

it("treats a marker without counts as not raised anywhere", async () => {
  const { data } = tissue();
  for (let s = 0; s < N_SPOTS; s++) data.counts[s * data.nGenes] = 0;
  const weights = await startFromLooks(data, MARKERS_OF, 0);
  expect(weights.every(Number.isFinite)).toBe(true);
});
