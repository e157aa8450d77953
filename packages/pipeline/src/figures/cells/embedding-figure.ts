import type { Matrix } from "@stipple/numerics/matrices";
import type { Figure } from "../figure.ts";
import { hollowGroups, lightened } from "../hollow-groups.ts";
import { legend, type LegendEntry } from "../legend.ts";
import { parseColor } from "../palette.ts";
import { Raster } from "../raster.ts";
import { round, svgText } from "../svg.ts";
import { Random } from "@stipple/numerics/random";
import { boxOf } from "@stipple/numerics/boxes";

const SIDE = 1500;
const FONT = 34;
const MARGIN = 40;
const TOP = 150;
const MAX_SHAPES = 5000;
/** More labels than this hide the plot. */
const MAX_LABELS = 40;
/** Groups with a smaller share of the cells get no label. */
const MIN_SHARE = 0.005;
/** Font size in px, letter width in em, and allowed label offsets from the densest spot, in lines. */
const LABEL = 28;
const LETTER = 0.58;
const LINES = [0, -1.1, 1.1, -2.2, 2.2];
/** Grid size for finding the densest spot of a group. */
const BINS = 30;

/**
 * Cells in an embedding (nCells × 2), colored by group and labeled where most of each group lies. Dots are
 * drawn in shuffled order so that group numbers do not decide which group hides another.
 */
export function embeddingFigure(
  embedding: Matrix<Float32Array>,
  groupOf: Int32Array,
  groups: readonly LegendEntry[],
  texts: { title: string; subtitle: string; legend: string; legendOrder: "size" | "given" },
): Figure {
  const { nRows } = embedding;
  const place = fitToSquare(embedding);
  const radius = Math.min(7, Math.max(1.1, 420 / Math.sqrt(Math.max(1, nRows))));
  const opacity = nRows > 20_000 ? 0.7 : 0.85;
  const raster = new Raster(SIDE, SIDE);
  const order = new Random(0).order(nRows);
  const colors = groups.map((group) => parseColor(group.color));
  // Smaller dots have no room for a ring, so the legend shows none either.
  const hollow = radius >= 2 ? hollowGroups(groups) : groups.map(() => false);
  const shapes: string[] | null = nRows <= MAX_SHAPES ? [] : null;
  for (const cell of order) {
    const color = colors[groupOf[cell]];
    if (!color) continue;
    const [x, y] = [place.x(cell), place.y(cell)];
    raster.fillDisc(x, y, radius, color, opacity);
    const ring = hollow[groupOf[cell]];
    if (ring) raster.fillDisc(x, y, 0.5 * radius, lightened(color));
    shapes?.push(
      ring
        ? `<circle cx="${round(x)}" cy="${round(y)}" r="${round(0.75 * radius)}" fill="rgb(${lightened(color).join()})" stroke="${groups[groupOf[cell]].color}" stroke-width="${round(0.5 * radius)}"/>`
        : `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${groups[groupOf[cell]].color}"/>`,
    );
  }
  const present = groups
    .map((group, index) => ({ ...group, hollow: hollow[index] }))
    .filter((group) => group.count > 0);
  if (texts.legendOrder === "size") present.sort((a, b) => b.count - a.count);
  const key = legend(present, texts.legend);
  const box = {
    x: MARGIN,
    y: TOP + SIDE + 2 * MARGIN,
    width: SIDE,
    height: key.heightIn(SIDE, FONT),
  };
  const labels = present.length > MAX_LABELS ? [] : islandLabels(place, nRows, groupOf, groups);
  return {
    widthPx: SIDE + 2 * MARGIN,
    heightPx: Math.round(box.y + box.height + MARGIN),
    layers: [
      {
        ...raster.layer(MARGIN, TOP),
        shapes: shapes
          ? `<g transform="translate(${MARGIN} ${TOP})" fill-opacity="${opacity}">\n${shapes.join("\n")}\n</g>`
          : undefined,
      },
      {
        kind: "vector",
        svg: [
          svgText(MARGIN, FONT * 1.8, texts.title, { size: FONT * 1.3, weight: 600 }),
          svgText(MARGIN, FONT * 3.3, texts.subtitle, { size: FONT * 0.85, color: "#46566a" }),
          axes(),
          ...labels,
          key.draw(box, FONT),
        ].join("\n"),
      },
    ],
  };
}

