import { describe, expect, it } from "vitest";
import { colorBar } from "./color-bar.ts";
import type { Figure } from "./figure.ts";
import { legend, legendWidth } from "./legend.ts";
import { tissueFrame } from "./tissue-frame.ts";
import type { TissuePanel } from "./tissue-panel.ts";

function panelOf(widthPx: number, heightPx: number): TissuePanel {
  const background = new Uint8Array(widthPx * heightPx * 3);
  const side = { width: widthPx, height: heightPx };
  return { x: 0, y: 0, ...side, widthPx, heightPx, scale: 1, micronsPerPixel: 1, background };
}

const entries = (n: number) =>
  Array.from({ length: n }, (_, i) => ({
    name: i === 0 ? "Hematopoietic progenitor" : `Type ${i}`,
    color: "#123456",
    count: 12_345,
  }));

function frame(panel: TissuePanel, nTypes: number): Figure {
  return tissueFrame(
    panel,
    { title: "Title", subtitle: "Subtitle" },
    (x, y) => ({
      kind: "picture",
      x,
      y,
      widthPx: panel.widthPx,
      heightPx: panel.heightPx,
      channels: 4,
      pixels: new Uint8Array(0),
    }),
    nTypes > 0 ? legend(entries(nTypes), "Cell type") : colorBar("Rate", 3),
  );
}

/** Position, size, and right edge of every text, px; a letter is about 0.5 em wide. */
function textsOf(figure: Figure) {
  const svg = figure.layers.map((layer) => (layer.kind === "vector" ? layer.svg : "")).join("");
  const pattern =
    /<text x="([\d.]+)" y="([\d.]+)"[^>]*font-size="([\d.]+)"[^>]*anchor="(\w+)"[^>]*>([^<]*)/g;
  return [...svg.matchAll(pattern)].map(([, x, y, size, anchor, text]) => {
    const width = 0.5 * Number(size) * text.length;
    const left = Number(x) - { start: 0, middle: width / 2, end: width }[anchor as "start"];
    return { text, size: Number(size), y: Number(y), left, right: left + width };
  });
}

describe.each([
  ["wide", panelOf(720, 480)],
  ["square", panelOf(600, 600)],
  ["narrow", panelOf(360, 720)],
])("a figure of %s tissue", (_, panel) => {
  it("has the tissue at the same place and the same width for any key", () => {
    const [few, many, bar] = [4, 15, 0].map((nTypes) => frame(panel, nTypes));
    for (const figure of [many, bar]) {
      expect(figure.widthPx).toBe(few.widthPx);
      expect(figure.layers.slice(0, 2)).toMatchObject(
        few.layers.slice(0, 2).map((layer) => ("x" in layer ? { x: layer.x, y: layer.y } : {})),
      );
    }
  });

  it("says where the tissue and the key are, apart from each other", () => {
    const { parts, layers, widthPx, heightPx } = frame(panel, 15);
    const { tissue, key } = parts!;
    expect(key.left >= tissue.left + tissue.width || key.top > tissue.top + tissue.height).toBe(
      true,
    );
    expect(Math.max(key.left + key.width, key.top + key.height)).toBeLessThanOrEqual(1);
    const [ground] = layers.filter((layer) => layer.kind === "picture");
    expect([tissue.left * widthPx, tissue.top * heightPx]).toEqual([
      expect.closeTo(ground.x),
      expect.closeTo(ground.y),
    ]);
    expect([tissue.width * widthPx, tissue.height * heightPx]).toEqual([
      expect.closeTo(ground.widthPx),
      expect.closeTo(ground.heightPx),
    ]);
  });

  it.each([0, 1, 4, 15, 31])("keeps all texts of %i types readable and within the figure", (n) => {
    const figure = frame(panel, n);
    const texts = textsOf(figure);
    expect(texts.length).toBeGreaterThanOrEqual(3 + 2 * n);
    for (const { left, right, y } of texts) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(figure.widthPx);
      expect(y).toBeLessThanOrEqual(figure.heightPx);
    }
    if (n > 0) expect(texts.map(({ text }) => text)).toContain("Hematopoietic progenitor");
  });
});

it("sizes text for a page that shows the figure 480 px wide", () => {
  const [square, narrow] = [panelOf(2400, 2400), panelOf(1200, 2400)];
  for (const panel of [square, narrow]) {
    const figure = frame(panel, 15);
    const smallest = Math.min(...textsOf(figure).map(({ size }) => size));
    expect((480 * smallest) / figure.widthPx).toBeGreaterThan(8);
  }
});

it("names types in full in a key below the tissue, with fewer columns for long names", () => {
  const names = ["CD4", "CD8"].map((of) => `effector memory ${of}-positive, alpha-beta T cell`);
  const key = legend(
    names.map((name) => ({ name, color: "#123456", count: 12_345 })),
    "Cell type",
  );
  const svg = key.draw({ x: 0, y: 0, width: 4200, height: key.heightIn(4200, 100) }, 100);
  for (const name of names) expect(svg).toContain(`>${name}<`);
});

it("shows the longest name of a legend in full where it just fits", () => {
  for (let letters = 16; letters < 40; letters++) {
    const entry = { name: "n".repeat(letters), color: "#123456", count: 1234 };
    const width = legendWidth([entry], 9000, 26);
    const box = { x: 0, y: 0, width, height: 500 };
    expect(legend([entry], "Cell type", 9000).draw(box, 26)).toContain(`>${entry.name}<`);
  }
});
