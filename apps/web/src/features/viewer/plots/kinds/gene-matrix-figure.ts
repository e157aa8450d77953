import { cell, dot, gridX, gridY } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { numberText } from "../figure/number-text.ts";
import type { GeneLayer } from "../../../../project/view/view-server.ts";
import { columnsOf, type Figure } from "../figure/figure.ts";
import { drawMatrix } from "../figure/draw-matrix.ts";
import { notes } from "../figure/marks.ts";
import { colorPart, type LegendPart } from "../figure/legend.ts";
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
  const { by, subtitle, layer, genes, reliable, groups, standardize } = input;
  const { entries, colors } = entriesOf(input);
  return {
    title: texts.dotTitle(genes.length, by),
    subtitle,
    summary: [highest(entries), groups.length < 2 && standardize ? texts.oneGroup : ""]
      .filter(Boolean)
      .join(" "),
    minWidth: 150 + 14 * groups.length,
    draw: (width, ground) =>
      drawn(input, entries, width, ({ colored }) => colors.of(colored, ground)),
    legend: legendOf(input, colors),
    table: {
      columns: columnsOf(
        texts.columns.map((name, at) => (at === 5 ? plotTexts.fractionAbove[layer] : name)),
        { 0: "gene", 1: "text", 6: "text" },
      ),
      rows: entries.map(({ gene, group, cells, mean, score, fraction }) => {
        const known = reliable[genes.indexOf(gene)];
        const word =
          known === null || known === undefined ? null : known ? viewerTexts.yes : viewerTexts.no;
        return [gene, group, cells, mean, score, fraction, word];
      }),
    },
  };
}

function drawn(
  { as, genes, reliable, groups }: GeneMatrixInput,
  entries: readonly Entry[],
  width: number,
  fill: (entry: Entry) => string,
): SVGSVGElement {
  const labels = genes.map((gene, at) =>
    reliable[at] === false ? `${viewerTexts.unreliableSign} ${gene}` : gene,
  );
  return drawMatrix(
    width,
    { names: genes, labels, most: Math.max(70, width * 0.3) },
    { names: groups.map(({ name }) => name), most: 120, widest: as === "dots" ? 34 : 64 },
    (column) => ({
      rowHeight: ROW,
      r: { type: "sqrt", domain: [0, 1], range: [0, Math.min(ROW, column) / 2 - 1] },
      marks: [
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
    }),
  );
}

function legendOf(
  { as, layer, reliable, standardize }: GeneMatrixInput,
  colors: ValueColors,
): LegendPart[] {
  const mean = plotTexts.meanOf(viewerTexts.layers[layer]);
  const parts = [colorPart(standardize ? plotTexts.standardizedMean : mean, colors)];
  if (as === "dots") {
    const sizes = [0.1, 0.25, 0.5, 1].map((share) => ({
      radius: (ROW / 2 - 1) * Math.sqrt(share),
      label: plotTexts.percent(share),
    }));
    parts.push({ kind: "sizes", title: plotTexts.fractionAbove[layer], sizes });
  }
  if (reliable.includes(false)) {
    parts.push({ kind: "sign", sign: "triangle", text: viewerTexts.unreliableInShort });
  }
  return parts;
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
    : sequentialColors(farthest(means.map(({ mean }) => mean)));
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
