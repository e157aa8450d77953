import type { MoranTable } from "@stipple/contract/statistical-facts";
import { dot, link, ruleX } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { numberText } from "../figure/number-text.ts";
import { namesAtLeft, valuesBelow, notes } from "../figure/marks.ts";
import { roomAtLeft } from "../figure/axis-room.ts";
import { columnsOf, type Figure } from "../figure/figure.ts";
import { drawPlot } from "../figure/draw-plot.ts";
import { SIGNIFICANT } from "./ligands-figure.ts";

const texts = plotTexts.moran;
const ROW = 19;
const NAMED_GENES = 5;
const COLOR = "#0072b2";

/** The genes with the highest Moran's I, in order. */
export function moranFigure(
  { genes, I, z, pNormal, fdr, pSimulated }: MoranTable,
  mostGenes: number,
  testedCells: number,
): Figure {
  const shown = genes.slice(0, mostGenes).map((gene, at) => ({
    gene,
    value: I[at]!,
    significant: fdr[at]! < SIGNIFICANT,
    text: texts.tip(gene, numberText(I[at]!), numberText(z[at]!), numberText(fdr[at]!)),
  }));
  const names = shown.map(({ gene }) => gene);
  const values = shown.map(({ value }) => value);
  const significant = fdr.filter((value, at) => value < SIGNIFICANT && I[at]! > 0).length;

  return {
    title: texts.title,
    subtitle: texts.subtitle(genes.length, plotTexts.tested(testedCells)),
    summary: texts.summary(significant, genes.length, genes.slice(0, NAMED_GENES)),
    minWidth: 220,
    draw(width) {
      const left = roomAtLeft(names, Math.max(60, width * 0.3));
      return drawPlot({
        width,
        height: names.length * ROW + 48,
        marginLeft: left.margin,
        marginRight: 16,
        marginTop: 4,
        marginBottom: 40,
        x: { domain: [Math.min(0, ...values), Math.max(0, ...values)], nice: true },
        y: { type: "band", domain: names, padding: 0 },
        marks: [
          ...valuesBelow(texts.x),
          namesAtLeft(names, left.labels),
          ruleX([0], { stroke: "currentColor", strokeOpacity: 0.5 }),
          link(shown, { x1: 0, x2: "value", y: "gene", stroke: COLOR, strokeWidth: 2 }),
          dot(shown, {
            x: "value",
            y: "gene",
            r: 4.5,
            stroke: COLOR,
            strokeWidth: 2,
            fill: ({ significant: filled }: { significant: boolean }) =>
              filled ? COLOR : "var(--color-card, #ffffff)",
          }),
          notes(shown, { x: "value", y: "gene", maxRadius: 200 }),
        ],
      });
    },
    legend: [
      { kind: "sign", sign: "dot", text: texts.filled },
      { kind: "sign", sign: "ring", text: texts.hollow },
    ],
    table: {
      columns: columnsOf(texts.columns, { 0: "gene" }),
      rows: genes.map((gene, at) => [
        gene,
        I[at]!,
        z[at]!,
        pNormal[at]!,
        fdr[at]!,
        pSimulated[at] ?? null,
      ]),
    },
  };
}
