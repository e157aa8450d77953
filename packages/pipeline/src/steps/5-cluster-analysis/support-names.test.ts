import { describe, expect, it } from "vitest";
import type { MarkerSet } from "../../markers/marker-set.ts";
import { hasNoNucleus } from "../../markers/without-nucleus.ts";
import { Random } from "../../numerics/random.ts";
import { relativeRates, spotShares, type ObservedSpots } from "../../types/group-rates.ts";
import { supportNames } from "./support-names.ts";
import { spotsOfWholeCells } from "../../types/testing/spots-of-whole-cells.ts";

const [N_SPOTS, PER_SPOT, MARKERS, OTHERS] = [80, 6, 6, 60];
const NAMES = ["T cell", "Fibroblast", "NK cell", "Smooth muscle"] as const;
const LINEAGES = ["Lymphocyte", "Stromal", "Lymphocyte", "Stromal"];
const sets = NAMES.map((name, t) => ({
  set: {
    name,
    lineage: LINEAGES[t],
    tissues: [],
    markers: [],
    some: [],
    absent: [],
  } satisfies MarkerSet,
  genes: Array.from({ length: MARKERS }, (_, i) => t * MARKERS + i),
}));
const N_CELLS = N_SPOTS * PER_SPOT;
const signal = new AbortController().signal;

/** Spots of whole cells; only T cells (0) and fibroblasts (1) are present, with their markers raised tenfold. */
function tissue(): { spots: ObservedSpots; truth: Int32Array } {
  const random = new Random(4);
  const truth = new Int32Array(N_CELLS);
  const nGenes = NAMES.length * MARKERS + OTHERS;
  for (let s = 0; s < N_SPOTS; s++) {
    const share = random.uniform();
    // The first spots contain only one kind.
    for (let i = 0; i < PER_SPOT; i++)
      truth[s * PER_SPOT + i] = s < 10 ? s % 2 : random.uniform() < share ? 0 : 1;
  }
  const spots = spotsOfWholeCells(
    { nSpots: N_SPOTS, perSpot: PER_SPOT, nGenes },
    (gene, cell) =>
      gene >= NAMES.length * MARKERS ? 2 : Math.floor(gene / MARKERS) === truth[cell] ? 2 : 0.2,
    random,
  );
  return { spots, truth };
}

const { spots, truth } = tissue();
const named = (type: Int32Array) => ({
  type,
  posterior: new Float32Array(N_CELLS).fill(0.9),
  margin: new Float32Array(N_CELLS).fill(0.8),
  names: [...NAMES],
});
const nameOf = (chosen: { type: Int32Array; names: string[] }, cell: number) =>
  chosen.names[chosen.type[cell]] ?? "Unknown";

describe("names checked against counts", () => {
  it("are kept, with evidence above 0, when their markers are present", async () => {
    const { chosen, evidence, takenBack } = await supportNames(named(truth), sets, spots, {
      signal,
    });
    expect(chosen.type).toEqual(truth);
    expect(takenBack).toEqual({});
    expect(evidence.reduce((a, b) => a + b, 0) / N_CELLS).toBeGreaterThan(1.5);
  });

  it("are replaced by the lineage whose markers are present, or removed when there are none", async () => {
    // A quarter of the T cells are called NK cells, another quarter smooth muscle.
    let next = 0;
    const wrong = truth.map((type) => (type === 0 ? [0, 2, 0, 3][next++ % 4] : type));
    const { chosen, takenBack } = await supportNames(named(wrong), sets, spots, { signal });
    expect(Object.keys(takenBack).toSorted()).toEqual(["NK cell", "Smooth muscle"]);
    wrong.forEach((type, cell) => {
      const expected = ["T cell", "Fibroblast", "Lymphocyte", "Unknown"][type];
      expect(nameOf(chosen, cell)).toBe(expected);
    });
    expect(chosen.margin[wrong.indexOf(3)]).toBe(0);
  });

  it("have a smaller lead when cells of another type are among them", async () => {
    const pure = (await supportNames(named(truth), sets, spots, { signal })).raised;
    // A third of the fibroblasts are called T cells.
    let next = 0;
    const mixed = truth.map((type) => (type === 1 && next++ % 3 === 0 ? 0 : type));
    const { chosen, raised } = await supportNames(named(mixed), sets, spots, { signal });
    const cell = truth.indexOf(0);
    expect(nameOf(chosen, cell)).toBe("T cell");
    expect(raised.lead[cell]).toBeLessThan(pure.lead[cell] - 0.1);
  });

  it("are removed in a spot without counts of their markers and kept elsewhere", async () => {
    // A spot of only T cells, which are called fibroblasts, as if because of their look.
    const wrong = truth.slice();
    wrong.fill(1, 0, PER_SPOT);
    const { chosen } = await supportNames(named(wrong), sets, spots, { signal });
    for (let cell = 0; cell < PER_SPOT; cell++) expect(nameOf(chosen, cell)).toBe("Unknown");
    const kept = chosen.type.filter((type, cell) => type === wrong[cell]);
    expect(kept.length).toBeGreaterThan(0.95 * (N_CELLS - PER_SPOT));
  });
});

it("estimates a group's relative rate of a gene from mixed spots", () => {
  const rates = relativeRates(spots, spotShares(spots, truth, 2), [
    0,
    MARKERS,
    NAMES.length * MARKERS,
  ]);
  const share = truth.filter((type) => type === 0).length / N_CELLS;
  // Both kinds have equal totals, so relative rates depend only on 2, 0.2, and the share.
  const known = 2 / (2 * share + 0.2 * (1 - share));
  expect(Math.abs(rates[0] / known - 1)).toBeLessThan(0.15);
  expect(rates[1]).toBeLessThan(0.5);
  expect(rates[2]).toBeLessThan(0.5);
  expect(Math.abs(rates[4] - 1)).toBeLessThan(0.1);
});

it("doubts types without a nucleus except where nucleated forms are common", () => {
  expect(hasNoNucleus("Erythroid", "brain")).toBe(true);
  expect(hasNoNucleus("Erythroid", "placenta")).toBe(false);
  // The spleen of a young mouse produces red blood cells.
  expect(hasNoNucleus("Erythroid", "lymphoid")).toBe(false);
  expect(hasNoNucleus("T cell", "brain")).toBe(false);
});
