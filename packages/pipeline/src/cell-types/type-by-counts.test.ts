import type { SparseMatrix } from "@stipple/numerics/matrices";
import { expect, it } from "vitest";
import { MARKER_SETS } from "../markers/index.ts";
import { drawCells } from "./testing/draw-cells.ts";
import { typeByCounts } from "./type-by-counts.ts";

/** What a rendered breast holds, by cells in a hundred. */
const BREAST: Record<string, number> = {
  "Luminal epithelial": 40,
  Myoepithelial: 10,
  Fibroblast: 25,
  Macrophage: 15,
  "T cell": 10,
};
const UMIS = 20;
const setOf = (name: string) => MARKER_SETS.find((set) => set.name === name)!;
/** A panel that lists markers of the breast and of the brain, which has many more types. */
const PANEL = [
  ...new Set(
    [
      ...Object.keys(BREAST),
      ...MARKER_SETS.filter(({ tissues }) => tissues.includes("brain")).map(({ name }) => name),
    ].flatMap((name) => setOf(name).markers.slice(0, 12)),
  ),
];

/** Cells with few counts, whose genes follow the catalog. */
function cellsOf(names: readonly string[]): SparseMatrix {
  const rates = names.map((name) => {
    const own = new Set(setOf(name).markers);
    return PANEL.map((gene) => (own.has(gene) ? 8 : 1));
  });
  return drawCells(rates, UMIS);
}

it("finds the tissue of cells with few counts, and the types that it has", async () => {
  const names = Array.from({ length: 8 }, () =>
    Object.entries(BREAST).flatMap(([name, cells]) => Array.from({ length: cells }, () => name)),
  ).flat();
  const sample = {
    counts: cellsOf(names),
    symbols: PANEL,
    species: "human",
    nucleated: true,
    looks: null,
  } as const;
  const rightOf = (typed: NonNullable<Awaited<ReturnType<typeof typeByCounts>>>): number => {
    const width = typed.types.length + 1;
    const right = names.filter((name, cell) => {
      const own = typed.posterior.subarray(cell * width, (cell + 1) * width);
      return typed.types[own.indexOf(Math.max(...own))]?.name === name;
    });
    return right.length / names.length;
  };
  const typed = (await typeByCounts(sample, {}))!;
  expect(typed.tissue).toBe("breast");
  expect(rightOf(typed)).toBeGreaterThan(0.7);
  // A given tissue is taken as it is, even a wrong one.
  const asBrain = (await typeByCounts({ ...sample, tissue: "brain" }, {}))!;
  expect(asBrain.tissue).toBe("brain");
  expect(rightOf(asBrain)).toBeLessThan(rightOf(typed) - 0.1);
});

it("has no types if the catalog knows none of the genes", async () => {
  const counts = cellsOf(["Fibroblast"]);
  const symbols = PANEL.map((_, gene) => `NOT-A-GENE-${gene}`);
  const sample = { counts, symbols, species: "human", nucleated: true, looks: null } as const;
  expect(await typeByCounts(sample, {})).toBeNull();
});
