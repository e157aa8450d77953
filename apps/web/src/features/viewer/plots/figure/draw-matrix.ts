import { axisX, type Markish, type ScaleOptions } from "@observablehq/plot";
import { namesAtLeft } from "./marks.ts";
import { roomAbove, roomAtLeft, TURN_DEGREES } from "./axis-room.ts";
import { drawPlot } from "./draw-plot.ts";

/** Rows or columns of a matrix. */
interface Names {
  names: readonly string[];
  /** Written in place of the names. */
  labels?: readonly string[];
  /** Longest label, px. */
  most: number;
}

/** A grid with named rows, and columns of at most `widest` px; `fill` is given the columns' width. */
export function drawMatrix(
  width: number,
  rows: Names,
  columns: Names & { widest: number },
  fill: (column: number) => { rowHeight: number; r?: ScaleOptions; marks: Markish[] },
): SVGSVGElement {
  const left = roomAtLeft(rows.labels ?? rows.names, rows.most);
  const above = roomAbove(columns.labels ?? columns.names, columns.most);
  const count = columns.names.length;
  const column = Math.min(columns.widest, (width - left.margin - above.right) / count);
  const { rowHeight, r, marks } = fill(column);
  return drawPlot({
    width,
    height: rows.names.length * rowHeight + above.margin + 8,
    marginLeft: left.margin,
    marginRight: width - left.margin - column * count,
    marginTop: above.margin,
    marginBottom: 8,
    x: { type: "band", domain: columns.names, padding: 0 },
    y: { type: "band", domain: rows.names, padding: 0 },
    ...(r && { r }),
    marks: [
      axisX({
        anchor: "top",
        tickFormat: (name: string) => above.labels[columns.names.indexOf(name)]!,
        tickRotate: TURN_DEGREES,
        textAnchor: "start",
        tickSize: 4,
        label: null,
      }),
      namesAtLeft(rows.names, left.labels),
      ...marks,
    ],
  });
}
