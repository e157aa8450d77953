import type { LigandReceptorTable } from "@stipple/contract/statistical-facts";
import { axisX, axisY, dot, gridX, gridY } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { numberText } from "../figure/number-text.ts";
import { roomAbove, roomAtLeft, TURN_DEGREES } from "../figure/axis-room.ts";
import { drawPlot, TYPE } from "../figure/draw-plot.ts";
import type { Figure } from "../figure/figure.ts";
import { notes } from "../figure/notes.ts";
import { sequentialColors } from "../figure/scales.ts";
import { shortened } from "../figure/text-width.ts";
import { quantile } from "../numbers/quantile.ts";
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
  const entries = fitting.map((row) => {
    const pair = texts.pair(table.ligand[row]!, table.receptor[row]!);
    const between = [lookOf(table.sender[row]!).name, lookOf(table.receiver[row]!).name] as const;
    const types = texts.types(...between);
    const fdr = table.fdr[row]!;
    const stars = Math.min(MAX_STARS, -Math.log10(Math.max(fdr, Number.MIN_VALUE)));
    return { row, pair, between, types, fdr, stars, score: table.score[row]! };
  });
  const pairs = new Set([...new Set(entries.map(({ pair }) => pair))].slice(0, choices.mostPairs));
  const drawn = entries.filter(({ pair }) => pairs.has(pair));
  const columns = [...new Set(drawn.map(({ types }) => types))].toSorted();
  const scores = drawn.map(({ score }) => score).toSorted((a, b) => a - b);
  const high = quantile(scores, COLOR_QUANTILE);
  const colors = sequentialColors(0, high);
  const dots = drawn.map((entry) => ({
    ...entry,
    text: texts.tip(
      entry.pair,
      entry.types,
      numberText(entry.score),
      numberText(entry.fdr),
      table.edges[entry.row]!,
    ),
  }));
  const rows = [...pairs];
  const typesOf = new Map(drawn.map(({ types, between }) => [types, between]));
  const best = entries[0]!;

  return {
    title: texts.title,
    subtitle: texts.subtitle(table.testedPairs, table.knownPairs, table.permutations),
    summary: texts.summary(
      fitting.length,
      table.ligand.length,
      texts.best(best.pair, best.types, numberText(best.fdr)),
    ),
    leastWidth: MIN_LEFT + COLUMN * columns.length,
    draw(width, ground) {
      const left = roomAtLeft(rows, 150);
      // Shorten both names: a long sender would otherwise cut off the receiver.
      const above = roomAbove(
        columns.map((types) => {
          const [from, to] = typesOf.get(types)!.map((name) => shortened(name, LONGEST_TYPE, TYPE));
          return texts.types(from!, to!);
        }),
        2 * LONGEST_TYPE + 24,
      );
      const column = Math.min(40, (width - left.margin - above.right) / columns.length);
      return drawPlot({
        width,
        height: rows.length * ROW + above.margin + 8,
        marginLeft: left.margin,
        marginRight: width - left.margin - column * columns.length,
        marginTop: above.margin,
        marginBottom: 8,
        x: { type: "band", domain: columns, padding: 0 },
        y: { type: "band", domain: rows, padding: 0 },
        r: { type: "linear", domain: [0, MAX_STARS], range: [1.5, RADIUS] },
        marks: [
          gridX({ strokeOpacity: 0.1 }),
          gridY({ strokeOpacity: 0.1 }),
          axisX({
            anchor: "top",
            tickFormat: (types: string) => above.labels[columns.indexOf(types)]!,
            tickRotate: TURN_DEGREES,
            textAnchor: "start",
            tickSize: 4,
            label: null,
          }),
          axisY({
            tickFormat: (pair: string) => left.labels[rows.indexOf(pair)]!,
            tickSize: 0,
            label: null,
          }),
          dot(dots, {
            x: "types",
            y: "pair",
            r: "stars",
            fill: ({ score }: { score: number }) => colors.of(score, ground),
            stroke: "currentColor",
            strokeWidth: ({ fdr }: { fdr: number }) => (fdr < SIGNIFICANT ? 1.75 : 0.4),
          }),
          notes(dots, { x: "types", y: "pair", maxRadius: 30 }),
        ],
      });
    },
    legend: [
      {
        kind: "colors",
        label: texts.color,
        scale: colors.scale,
        low: numberText(colors.low),
        high: `${scores.at(-1)! > high ? "≥ " : ""}${numberText(high)}`,
      },
      {
        kind: "sizes",
        label: texts.size,
        sizes: [0, 1, 2, MAX_STARS].map((stars) => ({
          radius: 1.5 + ((RADIUS - 1.5) * stars) / MAX_STARS,
          label: stars === MAX_STARS ? `≥ ${stars}` : `${stars}`,
        })),
      },
      { kind: "sign", sign: "◯", text: texts.outlined },
    ],
    table: {
      columns: texts.columns.map((name, at) => ({
        name,
        kind: at < 2 ? "gene" : at < 4 ? "text" : "number",
      })),
      rows: fitting.map((row) => [
        table.ligand[row]!,
        table.receptor[row]!,
        lookOf(table.sender[row]!).name,
        lookOf(table.receiver[row]!).name,
        table.score[row]!,
        table.mean[row]!,
        table.zscore[row] ?? null,
        table.pvalue[row]!,
        table.fdr[row]!,
        table.edges[row]!,
      ]),
    },
  };
}
