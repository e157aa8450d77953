import type { Matrix, Polygons } from "../../../fields.ts";
import type { Figure } from "../../../figures/figure.ts";
import { svgLegend, type LegendEntry } from "../../../figures/legend.ts";
import { parseColor, viridis } from "../../../figures/palette.ts";
import { round, svgText } from "../../../figures/svg.ts";
import { cellsLayer } from "./cells-layer.ts";
import { tissueFrame } from "../../../figures/tissue-frame.ts";
import type { TissuePanel } from "../../../figures/tissue-panel.ts";

export interface CellShapes {
  polygons: Polygons;
  xy: Matrix;
}

/** Every cell in the colour of its group, over the faded tissue, with a legend of counts and a scale bar. */
export function groupsOnTissue(
  panel: TissuePanel,
  cells: CellShapes,
  groupOf: Int32Array,
  groups: readonly LegendEntry[],
  texts: { title: string; subtitle: string; legend: string },
): Figure {
  const colors = groups.map((group) => parseColor(group.color));
  const present = groups.filter((group) => group.count > 0).sort((a, b) => b.count - a.count);
  return tissueFrame(
    panel,
    texts,
    (x, y) =>
      cellsLayer(panel, x, y, { ...cells, colorOf: (cell) => colors[groupOf[cell]] ?? null }),
    (box, font) => svgLegend(present, box, texts.legend, font),
  );
}

/** Every cell in the colour of a value, on viridis from 0 to the 99th percentile. */
export function valuesOnTissue(
  panel: TissuePanel,
  cells: CellShapes,
  values: Float32Array,
  texts: { title: string; subtitle: string; unit: string },
): Figure {
  const sorted = values.toSorted();
  const top = sorted[Math.floor((sorted.length - 1) * 0.99)] || sorted.at(-1) || 1;
  return tissueFrame(
    panel,
    texts,
    (x, y) => cellsLayer(panel, x, y, { ...cells, colorOf: (cell) => viridis(values[cell] / top) }),
    (box, font) => colorBar(box, font, texts.unit, top),
  );
}

function colorBar(
  box: { x: number; y: number; height: number },
  font: number,
  unit: string,
  top: number,
): string {
  const height = Math.min(box.height * 0.5, font * 18);
  const barTop = box.y + font * 2;
  const stops = Array.from({ length: 11 }, (_, i) => {
    const [r, g, b] = viridis(1 - i / 10);
    return `<stop offset="${i * 10}%" stop-color="rgb(${r},${g},${b})"/>`;
  });
  const ticks = [0, 0.5, 1].map((fraction) =>
    svgText(
      box.x + font * 1.8,
      barTop + height * (1 - fraction) + font * 0.35,
      `${fraction === 1 ? "≥ " : ""}${Number((top * fraction).toPrecision(2))}`,
      { size: font * 0.9 },
    ),
  );
  return [
    `<defs><linearGradient id="viridis" x1="0" y1="0" x2="0" y2="1">${stops.join("")}</linearGradient></defs>`,
    svgText(box.x, box.y + font, unit, { size: font, weight: 600 }),
    `<rect x="${box.x}" y="${round(barTop)}" width="${round(font * 1.2)}" height="${round(height)}" fill="url(#viridis)"/>`,
    ...ticks,
  ].join("\n");
}
