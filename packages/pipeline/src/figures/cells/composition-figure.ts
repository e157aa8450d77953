import { counted } from "@stipple/contract/counted";
import { markupText } from "@stipple/contract/markup";
import type { Figure } from "../figure.ts";
import type { LegendEntry } from "../legend.ts";
import { fitText, round, svgText, widest } from "../svg.ts";
import type { RowNoun } from "../../model/row-noun.ts";

const FONT = 28;
const MARGIN = 40;
const TOP = 130;
/** Longest name of a type or cluster. */
const MAX_NAME = 900;
const BARS = 760;
const NUMBERS = 340;
const STACK = 760;
const ROW = 52;
/** Nobody compares more rows than this, and many programs cannot show an image with hundreds of rows. */
const MAX_CLUSTERS = 60;

/**
 * Proportions of the cell types overall and within each cluster; only the largest clusters if there are many.
 */
export function compositionFigure(
  noun: RowNoun,
  typeOf: Int32Array,
  types: readonly LegendEntry[],
  clusterOf: Int32Array,
  clusters: readonly LegendEntry[],
): Figure {
  const order = types
    .map((_, type) => type)
    .filter((type) => types[type].count > 0)
    .sort((a, b) => types[b].count - types[a].count);
  const table = new Float64Array(clusters.length * types.length);
  for (let cell = 0; cell < typeOf.length; cell++) {
    const [cluster, type] = [clusterOf[cell], typeOf[cell]];
    if (cluster >= 0 && type >= 0) table[cluster * types.length + type] += 1;
  }
  const shown = [...clusters.keys()]
    .sort((a, b) => clusters[b].count - clusters[a].count || a - b)
    .slice(0, MAX_CLUSTERS)
    .sort((a, b) => a - b);
  const rows = Math.max(order.length, shown.length);
  const which = shown.length < clusters.length ? `; the ${shown.length} largest are shown` : "";
  const left = MARGIN + roomFor(order.map((type) => types[type].name));
  const stackLeft = left + BARS + NUMBERS + roomFor(shown.map((cluster) => clusters[cluster].name));
  return {
    widthPx: stackLeft + STACK + MARGIN,
    heightPx: TOP + 70 + rows * ROW + MARGIN,
    layers: [
      {
        kind: "vector",
        svg: [
          svgText(MARGIN, FONT * 1.8, "Cell type composition", { size: FONT * 1.4, weight: 600 }),
          svgText(
            MARGIN,
            FONT * 3.4,
            `${counted(typeOf.length, noun)} in ${counted(clusters.length, "cluster")}${which}`,
            { size: FONT * 0.9, color: "#46566a" },
          ),
          ...overall(`All ${noun}s`, types, order, typeOf.length, left),
          ...byCluster(table, types, order, clusters, shown, stackLeft),
        ].join("\n"),
      },
    ],
  };
}

function roomFor(names: readonly string[]): number {
  return Math.ceil(Math.min(MAX_NAME, widest(names, FONT))) + 20;
}

function nameBeside(left: number, baseline: number, name: string): string {
  const style = { size: FONT, anchor: "end" } as const;
  return svgText(left - 16, baseline, fitText(name, FONT, MAX_NAME), style);
}

function overall(
  title: string,
  types: readonly LegendEntry[],
  order: readonly number[],
  total: number,
  left: number,
): string[] {
  const longest = Math.max(1, ...order.map((type) => types[type].count));
  return [
    svgText(left, TOP + 20, title, { size: FONT, weight: 600 }),
    ...order.flatMap((type, row) => {
      const { name, color, count } = types[type];
      const top = TOP + 50 + row * ROW;
      const width = (BARS * count) / longest;
      const baseline = top + ROW * 0.58;
      return [
        nameBeside(left, baseline, name),
        `<rect x="${left}" y="${top}" width="${round(Math.max(1, width))}" height="${ROW * 0.76}" rx="4" fill="${color}"/>`,
        svgText(
          left + width + 14,
          baseline,
          `${count.toLocaleString("en-US")} (${((100 * count) / Math.max(1, total)).toFixed(1)}%)`,
          { size: FONT * 0.9, color: "#46566a" },
        ),
      ];
    }),
  ];
}

function byCluster(
  table: Float64Array,
  types: readonly LegendEntry[],
  order: readonly number[],
  clusters: readonly LegendEntry[],
  shown: readonly number[],
  left: number,
): string[] {
  const parts = [svgText(left, TOP + 20, "Within each cluster", { size: FONT, weight: 600 })];
  shown.forEach((cluster, row) => {
    const top = TOP + 50 + row * ROW;
    const total = order.reduce((sum, type) => sum + table[cluster * types.length + type], 0);
    parts.push(nameBeside(left, top + ROW * 0.58, clusters[cluster].name));
    let x = left;
    for (const type of order) {
      const width = (STACK * table[cluster * types.length + type]) / Math.max(1, total);
      if (width > 0) {
        parts.push(
          `<rect x="${round(x)}" y="${top}" width="${round(width)}" height="${ROW * 0.76}" fill="${types[type].color}"><title>${markupText(types[type].name)}</title></rect>`,
        );
      }
      x += width;
    }
  });
  return parts;
}
