import { axisX, axisY, cell, dot, gridX, gridY } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { numberText } from "../figure/number-text.ts";
import type { GeneLayer } from "../../../../project/view/view-server.ts";
import { roomAbove, roomAtLeft, TURN_DEGREES } from "../figure/axis-room.ts";
import { drawPlot } from "../figure/draw-plot.ts";
import type { Figure } from "../figure/figure.ts";
import { notes } from "../figure/notes.ts";
import type { LegendPart } from "../figure/legend.ts";
import { divergingColors, sequentialColors, type ValueColors } from "../figure/scales.ts";
import { standardized, type GeneMeans } from "../numbers/gene-means.ts";

export interface GeneMatrixInput {
  as: "dots" | "heatmap";
  by: string;
  subtitle: string;
  layer: GeneLayer;
  genes: readonly string[];
  /** Null if not known yet. */
  reliable: readonly (boolean | null)[];
  means: readonly GeneMeans[];
  groups: readonly { name: string; cells: number }[];
  standardize: boolean;
}

const ROW = 19;
const texts = plotTexts.matrix;

interface Entry {
  gene: string;
  group: string;
  cells: number;
  mean: number;
  /** z-score among the gene's group means. */
  score: number;
  fraction: number;
  /** What the color shows. */
  colored: number;
  text: string;
}

/** Genes × groups: color = mean; for dots, size = share of cells above a threshold. */
export function geneMatrixFigure(input: GeneMatrixInput): Figure {
  const { as, by, subtitle, layer, genes, reliable, groups, standardize } = input;
  const { entries, colors } = entriesOf(input);
  const unsure = reliable.some((known) => known === false);
  const label = (gene: string): string =>
    reliable[genes.indexOf(gene)] === false ? `${viewerTexts.unreliableSign} ${gene}` : gene;

  return {
    title: texts.dotTitle(genes.length, by),
    subtitle,
    summary: [highest(entries), groups.length < 2 && standardize ? texts.oneGroup : ""]
      .filter(Boolean)
      .join(" "),
    leastWidth: 150 + 14 * groups.length,
    draw(width, ground) {
      const fill = ({ colored }: Entry): string => colors.of(colored, ground);
      const left = roomAtLeft(genes.map(label), Math.max(70, width * 0.3));
      const above = roomAbove(
        groups.map(({ name }) => name),
        120,
      );
      const inner = width - left.margin - above.right;
      const column = Math.min(as === "dots" ? 34 : 64, inner / groups.length);
      const radius = Math.min(ROW, column) / 2 - 1;
      const names = new Map(groups.map(({ name }, at) => [name, above.labels[at]!]));
      const geneNames = new Map(genes.map((gene, at) => [gene, left.labels[at]!]));
      return drawPlot({
        width,
        height: genes.length * ROW + above.margin + 8,
        marginLeft: left.margin,
        marginRight: width - left.margin - column * groups.length,
        marginTop: above.margin,
        marginBottom: 8,
        x: { type: "band", domain: groups.map(({ name }) => name), padding: 0 },
        y: { type: "band", domain: [...genes], padding: 0 },
        r: { type: "sqrt", domain: [0, 1], range: [0, radius] },
        marks: [
          axisX({
            anchor: "top",
            tickFormat: (name: string) => names.get(name) ?? name,
            tickRotate: TURN_DEGREES,
            textAnchor: "start",
            tickSize: 4,
            label: null,
          }),
          axisY({
            tickFormat: (gene: string) => geneNames.get(gene) ?? gene,
            tickSize: 0,
            label: null,
          }),
          ...(as === "dots"
            ? [
                gridX({ strokeOpacity: 0.1 }),
                gridY({ strokeOpacity: 0.1 }),
                dot(entries, {
                  x: "group",
                  y: "gene",
                  r: "fraction",
                  fill,
                  stroke: "currentColor",
                  strokeOpacity: 0.55,
                  strokeWidth: 0.75,
                }),
              ]
            : [cell(entries, { x: "group", y: "gene", fill, inset: 0.5 })]),
          notes(entries, { x: "group", y: "gene", maxRadius: 30 }),
        ],
      });
    },
    legend: [
      {
        kind: "colors",
        label: standardize
          ? plotTexts.standardizedMean
          : plotTexts.meanOf(viewerTexts.layers[layer]),
        scale: colors.scale,
        low: numberText(colors.low),
        ...(colors.twoSided && { middle: "0" }),
        high: numberText(colors.high),
      },
      ...(as === "dots"
        ? [
            {
              kind: "sizes",
              label: plotTexts.fractionAbove[layer],
              sizes: [0.1, 0.25, 0.5, 1].map((share) => ({
                radius: (ROW / 2 - 1) * Math.sqrt(share),
                label: plotTexts.percent(share),
              })),
            } satisfies LegendPart,
          ]
        : []),
      ...(unsure
        ? [
            {
              kind: "sign",
              sign: viewerTexts.unreliableSign,
              text: viewerTexts.unreliableInShort,
            } satisfies LegendPart,
          ]
        : []),
    ],
    table: {
      columns: texts.columns.map((name, at) => ({
        name: at === 5 ? plotTexts.fractionAbove[layer] : name,
        kind: at === 0 ? "gene" : at === 1 || at === 6 ? "text" : "number",
      })),
      rows: entries.map(({ gene, group, cells, mean, score, fraction }) => {
        const known = reliable[genes.indexOf(gene)];
        const word = known === null || known === undefined ? null : known ? texts.yes : texts.no;
        return [gene, group, cells, mean, score, fraction, word];
      }),
    },
  };
}

function entriesOf({ genes, groups, means, standardize, layer }: GeneMatrixInput): {
  entries: Entry[];
  colors: ValueColors;
} {
  const scores = means.map(({ mean }) => standardized(mean));
  const farthest = (rows: readonly Float64Array[]): number =>
    rows.reduce((most, row) => row.reduce((a, b) => Math.max(a, Math.abs(b) || 0), most), 0);
  const colors = standardize
    ? divergingColors(farthest(scores))
    : sequentialColors(0, farthest(means.map(({ mean }) => mean)));
  const entries = genes.flatMap((gene, row) =>
    groups.map(({ name: group, cells }, column): Entry => {
      const mean = means[row]!.mean[column]!;
      const score = scores[row]![column]!;
      const fraction = means[row]!.fraction[column]!;
      return {
        gene,
        group,
        cells,
        mean,
        score,
        fraction,
        colored: standardize ? score : mean,
        text: texts.tip(gene, group, [
          texts.meanLine(numberText(mean)),
          texts.scoreLine(numberText(score)),
          texts.fractionLine[layer](plotTexts.percent(fraction)),
        ]),
      };
    }),
  );
  return { entries, colors };
}

/**
 * "B cell MS4A1; T cell IL7R": for each group, the gene that stands out most from other groups (or, without other
 * groups, has the highest mean).
 */
function highest(entries: readonly Entry[]): string {
  const best = new Map<string, Entry>();
  for (const entry of entries) {
    const held = best.get(entry.group);
    const more = held && (entry.score - held.score || entry.mean - held.mean);
    if (more === undefined || more > 0) best.set(entry.group, entry);
  }
  return texts.summary([...best.values()].map(({ group, gene }) => `${group} ${gene}`));
}
