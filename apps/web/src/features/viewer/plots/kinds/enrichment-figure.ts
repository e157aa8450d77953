import type { NeighborhoodEnrichment } from "@stipple/contract/statistical-facts";
import { axisX, axisY, cell, text } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { numberText } from "../figure/number-text.ts";
import { roomAbove, roomAtLeft, TURN_DEGREES } from "../figure/axis-room.ts";
import { drawPlot } from "../figure/draw-plot.ts";
import type { Figure } from "../figure/figure.ts";
import { notes } from "../figure/notes.ts";
import { divergingColors, inkOn } from "../figure/scales.ts";
import type { LookOf } from "../use-group-looks.ts";

const texts = plotTexts.enrichment;
/** Maximum width and minimum height of matrix cells, px. */
const WIDEST = 54;
const MIN_HIGH = 20;
/** Below this width a z-score would not fit in its cell. */
const MIN_FOR_TEXT = 32;
const NAMED_PAIRS = 3;
/** Smaller z-scores are chance. */
const NOTABLE_Z = 2;

/** z-scores of all pairs of types: orange = neighbors more often than expected by chance, purple = less often. */
export function enrichmentFigure(
  { types, zscore, count, permutations }: NeighborhoodEnrichment,
  testedCells: number,
  lookOf: LookOf,
): Figure {
  const names = types.map((type) => lookOf(type).name);
  const entries = names.flatMap((from, row) =>
    names.map((to, column) => {
      const z = zscore[row]![column] ?? null;
      return { from, to, row, column, z, edges: count[row]![column]! };
    }),
  );
  const farthest = entries.reduce((most, { z }) => Math.max(most, Math.abs(z ?? 0)), 0);
  const colors = divergingColors(farthest);
  const cells = entries.map((entry) => ({
    ...entry,
    text: texts.tip(
      entry.from,
      entry.to,
      entry.z === null ? texts.none : numberText(entry.z),
      entry.edges,
    ),
  }));
  const known = cells.filter(({ z }) => z !== null);

  return {
    title: texts.title,
    subtitle: texts.subtitle(plotTexts.tested(testedCells), permutations),
    summary: sentence(entries),
    leastWidth: 130 + 14 * types.length,
    draw(width, ground) {
      const fill = ({ z }: { z: number | null }): string => colors.of(z ?? Number.NaN, ground);
      const left = roomAtLeft(names, Math.max(80, width * 0.3));
      const above = roomAbove(names, 130);
      const side = Math.min(WIDEST, (width - left.margin - above.right) / types.length);
      const high = Math.max(MIN_HIGH, Math.min(side, 32));
      const labels = new Map(names.map((name, at) => [name, at]));
      const writes = side >= MIN_FOR_TEXT;
      return drawPlot({
        width,
        height: types.length * high + above.margin + 8,
        marginLeft: left.margin,
        marginRight: width - left.margin - side * types.length,
        marginTop: above.margin,
        marginBottom: 8,
        x: { type: "band", domain: names, padding: 0 },
        y: { type: "band", domain: names, padding: 0 },
        marks: [
          axisX({
            anchor: "top",
            tickFormat: (name: string) => above.labels[labels.get(name)!]!,
            tickRotate: TURN_DEGREES,
            textAnchor: "start",
            tickSize: 4,
            label: null,
          }),
          axisY({
            tickFormat: (name: string) => left.labels[labels.get(name)!]!,
            tickSize: 0,
            label: null,
          }),
          cell(known, { x: "to", y: "from", fill, inset: 0.5 }),
          ...(writes
            ? [
                text(known, {
                  x: "to",
                  y: "from",
                  text: ({ z }: { z: number }) => shortScore(z),
                  fill: (one: { z: number | null }) => inkOn(fill(one)),
                  fontSize: 10,
                }),
              ]
            : []),
          text(
            cells.filter(({ z }) => z === null),
            { x: "to", y: "from", text: () => "–" },
          ),
          notes(cells, { x: "to", y: "from", maxRadius: 40 }),
        ],
      });
    },
    legend: [
      {
        kind: "colors",
        label: texts.legend,
        scale: colors.scale,
        low: numberText(colors.low),
        middle: "0",
        high: numberText(colors.high),
      },
    ],
    table: {
      columns: texts.columns.map((name, at) => ({ name, kind: at < 2 ? "text" : "number" })),
      rows: entries.map(({ from, to, z, edges }) => [from, to, z, edges]),
    },
  };
}

function shortScore(z: number): string {
  const text = Math.abs(z) < 9.95 ? z.toFixed(1) : z.toFixed(0);
  return text === "-0.0" ? "0.0" : text.replace("-", "−");
}

function sentence(
  entries: readonly { from: string; to: string; row: number; column: number; z: number | null }[],
): string {
  // Each pair once, without self-pairs: that cells of the same type cluster is rarely news.
  const pairs = entries
    .filter(({ row, column, z }) => row < column && z !== null)
    .toSorted((a, b) => b.z! - a.z!);
  const named = (some: typeof pairs): string[] =>
    some.map(({ from, to, z }) => texts.pair(from, to, numberText(z!)));
  return texts.summary(
    named(pairs.filter(({ z }) => z! > NOTABLE_Z).slice(0, NAMED_PAIRS)),
    named(
      pairs
        .filter(({ z }) => z! < -NOTABLE_Z)
        .slice(-NAMED_PAIRS)
        .reverse(),
    ),
  );
}
