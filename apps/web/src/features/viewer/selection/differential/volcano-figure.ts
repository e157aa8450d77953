import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { ruleX, ruleY, type RenderFunction } from "@observablehq/plot";
import { drawPlot, TYPE } from "../../plots/figure/draw-plot.ts";
import type { Figure } from "../../plots/figure/figure.ts";
import { notes, valuesAtLeft, valuesBelow } from "../../plots/figure/marks.ts";
import { svg } from "../../plots/figure/svg.ts";
import type { Thresholds } from "./gene-rows.ts";
import { probabilityText, signedText } from "./number-text.ts";
import { differentialTexts } from "./texts.ts";
import { geneLabels, volcanoPoints, type VolcanoPoints } from "./volcano-points.ts";

const texts = differentialTexts.volcano;
/** Okabe & Ito's vermilion and blue: more in a, more in b. */
const COLORS = { more: "#d55e00", less: "#0072b2", neither: "#7b8794" };
const LEFT = 48;
const MANY_GENES = 3000;

/** Effect versus evidence for every gene. */
export function volcanoFigure(
  title: string,
  table: DifferentialTable,
  thresholds: Thresholds,
): Figure {
  const { genes, log2_fold_change: change, fdr } = table;
  const points = volcanoPoints(table, thresholds);
  const { x, y, side, mostX, mostY, significantY } = points;
  const count = (of: number): number => side.filter((one) => one === of).length;
  const tips = genes.map((gene, row) => ({
    gene,
    x: x[row]!,
    y: y[row]!,
    text: texts.gene(gene, signedText(change[row]!), probabilityText(fdr[row]!)),
  }));
  const dashed = { stroke: "currentColor", strokeOpacity: 0.6, strokeDasharray: "3 3" };
  return {
    title: texts.title,
    subtitle: title,
    summary: texts.describe(count(1), count(-1), genes.length),
    minWidth: 240,
    draw: (width) =>
      drawPlot({
        width,
        height: Math.round(Math.min(420, 0.85 * width)),
        marginLeft: LEFT,
        marginRight: 8,
        marginTop: 8,
        marginBottom: 40,
        x: { domain: [-mostX, mostX] },
        y: { domain: [0, mostY] },
        marks: [
          ...valuesBelow(texts.x),
          ...valuesAtLeft(texts.y),
          ruleX([-thresholds.change, thresholds.change], dashed),
          ruleY(significantY === null ? [] : [significantY], dashed),
          dotsAndNames(genes, points, width),
          notes(tips, { x: "x", y: "y", maxRadius: 12 }),
        ],
      }),
    legend: [
      {
        kind: "groups",
        title: "",
        entries: [
          { name: texts.moreA(count(1)), color: COLORS.more },
          { name: texts.moreB(count(-1)), color: COLORS.less },
        ],
      },
      ...(points.oneSided ? [{ kind: "sign", sign: "dot", text: texts.oneSided } as const] : []),
    ],
    table: { columns: [], rows: [] },
  };
}

/** Thousands of dots as three paths, not as elements, and the names of those with the most evidence. */
function dotsAndNames(
  genes: readonly string[],
  points: VolcanoPoints,
  width: number,
): RenderFunction {
  return (_, scales) => {
    const toPx = { x: scales.x!, y: scales.y! } as Record<"x" | "y", (value: number) => number>;
    const paths = { neither: "", less: "", more: "" };
    points.side.forEach((side, row) => {
      // A near-zero-length line with round caps.
      const dot = `M${toPx.x(points.x[row]!).toFixed(1)} ${toPx.y(points.y[row]!).toFixed(1)}h.01`;
      paths[side > 0 ? "more" : side < 0 ? "less" : "neither"] += dot;
    });
    const look = {
      fill: "none",
      "stroke-width": genes.length > MANY_GENES ? 3.5 : 5,
      "stroke-linecap": "round",
      "stroke-opacity": 0.8,
    };
    // The edge below the letters is an element of its own, because not every program knows `paint-order`.
    const edge = { stroke: "var(--color-card)", "stroke-width": 3 };
    const labels = geneLabels(genes, points, toPx, { left: LEFT, right: width, maxEachSide: 8 });
    return svg(
      "g",
      { "font-size": TYPE - 1 },
      ...Object.entries(paths).map(([name, d]) =>
        svg("path", { d, ...look, stroke: COLORS[name as keyof typeof COLORS] }),
      ),
      ...labels.flatMap(({ row, anchor, x, y }) =>
        [edge, {}].map((paint) =>
          svg("text", { x, y, "text-anchor": anchor, fill: "currentColor", ...paint }, genes[row]!),
        ),
      ),
    );
  };
}
