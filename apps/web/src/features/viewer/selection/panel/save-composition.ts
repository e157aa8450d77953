import { csvText } from "@stipple/contract/csv";
import { axisX, barX, tickX } from "@observablehq/plot";
import { selectionTexts } from "../texts.ts";
import { csvFile, csvNumber } from "../export/csv.ts";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";
import { namesAtLeft } from "../../plots/figure/marks.ts";
import { roomAtLeft } from "../../plots/figure/axis-room.ts";
import { drawPlot } from "../../plots/figure/draw-plot.ts";
import type { Figure } from "../../plots/figure/figure.ts";
import { saveSheet } from "../../plots/figure/sheet.ts";
import type { GroupShare } from "./composition.ts";

const texts = selectionTexts.composition;
const BAR_PX = 24;
const NO_GROUP = "#7b8794";

/** Saves a selection's composition as an image or table. Rejects if the browser cannot write it. */
export async function saveComposition(
  kind: "png" | "svg" | "csv",
  shares: readonly GroupShare[],
  { projectName, cells, other }: { projectName: string; cells: number; other: string | null },
): Promise<void> {
  const name = fileName(projectName, texts.title);
  if (kind === "csv") {
    const table = await csvFile(
      ["group", "cells", "share_of_selection", other ? "share_of_compared" : "share_of_all_cells"],
      shares.length,
      (at) => {
        const { name: group, count, within, overall } = shares[at]!;
        return [csvText(group), csvNumber(count), csvNumber(within), csvNumber(overall)];
      },
    );
    return saveFile(table, `${name}.csv`);
  }
  const figure: Figure = {
    title: texts.title,
    subtitle: selectionTexts.selected(cells),
    summary: "",
    leastWidth: 480,
    draw: (width) => drawing(shares, width),
    legend: [{ kind: "sign", sign: "upright", text: other ?? texts.overall }],
    table: { columns: [], rows: [] },
  };
  await saveSheet(kind, figure, projectName, name);
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
