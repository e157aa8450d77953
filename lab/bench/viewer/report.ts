import type { ViewerFigures } from "./figures.ts";

const START = "<!-- measured by npm run bench:viewer: start -->";
const END = "<!-- measured by npm run bench:viewer: end -->";

/** Replaces the document's marked block. Throws if there is none. */
export function replaceBlock(document: string, tables: string): string {
  const [from, to] = [document.indexOf(START), document.indexOf(END)];
  if (from < 0 || to < from) throw new Error("The document has no block for measured figures.");
  return `${document.slice(0, from + START.length)}\n\n${tables}\n${document.slice(to)}`;
}

export interface Circumstances {
  command: string;
  machine: string;
  browser: string;
  renderer: string;
  commit: string;
}

interface Row {
  label: string;
  target?: string;
  of(figures: ViewerFigures): string | undefined;
  /** The value used for the ratio of the viewers. */
  middle?(figures: ViewerFigures): number | undefined;
}

const ROWS: readonly Row[] = [
  timeRow("First tissue pixels", "firstTissue", "1.5 s"),
  timeRow("All cells shown", "allCells", "3 s"),
  {
    label: "Received by then",
    of: ({ bytes }) => text(median(bytes), megabytes),
    middle: ({ bytes }) => median(bytes),
  },
  framesRow("Frame while dragging all cells", "panFrames"),
  framesRow("Frame while zooming all cells", "zoomFrames"),
  framesRow("Frame while dragging zoomed in, with outlines", "closeFrames"),
  timeRow("Recolor: first gene of the project on the server", "firstGene"),
  timeRow("Recolor: new gene, chosen at once", "newGene", "200 ms"),
  timeRow("Recolor: new gene, highlighted in the list for 0.5 s", "markedGene", "200 ms"),
  timeRow("Recolor: a gene shown before", "knownGene", "200 ms"),
  timeRow("Hover: pointer to card", "hover"),
  memoryRow("JavaScript heap", "heap"),
  memoryRow("Page process", "renderer"),
  memoryRow("GPU process", "gpu"),
];

type Times =
  "firstTissue" | "allCells" | "firstGene" | "newGene" | "markedGene" | "knownGene" | "hover";

function timeRow(label: string, key: Times, target?: string): Row {
  return {
    label,
    ...(target && { target }),
    of: ({ [key]: times }) =>
      times.length > 1
        ? `${duration(median(times)!)} (${duration(Math.min(...times))}–${duration(Math.max(...times))})`
        : text(median(times), duration),
    middle: ({ [key]: times }) => median(times),
  };
}

function framesRow(label: string, key: "panFrames" | "zoomFrames" | "closeFrames"): Row {
  return {
    label,
    of: ({ [key]: frames }) =>
      frames.length === 0
        ? undefined
        : `${duration(median(frames)!)}, 95% within ${duration(quantile(frames, 0.95)!)}`,
    middle: ({ [key]: frames }) => median(frames),
  };
}

function memoryRow(label: string, key: "heap" | "renderer" | "gpu"): Row {
  return {
    label: `Memory after coloring: ${label}`,
    of: ({ memory }) => text(memory?.[key], megabytes),
    middle: ({ memory }) => memory?.[key],
  };
}

/** One viewer's figures, one per line. */
export function figureLines(figures: ViewerFigures): string[] {
  return [
    ...ROWS.map((row) => `${row.label}: ${row.of(figures) ?? "–"}`),
    ...figures.remarks.map((remark) => `stopped while ${remark}`),
  ];
}

/** Tables for all sizes, with ratios where both viewers were measured. */
export function performanceTables(
  figures: readonly ViewerFigures[],
  lasso: readonly number[],
  { command, machine, browser, renderer, commit }: Circumstances,
): string {
  const lines = [
    `Command: \`${command}\`, at commit ${commit}.`,
    "",
    `Machine: ${machine}. Chromium ${browser}, drawing with \`${renderer}\`. Times are medians, with the range in brackets.`,
    "",
    `Lasso: ${lasso.length} regions of 400 corners over 1,000,000 cells took ${duration(median(lasso) ?? NaN)} each in the worker (${duration(Math.min(...lasso))}–${duration(Math.max(...lasso))}); the target is 100 ms.`,
  ];
  for (const cells of [...new Set(figures.map((one) => one.cells))]) {
    const ours = figures.find((one) => one.cells === cells && one.viewer === "Stipple");
    const other = figures.find((one) => one.cells === cells && one.viewer === "Vitessce");
    lines.push("", `### ${cells.toLocaleString("en-US")} cells`, "");
    if (other) {
      lines.push(
        "| | Target | Stipple | Vitessce | Vitessce ÷ Stipple |",
        "| --- | --- | --- | --- | --- |",
      );
    } else lines.push("| | Target | Stipple |", "| --- | --- | --- |");
    for (const row of ROWS) {
      const cellsOfRow = [row.label, row.target ? `< ${row.target}` : "", ours && row.of(ours)];
      if (other) cellsOfRow.push(row.of(other), ratio(row, ours, other));
      lines.push(`| ${cellsOfRow.map((cell) => cell ?? "–").join(" | ")} |`);
    }
    for (const { viewer, remarks } of figures.filter((one) => one.cells === cells)) {
      for (const remark of remarks) lines.push("", `${viewer} stopped while ${remark}.`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function ratio({ middle }: Row, ours: ViewerFigures | undefined, other: ViewerFigures): string {
  const [a, b] = [ours && middle?.(ours), middle?.(other)];
  return a && b ? `${(b / a).toPrecision(2)}` : "–";
}

function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function median(values: readonly number[]): number | undefined {
  return quantile(values, 0.5);
}

function text(value: number | undefined, write: (value: number) => string): string | undefined {
  return value === undefined ? undefined : write(value);
}

function duration(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
