import { areaY, dot, ruleY, type Markish } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { numberText } from "../figure/number-text.ts";
import { namesAtLeft, valuesBelow, notes } from "../figure/marks.ts";
import { roomForTwoLines } from "../figure/axis-room.ts";
import { columnsOf, type Figure } from "../figure/figure.ts";
import { drawPlot } from "../figure/draw-plot.ts";
import { MIN_FOR_DENSITY, type GroupSummary, type Summary } from "../numbers/group-summary.ts";
import type { LegendPart } from "../figure/legend.ts";

export interface ViolinInput {
  /** Name of the values, as in the title. */
  name: string;
  /** "by cell type" */
  by: string;
  subtitle: string;
  summary: Summary;
  groups: readonly { name: string; color: string }[];
  /** Whether a logarithmic axis is asked for. */
  log: boolean;
}

const ROW = 46;
/** Half the height of a violin at its widest point, in rows. */
const HALF = 0.36;
const texts = plotTexts.violin;

/** Density of a value by group, with quartiles, medians, and shares of zeros. */
export function violinFigure(input: ViolinInput): Figure {
  const { name, by, subtitle, summary, groups } = input;
  const { log } = summary;
  const onAxis = (value: number): number => (log ? Math.log10(1 + value) : value);
  const rows = summary.groups.map((figures, row) => ({ row, figures, ...groups[row]! }));
  const filled = rows.filter(({ figures }) => figures.cells > 0);
  const shape = filled.flatMap(({ row, figures, color }) =>
    outline(summary.grid, figures, row, color),
  );
  const points = filled.map(({ row, figures, name: group }) => ({
    row,
    q1: onAxis(figures.q1),
    median: onAxis(figures.median),
    q3: onAxis(figures.q3),
    text: texts.tip(group, {
      cells: figures.cells,
      zeros: plotTexts.percent(figures.zeros / figures.cells),
      mean: numberText(figures.mean),
      median: numberText(figures.median),
      q1: numberText(figures.q1),
      q3: numberText(figures.q3),
    }),
  }));
  const few = filled.some(({ figures }) => figures.cells < MIN_FOR_DENSITY);

  return {
    title: texts.title(name, by),
    subtitle,
    summary: sentences(sentence(name, filled), missingSentence(rows), axisSentence(input)),
    minWidth: 260,
    draw(width) {
      const left = roomForTwoLines(
        rows.map((row) => row.name),
        rows.map(({ figures: { cells, zeros } }) =>
          texts.groupLine(cells, Math.round((100 * zeros) / (cells || 1))),
        ),
        [Math.max(80, width * 0.38), 20],
      );
      const ticks = rows.map(({ row }) => row);
      return drawPlot({
        width,
        height: rows.length * ROW + 44,
        marginLeft: left.margin,
        marginRight: 12,
        marginTop: 4,
        marginBottom: 40,
        x: { domain: [summary.grid[0]!, summary.grid.at(-1)!] },
        y: { domain: [rows.length - 0.5, -0.5] },
        marks: [
          ...valuesBelow(log ? plotTexts.logAxis : name),
          namesAtLeft(ticks, left.labels, { ticks, lineHeight: 1.25 }),
          ...marksOf(shape, points),
        ],
      });
    },
    legend: [
      { kind: "sign", sign: "bar", text: texts.quartiles },
      { kind: "sign", sign: "ring", text: texts.medianSign },
      { kind: "sign", sign: "half", text: texts.shape },
      ...(few
        ? [{ kind: "sign", sign: "dash", text: texts.few(MIN_FOR_DENSITY) } satisfies LegendPart]
        : []),
    ],
    table: {
      columns: columnsOf(texts.columns, { 0: "text" }),
      rows: rows.map(({ name: group, figures: f }) => [
        group,
        f.cells,
        f.cells > 0 ? f.zeros / f.cells : null,
        f.mean,
        f.min,
        f.q1,
        f.median,
        f.q3,
        f.max,
        f.missing,
      ]),
    },
  };
}

/** Densities, with a bar from quartile to quartile and a dot at the median. */
function marksOf(
  shape: ReturnType<typeof outline>,
  points: readonly { row: number; q1: number; median: number; q3: number; text: string }[],
): Markish[] {
  return [
    areaY(shape, {
      x: "x",
      y1: "y1",
      y2: "y2",
      z: "row",
      fill: "color",
      fillOpacity: 0.75,
      stroke: "currentColor",
      strokeOpacity: 0.5,
      strokeWidth: 0.75,
    }),
    ruleY(points, { y: "row", x1: "q1", x2: "q3", strokeWidth: 4, stroke: "currentColor" }),
    dot(points, {
      x: "median",
      y: "row",
      r: 4,
      fill: "var(--color-card, #ffffff)",
      stroke: "currentColor",
      strokeWidth: 2,
    }),
    notes(points, { x: "median", y: "row", maxRadius: ROW }),
  ];
}

/** Vertices of one violin; all violins have the same maximum width. */
function outline(grid: Float64Array, { density }: GroupSummary, row: number, color: string) {
  if (!density) return [];
  const tallest = Math.max(...density);
  return Array.from(density, (height, at) => ({
    x: grid[at]!,
    y1: row - (HALF * height) / tallest,
    y2: row + (HALF * height) / tallest,
    row,
    color,
  })).filter(({ y1, y2 }) => y2 - y1 > 2e-3);
}

function sentence(
  name: string,
  groups: readonly { name: string; figures: GroupSummary }[],
): string {
  if (groups.length === 0) return "";
  const byMedian = groups.toSorted((a, b) => b.figures.median - a.figures.median);
  const [first, last] = [byMedian[0]!, byMedian.at(-1)!];
  const { q1, median, q3 } = first.figures;
  if (groups.length === 1)
    return texts.summaryOne(name, numberText(median), numberText(q1), numberText(q3));
  if (median === last.figures.median) return texts.allAlike(name, numberText(median));
  return texts.summary(
    name,
    first.name,
    numberText(median),
    last.name,
    numberText(last.figures.median),
  );
}

function missingSentence(rows: readonly { figures: GroupSummary }[]): string {
  const missing = rows.reduce((sum, { figures }) => sum + figures.missing, 0);
  return missing > 0 ? texts.missing(missing) : "";
}

/** Sentences in one text, without empty ones. */
export function sentences(...all: readonly string[]): string {
  return all.filter(Boolean).join(" ");
}

/** Says that there is no logarithmic axis, though one is asked for. */
export function axisSentence({ log, summary }: Pick<ViolinInput, "log" | "summary">): string {
  return log && !summary.log ? plotTexts.linearAxis : "";
}
