import type { NeighborhoodEnrichment } from "@stipple/contract/statistical-facts";
import { cell, text } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { numberText } from "../figure/number-text.ts";
import { columnsOf, type Figure } from "../figure/figure.ts";
import { drawMatrix } from "../figure/draw-matrix.ts";
import { colorPart } from "../figure/legend.ts";
import { notes } from "../figure/marks.ts";
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
      const edges = count[row]![column]!;
      const tip = texts.tip(from, to, z === null ? texts.none : numberText(z), edges);
      return { from, to, row, column, z, edges, text: tip };
    }),
  );
  const farthest = entries.reduce((most, { z }) => Math.max(most, Math.abs(z ?? 0)), 0);
  const colors = divergingColors(farthest);
  const known = entries.filter(({ z }) => z !== null);

  return {
    title: texts.title,
    subtitle: texts.subtitle(plotTexts.tested(testedCells), permutations),
    summary: sentence(entries),
    minWidth: 130 + 14 * types.length,
    draw(width, ground) {
      const fill = ({ z }: { z: number | null }): string => colors.of(z ?? Number.NaN, ground);
      const most = Math.max(80, width * 0.3);
      return drawMatrix(width, { names, most }, { names, most: 130, widest: WIDEST }, (side) => ({
        rowHeight: Math.max(MIN_HIGH, Math.min(side, 32)),
        marks: [
          cell(known, { x: "to", y: "from", fill, inset: 0.5 }),
          text(side >= MIN_FOR_TEXT ? known : [], {
            x: "to",
            y: "from",
            text: ({ z }: { z: number }) => shortScore(z),
            fill: (one: { z: number | null }) => inkOn(fill(one)),
            fontSize: 10,
          }),
          text(
            entries.filter(({ z }) => z === null),
            { x: "to", y: "from", text: () => "–" },
          ),
          notes(entries, { x: "to", y: "from", maxRadius: 40 }),
        ],
      }));
    },
    legend: [colorPart(texts.legend, colors)],
    table: {
      columns: columnsOf(texts.columns, { 0: "text", 1: "text" }),
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
