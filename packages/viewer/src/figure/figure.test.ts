import { expect, it } from "vitest";
import { FIRST_LAYERS } from "../choices.ts";
import { cellsSvg } from "./cells-svg.ts";
import { regionsSvg } from "./regions-svg.ts";
import { figureLayout, figureSvg, type Figure } from "./figure-svg.ts";
import { shortened } from "./text-width.ts";

const FIGURE: Figure = {
  title: "Brain <3>",
  subtitle: "A & B",
  widthPx: 800,
  heightPx: 600,
  raster: "data:image/png;base64,AAAA",
  shapes: "",
  labels: [{ name: "B & T", x: 10, y: 20 }],
  scaleBar: { widthPx: 100, text: "50 µm" },
  legend: [
    { kind: "groups", title: "Cell types", entries: [{ name: "T cell", color: "#112233" }] },
    { kind: "scale", title: "CD3E", note: "Inferred", low: "0", high: "≥ 12" },
  ],
  swipe: null,
  ground: true,
};

it("draws a figure with title, scale bar, groups, and color scale", () => {
  const svg = figureSvg(FIGURE);
  expect(svg).toContain("Brain &lt;3&gt;");
  expect(svg).toContain("A &amp; B");
  expect(svg).toContain("50 µm");
  expect(svg).toContain("B &amp; T");
  expect(svg).toContain(`fill="#112233"`);
  expect(svg).toContain("≥ 12");
  expect(svg).toContain("linearGradient");
  // Illustrator shows no picture with an href of SVG 2.
  expect(svg).toContain(` xmlns:xlink="http://www.w3.org/1999/xlink" `);
  expect(svg).toContain(` xlink:href="${FIGURE.raster}"`);
});

it("draws names over their light edges, also in programs without paint-order", () => {
  const names = figureSvg(FIGURE).match(/<text[^>]*>B &amp; T</g)!;
  expect(names.map((name) => name.includes("stroke"))).toEqual([true, false]);
});

it("shortens a title that is wider than the figure", () => {
  const [, shown = ""] =
    />(W+…)<\/text>/.exec(figureSvg({ ...FIGURE, title: "W".repeat(300) })) ?? [];
  expect(shown.length).toBeGreaterThan(60);
  expect(shown.length).toBeLessThan(100);
});

it("halves no letter of a long text, with which no plot could be saved as a picture", () => {
  for (const name of ["", "1"].map((first) => first + "🧬".repeat(80))) {
    expect(shortened(name, 300, 10)).toMatch(/🧬…$/);
  }
});

it("makes room for a legend next to the drawing, including a long one", () => {
  const { width, height, x, y } = figureLayout(FIGURE);
  expect(width).toBeGreaterThan(800 + x);
  expect(height).toBeGreaterThanOrEqual(600 + y);
  expect(figureLayout({ ...FIGURE, legend: [] }).width).toBeLessThan(width);
  const entries = Array.from({ length: 60 }, (_, at) => ({ name: `${at}`, color: "#000000" }));
  const long = figureLayout({ ...FIGURE, legend: [{ kind: "groups", title: "", entries }] });
  expect(long.height).toBeGreaterThan(60 * 18);
});

it("draws cells as outlines where available and as discs elsewhere, grouped by color", () => {
  const rgba = Uint8Array.from([10, 20, 30, 255, 10, 20, 30, 255, 1, 2, 3, 51]);
  const svg = cellsSvg(
    {
      cells: Uint32Array.of(0, 1, 2),
      rgba,
      layers: { ...FIRST_LAYERS, cellOpacity: 0.5 },
      shape: {
        length: 1,
        startIndices: Uint32Array.of(0, 4),
        xy: Float32Array.of(0, 0, 4, 0, 4, 4, 0, 0),
        cells: Uint32Array.of(1),
      },
      radiusPx: 3,
      toScreen: (x, y) => [10 * x, 10 * y],
      widthPx: 100,
      heightPx: 100,
    },
    Float32Array.of(1, 1, 2, 2, 3, 3),
    40,
  );
  expect(svg.match(/<circle/g)).toHaveLength(2);
  expect(svg).toContain("M0.0 0.0L40.0 0.0L40.0 40.0Z");
  expect(svg).toContain(`<g fill-opacity="0.100"><circle cx="30.0" cy="30.0" r="3.00"/></g>`);
  expect(svg.match(/fill="#0a141e"/g)).toHaveLength(1);
  expect(svg).toContain(`<rect x="40" width="60"`);
});

it("draws regions with their names, holes, and colors", () => {
  const square = (from: number, to: number) =>
    Float64Array.of(from, from, to, from, to, to, from, to);
  const shape = [[square(0, 10), square(4, 6)]];
  const region = { name: "Tumor <1>", shape, color: "#aa0000", excluded: false };
  const twice = (x: number, y: number): [number, number] => [2 * x, 2 * y];
  const svg = regionsSvg([region, { ...region, name: "Fold", excluded: true }], twice);
  expect(svg).toContain("<title>Tumor &lt;1&gt;</title>");
  expect(svg).toContain("M0.0 0.0L20.0 0.0L20.0 20.0L0.0 20.0ZM8.0 8.0L12.0 8.0");
  expect(svg.match(/fill-rule="evenodd"/g)).toHaveLength(5);
  expect(svg.match(/#3c3c3c/g)).toHaveLength(1);
  expect(svg).toContain(`stroke="#aa0000"`);
});