interface Placement {
  x(cell: number): number;
  y(cell: number): number;
}

/** Maps the embedding into the square with a margin; both axes have the same scale, and up is up. */
function fitToSquare({ data }: Matrix<Float32Array>): Placement {
  const { left, right, top, bottom } = boxOf(data);
  const scale = (SIDE * 0.92) / Math.max(right - left, bottom - top, 1e-6);
  const [cx, cy] = [(left + right) / 2, (top + bottom) / 2];
  return {
    x: (cell) => SIDE / 2 + (data[2 * cell] - cx) * scale,
    y: (cell) => SIDE / 2 - (data[2 * cell + 1] - cy) * scale,
  };
}

/**
 * Labels each group where most of it lies; a median would fall between the islands of a group that has several.
 * Larger groups are placed first. A label that would cover another is moved by a line or two, or left to the
 * legend, as are labels of small groups.
 */
function islandLabels(
  place: Placement,
  nCells: number,
  groupOf: Int32Array,
  groups: readonly LegendEntry[],
): string[] {
  const least = MIN_SHARE * groups.reduce((sum, group) => sum + group.count, 0);
  const densest = densestBins(place, nCells, groupOf, groups.length);
  const taken: { x: number; y: number; width: number }[] = [];
  return [...groups.keys()]
    .filter((index) => groups[index].count > 0 && groups[index].count >= least)
    .sort((a, b) => groups[b].count - groups[a].count)
    .flatMap((index) => {
      const { name } = groups[index];
      const peak = densest[index];
      const width = name.length * LABEL * LETTER;
      // A name centered on a group at the edge would be cut off there.
      const x = Math.min(
        SIDE - width / 2,
        Math.max(width / 2, ((peak % BINS) + 0.5) * (SIDE / BINS)),
      );
      const y = LINES.map(
        (line) => (Math.floor(peak / BINS) + 0.5) * (SIDE / BINS) + line * LABEL,
      ).find((own) =>
        taken.every(
          (other) =>
            Math.abs(other.y - own) >= LABEL || Math.abs(other.x - x) >= (other.width + width) / 2,
        ),
      );
      if (y === undefined) return [];
      taken.push({ x, y, width });
      return svgText(MARGIN + x, TOP + y + FONT * 0.3, name, {
        size: LABEL,
        weight: 600,
        anchor: "middle",
        halo: true,
      });
    });
}

/** For each group, the bin of the plane with the most cells in and around it. */
function densestBins(
  place: Placement,
  nCells: number,
  groupOf: Int32Array,
  nGroups: number,
): number[] {
  const bins = Array.from({ length: nGroups }, () => new Float64Array(BINS * BINS));
  for (let cell = 0; cell < nCells; cell++) {
    const column = Math.floor((place.x(cell) / SIDE) * BINS);
    const row = Math.floor((place.y(cell) / SIDE) * BINS);
    const counts = bins[groupOf[cell]];
    if (!counts) continue;
    for (let r = Math.max(0, row - 1); r <= Math.min(BINS - 1, row + 1); r++) {
      for (let c = Math.max(0, column - 1); c <= Math.min(BINS - 1, column + 1); c++) {
        counts[r * BINS + c] += 1;
      }
    }
  }
  return bins.map((counts) => counts.indexOf(counts.reduce((a, b) => Math.max(a, b))));
}

function axes(): string {
  const [x, y, length] = [MARGIN, TOP + SIDE, 150];
  const arrow = (dx: number, dy: number): string =>
    `<path d="M${x} ${y}l${dx} ${dy}" stroke="#0f1b2a" stroke-width="3" fill="none"/>`;
  return [
    arrow(length, 0),
    arrow(0, -length),
    svgText(x + length + 10, y + 8, "UMAP 1", { size: FONT * 0.7 }),
    `<g transform="translate(${x + 8} ${y - length - 10}) rotate(-90)">${svgText(0, 0, "UMAP 2", { size: FONT * 0.7 })}</g>`,
  ].join("\n");
}
