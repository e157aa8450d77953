import { expect, it } from "vitest";
import type { VectorLayer } from "../figure.ts";
import type { LegendEntry } from "../legend.ts";
import { compositionFigure } from "./composition-figure.ts";

const entries = (names: readonly string[]): LegendEntry[] =>
  names.map((name) => ({ name, color: "#336699", count: 2 }));

function figureOf(nClusters: number): { heightPx: number; svg: string } {
  const cells = Int32Array.from({ length: 2 * nClusters }, (_, cell) => cell);
  const { heightPx, layers } = compositionFigure(
    "cell",
    cells.map((cell) => cell % 2),
    entries(["T cell", "B cell"]),
    cells.map((cell) => cell >> 1),
    // The last is the largest.
    Array.from({ length: nClusters }, (_, cluster) => ({
      name: `c${cluster}`,
      color: "#336699",
      count: cluster === nClusters - 1 ? 3 : 2,
    })),
  );
  return { heightPx, svg: (layers[0] as VectorLayer).svg };
}

it("shows every cluster when there are few", () => {
  const { svg } = figureOf(12);
  expect(svg).toContain("24 cells in 12 clusters<");
  expect(svg).toContain(">c11<");
  expect(figureOf(1).svg).toContain("2 cells in 1 cluster<");
});

it("shows only the largest of hundreds of clusters, with a note, and stays small enough to display", () => {
  const { heightPx, svg } = figureOf(700);
  expect(svg).toContain("1,400 cells in 700 clusters; the 60 largest are shown<");
  expect(svg).toContain(">c58<");
  expect(svg).not.toContain(">c59<");
  expect(svg).toContain(">c699<");
  expect(heightPx).toBeLessThan(4000);
});

it("names types and clusters in full, apart from bars and numbers", () => {
  const types = ["positive", "negative"].map((of) => `naive thymus-derived CD4-${of} T cell`);
  const cluster = "Immune cells at the invasive margin of the tumor";
  const none = Int32Array.of(0, 0, 1);
  const figure = compositionFigure("cell", none, entries(types), none, entries([cluster, "1"]));
  const { svg } = figure.layers[0] as VectorLayer;
  for (const name of [...types, cluster]) expect(svg).toContain(`>${name}<`);
  const leftOf = (text: string): number =>
    Number(new RegExp(`<text x="(\\d+)[^>]*>${text}`).exec(svg)?.[1]);
  // Letters are about half as wide as high.
  expect(leftOf(cluster) - 14 * cluster.length).toBeGreaterThan(leftOf("2 .66.7%") + 14 * 9);
});

it("halves no letter of a name that is too long", () => {
  for (const first of ["", "1"]) {
    const names = entries([first + "🧬".repeat(80)]);
    const { layers } = compositionFigure("cell", Int32Array.of(0), names, Int32Array.of(0), names);
    expect((layers[0] as VectorLayer).svg).not.toContain("\ufffd");
  }
});
