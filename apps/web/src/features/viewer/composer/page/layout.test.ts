import { describe, expect, it } from "vitest";
import { ANNOTATION_KINDS } from "@stipple/contract/annotations";
import {
  lettersOf,
  newFigure,
  withLayout,
  withMoved,
  withoutPanel,
  withPanel,
  type FigurePanel,
} from "../figures.ts";
import { firstFreeName } from "../../state/free-names.ts";
import { fitted, pageLayout, pixelsOf, placedPanels, PT_PER_MM } from "./layout.ts";
import { pageSvg } from "./page-svg.ts";
import { framedPart, reachedDpi, viewFrame } from "./view-frame.ts";

const panel = (id: string, part: Partial<FigurePanel> = {}): FigurePanel => ({
  id,
  columns: 1,
  rows: 1,
  title: "",
  legend: "right",
  scaleBar: true,
  query: "",
  selection: null,
  drawing: { kind: "view", of: "tissue", x: 0, y: 0, zoom: 0, widthPx: 800, heightPx: 600 },
  ...part,
});
const figure = (...panels: FigurePanel[]) => withLayout(newFigure("Figure 1"), { panels });
const places = (of: ReturnType<typeof figure>) =>
  placedPanels(of).map(({ panel: { id }, row, column, columns }) => [id, row, column, columns]);

describe("the grid of a page", () => {
  it("fills rows in order, and gaps that wide panels leave", () => {
    const of = figure(panel("a"), panel("b", { columns: 2 }), panel("c"), panel("d", { rows: 2 }));
    expect(places(of)).toEqual([
      ["a", 0, 0, 1],
      ["b", 1, 0, 2],
      ["c", 0, 1, 1],
      ["d", 2, 0, 1],
    ]);
    expect([...lettersOf(of)]).toEqual([
      ["a", "A"],
      ["c", "B"],
      ["b", "C"],
      ["d", "D"],
    ]);
    expect([...lettersOf({ ...of, letters: "a" }).values()]).toEqual(["a", "b", "c", "d"]);
  });

  it("lets no panel be wider than the page, and none cover another", () => {
    const of = figure(panel("a", { columns: 6, rows: 2 }), panel("b"), panel("c"));
    const boxes = pageLayout(of).panels.map(({ box }) => box);
    for (const box of boxes) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(of.widthMm * PT_PER_MM + 1e-6);
      expect(box.y + box.height).toBeLessThanOrEqual(of.heightMm * PT_PER_MM + 1e-6);
    }
    const [a, b, c] = boxes;
    expect(b!.y).toBeGreaterThan(a!.y + a!.height);
    expect(c!.x).toBeGreaterThan(b!.x + b!.width);
  });

  it("leaves room for every panel, however low the page and however many its rows and columns", () => {
    const panels = Array.from({ length: 12 }, (_, at) => panel(`p${at}`, { rows: 1 + (at % 4) }));
    for (const columns of [1, 6]) {
      const of = { ...figure(...panels), columns, widthMm: 20, heightMm: 20 };
      for (const { box, body } of pageLayout(of).panels) {
        expect(Math.min(box.width, box.height, body.height)).toBeGreaterThan(0);
        expect(box.x + box.width).toBeLessThanOrEqual(20 * PT_PER_MM + 1e-6);
        expect(box.y + box.height).toBeLessThanOrEqual(20 * PT_PER_MM + 1e-6);
      }
    }
  });

  it("keeps the height of rows as panels come, move, grow, and go", () => {
    const two = figure(panel("a"), panel("b"));
    expect(two.heightMm).toBe(70);
    const four = withLayout(two, { panels: [...two.panels, panel("c"), panel("d")] });
    expect(four.heightMm).toBe(140);
    expect(withPanel(four, "a", { rows: 2 }).heightMm).toBe(210);
    expect(withoutPanel(withoutPanel(four, "c"), "d").heightMm).toBe(70);
    expect(withMoved(four, "c", -1).panels.map(({ id }) => id)).toEqual(["a", "c", "b", "d"]);
    expect(withMoved(four, "a", -1)).toBe(four);
  });
});

it("names figures that have no name yet", () => {
  expect(firstFreeName(["Figure 1", "Figure 3"], (number) => `Figure ${number}`)).toBe("Figure 2");
});

it("is a figure as the project keeps it", () => {
  const kept = figure(panel("a"));
  expect(ANNOTATION_KINDS.figure.parse(kept)).toEqual(kept);
  const bad = figure(panel(`"/><script>`));
  expect(ANNOTATION_KINDS.figure.safeParse(bad).success).toBe(false);
});

it("has its size in mm, its letters, and its bodies in the file", () => {
  const of = figure(panel("a"), panel("b"));
  const svg = pageSvg(of, pageLayout(of), new Map([["b", "<circle/>"]]));
  expect(svg).toContain(`width="174mm" height="70mm" viewBox="0 0 493.228 198.425"`);
  expect(svg).toContain(` xmlns:xlink="http://www.w3.org/1999/xlink" `);
  expect(svg).toMatch(/font-size="9" font-weight="700">A<\/text>.*>B<\/text>.*<circle\/>/);
  expect(pageSvg({ ...of, letters: "none" }, pageLayout(of), new Map())).not.toContain("<text");
});

it("converts mm to pixels of a resolution", () => {
  expect(pixelsOf(85, 300)).toBe(1004);
  expect(pixelsOf(174, 600)).toBe(4110);
  expect(pixelsOf(25.4, 300)).toBe(300);
});

it("fits a drawing without changing its shape", () => {
  expect(fitted({ width: 100, height: 50 }, { width: 50, height: 50 })).toEqual({
    width: 50,
    height: 25,
    scale: 0.5,
  });
});

describe("a view on the page", () => {
  const framed = { x: 50, y: 50, zoom: -1, widthPx: 400, heightPx: 200 };

  it("shows what the screen showed, and more where the panel is higher", () => {
    const view = { framed, width: 200, height: 200, dpi: 288 };
    expect(viewFrame(view)).toEqual({ widthPx: 400, heightPx: 400, pixels: 2 });
  });

  it("says which resolution the image has at this size", () => {
    const view = { framed, width: 200, height: 100, dpi: 288 };
    // A pixel of the image is half a CSS px: two pixels per CSS px are all it has.
    expect(reachedDpi(view)).toBe(288);
    expect(reachedDpi({ ...view, dpi: 576 })).toBe(288);
    expect(reachedDpi({ ...view, framed: { ...framed, zoom: 1 } })).toBe(72);
  });

  it("leaves out empty ground beside the data, and nothing of the data in view", () => {
    const extent = { minX: 0, minY: 0, maxX: 100, maxY: 1000 };
    expect(framedPart(framed, extent)).toEqual({
      x: 50,
      y: 125,
      zoom: -1,
      widthPx: 50,
      heightPx: 125,
    });
  });
});
