import { expect, it } from "vitest";
import { svgOf } from "../figure.ts";
import { embeddingFigure } from "./embedding-figure.ts";

it("keeps the names of groups at the edges inside the figure", async () => {
  const names = ["Plasmacytoid dendritic cell", "T cell", "Pancreatic tumor epithelial"];
  const embedding = { nRows: 3, nCols: 2, data: Float32Array.of(0, 0, 5, 5, 10, 10) };
  const figure = embeddingFigure(
    embedding,
    Int32Array.of(0, 1, 2),
    names.map((name) => ({ name, color: "#0072B2", count: 1 })),
    { title: "Cell types", subtitle: "", legend: "", legendOrder: "given" },
  );
  const svg = await svgOf(figure);
  for (const name of names) {
    const label = new RegExp(`<text x="([\\d.-]+)"[^>]*text-anchor="middle"[^>]*>${name}<`);
    const x = Number(label.exec(svg)?.[1]);
    // A letter of this font is at most 0.6 em wide.
    const half = (name.length * 28 * 0.6) / 2;
    expect(x - half).toBeGreaterThan(0);
    expect(x + half).toBeLessThan(figure.widthPx);
  }
});

it("has rings in its legend only where its dots have room for them", () => {
  const groups = Array.from({ length: 13 }, (_, at) => ({
    name: `${at}`,
    color: "#0072B2",
    count: 100 - at,
  }));
  const ringsOf = (nRows: number): number => {
    const { layers } = embeddingFigure(
      { nRows, nCols: 2, data: new Float32Array(2 * nRows) },
      new Int32Array(nRows),
      groups,
      { title: "Clusters", subtitle: "", legend: "", legendOrder: "given" },
    );
    const [svg] = layers.flatMap((layer) => (layer.kind === "vector" ? layer.svg : []));
    return svg.match(/<circle[^>]*fill="none"/g)?.length ?? 0;
  };
  expect([ringsOf(100), ringsOf(50_000)]).toEqual([1, 0]);
});
