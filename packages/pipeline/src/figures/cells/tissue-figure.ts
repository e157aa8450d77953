import type { Matrix, Polygons } from "@stipple/numerics/matrices";
import type { Figure, PictureLayer } from "../figure.ts";
import { colorBar } from "../color-bar.ts";
import { hollowGroups, lightened } from "../hollow-groups.ts";
import { legend, type LegendEntry } from "../legend.ts";
import { parseColor, viridis } from "../palette.ts";
import { tissueFrame } from "../tissue-frame.ts";
import { type TissuePanel, ringOnPanel } from "../tissue-panel.ts";
import { signedArea } from "@stipple/numerics/polygon-shape";
import { Raster, type Rgb } from "../raster.ts";
import { round } from "../svg.ts";

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

/** Editors cannot open an SVG file with more shapes than this in reasonable time. */
const MAX_SHAPES = 5000;
/** Outlines separate touching cells of the same color, where cells are large enough to show an outline. */
const OUTLINE_FROM_PX = 7;
/** Smaller cells have no room for both an outline and a pale interior. */
const HOLLOW_FROM_PX = 4;

/**
 * Draws each cell as its polygon, or as a dot if it has none, in the color returned by `colorOf` (null = not
 * drawn). Polygons are opaque so that their colors match the legend.
 */
function cellsLayer(
  panel: TissuePanel,
  x: number,
  y: number,
  cells: {
    polygons: Polygons;
    xy: Matrix;
    colorOf(cell: number): Rgb | null;
    /** Draw the cell as an outline with a pale interior. */
    hollow?(cell: number): boolean;
  },
): PictureLayer {
  const raster = new Raster(panel.widthPx, panel.heightPx);
  const nCells = cells.xy.nRows;
  const shapes: string[] | null = nCells <= MAX_SHAPES ? [] : null;
  for (let cell = 0; cell < nCells; cell++) {
    const color = cells.colorOf(cell);
    if (!color) continue;
    const ring = ringOnPanel(panel, cells.polygons, cell);
    if (ring.length < 6) {
      const cx = (cells.xy.data[2 * cell] - panel.x) * panel.scale;
      const cy = (cells.xy.data[2 * cell + 1] - panel.y) * panel.scale;
      const radius = Math.max(1, 4 / panel.micronsPerPixel);
      raster.fillDisc(cx, cy, radius, color);
      shapes?.push(
        `<circle cx="${round(cx)}" cy="${round(cy)}" r="${round(radius)}" fill="rgb(${color.join()})"/>`,
      );
      continue;
    }
    const size = Math.sqrt(Math.abs(signedArea(ring)));
    const hollow = cells.hollow?.(cell) ?? false;
    if (hollow && size >= HOLLOW_FROM_PX) {
      raster.fillPolygon(ring, color);
      raster.fillPolygon(shrunk(ring, 1 - Math.min(0.6, 5 / size)), lightened(color));
    } else if (size >= OUTLINE_FROM_PX) {
      raster.fillPolygon(ring, darker(color));
      raster.fillPolygon(shrunk(ring, 1 - 1.8 / size), color);
    } else {
      raster.fillPolygon(ring, color);
    }
    shapes?.push(
      hollow
        ? `<path d="${pathData(ring)}" fill="rgb(${lightened(color).join()})" stroke="rgb(${color.join()})" stroke-width="2"/>`
        : `<path d="${pathData(ring)}" fill="rgb(${color.join()})"/>`,
    );
  }
  return {
    ...raster.layer(x, y),
    shapes: shapes ? `<g transform="translate(${x} ${y})">\n${shapes.join("\n")}\n</g>` : undefined,
  };
}

function darker(color: Rgb): Rgb {
  return [color[0] * 0.62, color[1] * 0.62, color[2] * 0.62];
}

/** The ring scaled by `factor` toward the mean of its points. */
function shrunk(ring: Float32Array, factor: number): Float32Array {
  let [cx, cy] = [0, 0];
  for (let p = 0; p < ring.length; p += 2) {
    cx += ring[p];
    cy += ring[p + 1];
  }
  const n = ring.length / 2;
  const small = new Float32Array(ring.length);
  for (let p = 0; p < ring.length; p += 2) {
    small[p] = cx / n + (ring[p] - cx / n) * factor;
    small[p + 1] = cy / n + (ring[p + 1] - cy / n) * factor;
  }
  return small;
}

function pathData(ring: Float32Array): string {
  const points: string[] = [];
  for (let p = 0; p < ring.length; p += 2) points.push(`${round(ring[p])} ${round(ring[p + 1])}`);
  return `M${points.join("L")}Z`;
}
