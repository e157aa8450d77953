import { axisX, barX, tickX } from "@observablehq/plot";
import { selectionTexts } from "../texts.ts";
import { namesAtLeft } from "../../plots/figure/marks.ts";
import { roomAtLeft } from "../../plots/figure/axis-room.ts";
import { drawPlot } from "../../plots/figure/draw-plot.ts";
import { columnsOf, type Figure } from "../../plots/figure/figure.ts";
import type { GroupShare } from "./composition.ts";

const texts = selectionTexts.composition;
const BAR_PX = 24;
const NO_GROUP = "#7b8794";

/** A selection's composition, compared with all cells or the `other` ones. */
export function compositionFigure(
  shares: readonly GroupShare[],
  cells: number,
  other: string | null,
): Figure {
  const compared = other ? "share_of_compared" : "share_of_all_cells";
  return {
    title: texts.title,
    subtitle: selectionTexts.selected(cells),
    summary: "",
    minWidth: 480,
    draw: (width) => drawing(shares, width),
    legend: [{ kind: "sign", sign: "upright", text: other ?? texts.overall }],
    table: {
      columns: columnsOf(["group", "cells", "share_of_selection", compared], { 0: "text" }),
      rows: shares.map(({ name, count, within, overall }) => [name, count, within, overall]),
    },
  };
}

function drawing(shares: readonly GroupShare[], width: number): SVGSVGElement {
  const left = roomAtLeft(
    shares.map(({ name }) => name),
    0.4 * width,
  );
  const rows = shares.map((share, row) => ({ ...share, row, color: share.color ?? NO_GROUP }));
  return drawPlot({
    width,
    height: BAR_PX * rows.length + 48,
    marginLeft: left.margin,
    marginTop: 8,
    marginBottom: 40,
    x: { percent: true, nice: true },
    // Use row indices: two groups may have the same name.
    y: { type: "band", domain: rows.map(({ row }) => row), padding: 0.25 },
    marks: [
      axisX({ tickSize: 3, label: texts.axis, labelAnchor: "center", labelArrow: "none" }),
      namesAtLeft([...rows.keys()], left.labels),
      barX(rows, { x: "within", y: "row", fill: "color" }),
      tickX(rows, { x: "overall", y: "row", stroke: "currentColor", strokeWidth: 2 }),
    ],
  });
}
