import type { LigandReceptorTable } from "@stipple/contract/statistical-facts";
import { dot, gridX, gridY } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { numberText } from "../figure/number-text.ts";
import { columnsOf, type Figure } from "../figure/figure.ts";
import { drawMatrix } from "../figure/draw-matrix.ts";
import { TYPE } from "../figure/draw-plot.ts";
import { colorPart } from "../figure/legend.ts";
import { notes } from "../figure/marks.ts";
import { sequentialColors } from "../figure/scales.ts";
import { shortened } from "@stipple/viewer/figure";
import { quantile } from "@stipple/numerics/quantile";
import type { LookOf } from "../use-group-looks.ts";

const texts = plotTexts.ligands;
export const SIGNIFICANT = 0.05;
const ROW = 21;
const COLUMN = 20;
/** Permutation p-values have a floor; everything at the floor looks the same. */
const MAX_STARS = 4;
const RADIUS = 8;
/** A few adhesion molecules score far above the rest, so the color scale ends at this quantile. */
const COLOR_QUANTILE = 0.9;
const MIN_LEFT = 170;
/** Maximum width of type names above the columns, px. */
const LONGEST_TYPE = 120;

export interface LigandChoices {
  /** Names as in the analysis; null = all. */
  sender: string | null;
  receiver: string | null;
  significantOnly: boolean;
  mostPairs: number;
}

/** Rows of the table that match the choices, most significant first, then by z-score. */
export function chosenPairs(
  table: LigandReceptorTable,
  { sender, receiver, significantOnly }: Omit<LigandChoices, "mostPairs">,
): number[] {
  return table.ligand
    .map((_, row) => row)
    .filter(
      (row) =>
        (sender === null || table.sender[row] === sender) &&
        (receiver === null || table.receiver[row] === receiver) &&
        (!significantOnly || table.fdr[row]! < SIGNIFICANT),
    )
    .toSorted(
      (a, b) =>
        table.fdr[a]! - table.fdr[b]! ||
        (table.zscore[b] ?? -Infinity) - (table.zscore[a] ?? -Infinity) ||
        table.score[b]! - table.score[a]!,
    );
}

/** Pairs × sender and receiver: size = −log10 FDR, color = score. Null when nothing matches the choices. */
export function ligandsFigure(
  table: LigandReceptorTable,
  choices: LigandChoices,
  lookOf: LookOf,
): Figure | null {
  const fitting = chosenPairs(table, choices);
  if (fitting.length === 0) return null;
  const entries = fitting.map((row) => entryOf(table, row, lookOf));
  const rows = [...new Set(entries.map(({ pair }) => pair))].slice(0, choices.mostPairs);
  const dots = entries.filter(({ pair }) => rows.includes(pair));
  const columns = [...new Set(dots.map(({ types }) => types))].toSorted();
  const scores = dots.map(({ score }) => score).toSorted((a, b) => a - b);
  const high = quantile(scores, COLOR_QUANTILE);
  const colors = sequentialColors(high);
  const best = entries[0]!;
  return {
    title: texts.title,
    subtitle: texts.subtitle(table.testedPairs, table.knownPairs, table.permutations),
    summary: texts.summary(
      fitting.length,
      table.ligand.length,
      texts.best(best.pair, best.types, numberText(best.fdr)),
    ),
    minWidth: MIN_LEFT + COLUMN * columns.length,
    draw: (width, ground) =>
      drawn(dots, rows, columns, width, ({ score }) => colors.of(score, ground)),
    legend: [
      colorPart(texts.color, colors, `${scores.at(-1)! > high ? "≥ " : ""}${numberText(high)}`),
      {
        kind: "sizes",
        title: texts.size,
        sizes: [0, 1, 2, MAX_STARS].map((stars) => ({
          radius: 1.5 + ((RADIUS - 1.5) * stars) / MAX_STARS,
          label: stars === MAX_STARS ? `≥ ${stars}` : `${stars}`,
        })),
      },
      { kind: "sign", sign: "ring", text: texts.outlined },
    ],
    table: {
      columns: columnsOf(texts.columns, { 0: "gene", 1: "gene", 2: "text", 3: "text" }),
      rows: entries.map(({ row, between, score, fdr }) => [
        table.ligand[row]!,
        table.receptor[row]!,
        ...between,
        score,
        table.mean[row]!,
        table.zscore[row] ?? null,
        table.pvalue[row]!,
        fdr,
        table.edges[row]!,
      ]),
    },
  };
}

type Entry = ReturnType<typeof entryOf>;

function entryOf(table: LigandReceptorTable, row: number, lookOf: LookOf) {
  const pair = texts.pair(table.ligand[row]!, table.receptor[row]!);
  const between = [lookOf(table.sender[row]!).name, lookOf(table.receiver[row]!).name] as const;
  const types = texts.types(...between);
  const [score, fdr] = [table.score[row]!, table.fdr[row]!];
  const stars = Math.min(MAX_STARS, -Math.log10(Math.max(fdr, Number.MIN_VALUE)));
  const text = texts.tip(pair, types, numberText(score), numberText(fdr), table.edges[row]!);
  return { row, pair, between, types, score, fdr, stars, text };
}

function drawn(
  dots: readonly Entry[],
  rows: readonly string[],
  columns: readonly string[],
  width: number,
  fill: (entry: Entry) => string,
): SVGSVGElement {
  // Shorten both names: a long sender would otherwise cut off the receiver.
  const labels = columns.map((types) => {
    const { between } = dots.find((entry) => entry.types === types)!;
    const [from, to] = between.map((name) => shortened(name, LONGEST_TYPE, TYPE));
    return texts.types(from!, to!);
  });
  return drawMatrix(
    width,
    { names: rows, most: 150 },
    { names: columns, labels, most: 2 * LONGEST_TYPE + 24, widest: 40 },
    () => ({
      rowHeight: ROW,
      r: { type: "linear", domain: [0, MAX_STARS], range: [1.5, RADIUS] },
      marks: [
        gridX({ strokeOpacity: 0.1 }),
        gridY({ strokeOpacity: 0.1 }),
        dot(dots, {
          x: "types",
          y: "pair",
          r: "stars",
          fill,
          stroke: "currentColor",
          strokeWidth: ({ fdr }: { fdr: number }) => (fdr < SIGNIFICANT ? 1.75 : 0.4),
        }),
        notes(dots, { x: "types", y: "pair", maxRadius: 30 }),
      ],
    }),
  );
}
