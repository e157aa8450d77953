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
