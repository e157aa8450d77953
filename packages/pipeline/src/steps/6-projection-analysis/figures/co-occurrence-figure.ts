import type { Figure } from "../../../figures/figure.ts";
import { legend, legendWidth, type LegendEntry } from "../../../figures/legend.ts";
import { fitText, round, svgText } from "../../../figures/svg.ts";
import type { CoOccurrence } from "@stipple/contract/statistical-facts";

const FONT = 26;
const MARGIN = 40;
const TOP = 140;
const PANEL = { width: 520, height: 340, gapX: 110, gapY: 130 };
const COLUMNS = 3;
/** Panels and lines for more types are impossible to tell apart. */
const MAX_TYPES = 9;
/** Width of the legend, px. */
const LEGEND = { min: 580, max: 1400 };
/** Higher ratios are clipped to this value. */
const MAX_RATIO = 8;

/** One panel for each of the most frequent types: how much more likely each type is around it, by distance. */
export function coOccurrenceFigure(table: CoOccurrence, groups: readonly LegendEntry[]): Figure {
  const entryOf = new Map(groups.map((group) => [group.name, group]));
  const shown = typesWithPairs(table)
    .sort(
      (a, b) =>
        (entryOf.get(table.types[b])?.count ?? 0) - (entryOf.get(table.types[a])?.count ?? 0),
    )
    .slice(0, MAX_TYPES);
  const top = Math.min(
    MAX_RATIO,
    Math.max(2, ...shown.flatMap((i) => shown.flatMap((j) => table.occ[i][j].map((v) => v ?? 0)))),
  );
  const columns = Math.min(COLUMNS, Math.max(1, shown.length));
  const rows = Math.ceil(shown.length / columns);
  const parts = [
    svgText(MARGIN, FONT * 1.8, "Co-occurrence of cell types", { size: FONT * 1.4, weight: 600 }),
    svgText(
      MARGIN,
      FONT * 3.5,
      "How much more likely a type is within a given distance of the panel's type than overall (1 = no difference)",
      { size: FONT * 0.9, color: "#46566a" },
    ),
  ];
  const left = MARGIN + 60;
  shown.forEach((given, place) => {
    const x = left + (place % columns) * (PANEL.width + PANEL.gapX);
    const y = TOP + 40 + Math.floor(place / columns) * (PANEL.height + PANEL.gapY);
    parts.push(...panel(table, given, shown, entryOf, x, y, top));
  });
  const legendLeft = left + columns * (PANEL.width + PANEL.gapX) - 40;
  const height = rows * (PANEL.height + PANEL.gapY);
  const entries = shown.flatMap((type) => entryOf.get(table.types[type]) ?? []);
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const width = Math.min(LEGEND.max, Math.max(LEGEND.min, legendWidth(entries, total, FONT)));
  const box = { x: legendLeft, y: TOP, width, height: Math.max(height, 320) };
  parts.push(legend(entries, "Nearby type", total).draw(box, FONT));
  return {
    widthPx: Math.ceil(Math.max(legendLeft + width + MARGIN, 1500)),
    heightPx: Math.ceil(TOP + Math.max(height, 360) + MARGIN),
    layers: [{ kind: "vector", svg: parts.join("\n") }],
  };
}

/** Types with a pair of tested cells; others have no ratios. */
export function typesWithPairs({ types, occ }: CoOccurrence): number[] {
  return [...types.keys()].filter((type) => occ[type][type].some((value) => value !== null));
}

/** A type's name, broken at a space if it is too long for one line. */
function titleLines(name: string): string[] {
  const shortened = fitText(name, FONT, PANEL.width);
  const space = shortened === name ? -1 : shortened.lastIndexOf(" ");
  return space < 0 ? [name] : [name.slice(0, space), name.slice(space + 1)];
}

function panel(
  { types, intervalUm, occ }: CoOccurrence,
  given: number,
  shown: readonly number[],
  entryOf: ReadonlyMap<string, LegendEntry>,
  left: number,
  top: number,
  most: number,
): string[] {
  const farthest = intervalUm[intervalUm.length - 1];
  const x = (um: number): number => left + (PANEL.width * um) / farthest;
  const y = (value: number): number =>
    top + PANEL.height * (1 - Math.min(most, Math.max(0, value)) / most);
  const line = (x0: number, y0: number, x1: number, y1: number, style: string): string =>
    `<path d="M${round(x0)} ${round(y0)}L${round(x1)} ${round(y1)}" ${style}/>`;
  const axis = 'stroke="#0f1b2a" stroke-width="2" fill="none"';
  const ticks = Array.from({ length: Math.floor(most) + 1 }, (_, value) => value).filter(
    (value) => most <= 4 || value % 2 === 0 || value === 1,
  );
  const parts = [
    ...titleLines(types[given]).map((text, at, { length }) =>
      svgText(left, top - 18 - 1.2 * FONT * (length - 1 - at), fitText(text, FONT, PANEL.width), {
        size: FONT,
        weight: 600,
      }),
    ),
    line(left, top, left, top + PANEL.height, axis),
    line(left, top + PANEL.height, left + PANEL.width, top + PANEL.height, axis),
    line(
      left,
      y(1),
      left + PANEL.width,
      y(1),
      'stroke="#8795a5" stroke-width="2" stroke-dasharray="6 6"',
    ),
    ...ticks.map((value) =>
      svgText(
        left - 12,
        y(value) + FONT * 0.3,
        value === MAX_RATIO ? `≥ ${value}` : String(value),
        {
          size: FONT * 0.8,
          anchor: "end",
        },
      ),
    ),
    ...[0, 0.5, 1].map((share) =>
      svgText(
        x(share * farthest),
        top + PANEL.height + FONT * 1.2,
        `${share * farthest}${share === 1 ? " µm" : ""}`,
        {
          size: FONT * 0.8,
          anchor: "middle",
        },
      ),
    ),
  ];
  // Draw the panel's own type last, with a thicker line.
  for (const type of [...shown.filter((other) => other !== given), given]) {
    const points = occ[type][given].flatMap((value, step) =>
      value === null ? [] : [`${round(x(intervalUm[step + 1]))} ${round(y(value))}`],
    );
    if (points.length < 2) continue;
    const color = entryOf.get(types[type])?.color ?? "#8795a5";
    parts.push(
      `<path d="M${points.join("L")}" fill="none" stroke="${color}" stroke-width="${type === given ? 6 : 3.5}" stroke-linejoin="round"/>`,
    );
  }
  return parts;
}
