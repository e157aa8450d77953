import type { Matrix, Polygons } from "@stipple/numerics/matrices";
import type { Figure } from "../figure.ts";
import { colorBar } from "../color-bar.ts";
import { hollowGroups } from "../hollow-groups.ts";
import { legend, type LegendEntry } from "../legend.ts";
import { parseColor, viridis } from "../palette.ts";
import { cellsLayer } from "./cells-layer.ts";
import { tissueFrame } from "../tissue-frame.ts";
import type { TissuePanel } from "../tissue-panel.ts";

export interface CellShapes {
  polygons: Polygons;
  xy: Matrix;
}

/**
 * Every cell in its group's color over the faded tissue, with a legend that includes counts and a scale bar.
 */
export function groupsOnTissue(
  panel: TissuePanel,
  cells: CellShapes,
  groupOf: Int32Array,
  groups: readonly LegendEntry[],
  texts: { title: string; subtitle: string; legend: string },
): Figure {
  const colors = groups.map((group) => parseColor(group.color));
  const hollow = hollowGroups(groups);
  const present = groups
    .map((group, index) => ({ ...group, hollow: hollow[index] }))
    .filter((group) => group.count > 0)
    .sort((a, b) => b.count - a.count);
  return tissueFrame(
    panel,
    texts,
    (x, y) =>
      cellsLayer(panel, x, y, {
        ...cells,
        colorOf: (cell) => colors[groupOf[cell]] ?? null,
        hollow: (cell) => hollow[groupOf[cell]] ?? false,
      }),
    legend(present, texts.legend),
  );
}

/** Every cell colored by a value: viridis from 0 to the 99th percentile. */
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
    colorBar(texts.unit, top),
  );
}
