import { rectY, ruleY, text } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { numberText } from "../figure/number-text.ts";
import { valuesAtLeft, valuesBelow, notes } from "../figure/marks.ts";
import { columnsOf, type Figure } from "../figure/figure.ts";
import { drawPlot } from "../figure/draw-plot.ts";
import { shortened } from "@stipple/viewer/figure";
import { axisSentence, sentences, type ViolinInput } from "./violin-figure.ts";

const texts = plotTexts.histogram;
const SMALL = 92;

/** Cell counts in bins shared by all groups: stacked, or a small panel per group. */
export function histogramFigure(input: ViolinInput & { stacked: boolean }): Figure {
  const { name, by, subtitle, summary, groups, stacked } = input;
  const { edges, log } = summary;
  const value = (edge: number): number => (log ? 10 ** edge - 1 : edge);
  const bars = barsOf(input, value);
  const several = groups.length > 1 && !stacked;
  const shown = bars.filter(({ cells }) => cells > 0);

  return {
    title: texts.title(name, by),
    subtitle,
    summary: sentences(sentence(name, bars, value), axisSentence(input)),
    minWidth: 240,
    draw(width) {
      const columns = several ? Math.max(1, Math.min(groups.length, Math.floor(width / 240))) : 1;
      const names = groups.map((group) => group.name);
      const place = new Map(names.map((group, at) => [group, at]));
      const rows = Math.ceil(names.length / columns);
      const fx = (d: { group: string }): number => place.get(d.group)! % columns;
      const fy = (d: { group: string }): number => Math.floor(place.get(d.group)! / columns);
      const facets = several ? { fx, fy } : {};
      const y = several ? "percent" : "cells";
      return drawPlot({
        width,
        height: several ? rows * SMALL + 60 : 280,
        marginLeft: 58,
        marginRight: 12,
        marginTop: several ? 20 : 22,
        marginBottom: 40,
        x: { domain: [edges[0]!, edges.at(-1)!] },
        fx: { axis: null, padding: 0.08 },
        fy: { axis: null, padding: 0.28 },
        marks: [
          ...(several ? valuesAtLeft(texts.percentOfGroup, 30) : valuesAtLeft(texts.cells)),
          ...valuesBelow(log ? plotTexts.logAxis : name),
          rectY(shown, {
            x1: "x1",
            x2: "x2",
            y,
            z: "group",
            fill: "color",
            stroke: "currentColor",
            strokeOpacity: 0.35,
            strokeWidth: 0.5,
            insetLeft: 0.25,
            insetRight: 0.25,
            ...facets,
          }),
          ruleY([0], { stroke: "currentColor", strokeOpacity: 0.5 }),
          ...(several
            ? [
                text(groups, {
                  text: (d: { name: string }) => shortened(d.name, (width - 70) / columns - 24, 11),
                  fontWeight: 600,
                  frameAnchor: "top-left",
                  dy: -14,
                  fx: (d: { name: string }) => fx({ group: d.name }),
                  fy: (d: { name: string }) => fy({ group: d.name }),
                }),
                notes(shown, { x1: "x1", x2: "x2", y, ...facets }),
              ]
            : [notes(shown, stackedMiddles(shown))]),
        ],
      });
    },
    legend: groups.length > 1 && stacked ? [{ kind: "groups", title: "", entries: groups }] : [],
    table: {
      columns: columnsOf(texts.columns, { 0: "text" }),
      rows: bars.map(({ group, x1, x2, cells, share }) => [
        group,
        value(x1),
        value(x2),
        cells,
        share,
      ]),
    },
  };
}

function barsOf({ summary, groups }: ViolinInput, value: (edge: number) => number) {
  const { edges } = summary;
  return summary.groups.flatMap(({ bins, cells: all }, at) =>
    Array.from(bins, (cells, bin) => {
      const { name: group, color } = groups[at]!;
      const [x1, x2] = [edges[bin]!, edges[bin + 1]!];
      const share = all > 0 ? cells / all : 0;
      const ends = [numberText(value(x1)), numberText(value(x2))] as const;
      const text = texts.tip(group, ...ends, cells, plotTexts.percent(share));
      return { group, color, x1, x2, cells, percent: 100 * share, share, text };
    }),
  );
}

interface Bar {
  x1: number;
  x2: number;
  cells: number;
}

/** Center of every bar when the bars of a bin are stacked in group order. */
function stackedMiddles(bars: readonly Bar[]): { x: Float64Array; y: Float64Array } {
  const heights = new Map<number, number>();
  const x = Float64Array.from(bars, ({ x1, x2 }) => (x1 + x2) / 2);
  const y = Float64Array.from(bars, ({ x1, cells }) => {
    const below = heights.get(x1) ?? 0;
    heights.set(x1, below + cells);
    return below + cells / 2;
  });
  return { x, y };
}

function sentence(name: string, bars: readonly Bar[], value: (edge: number) => number): string {
  const sums = new Map<number, Bar>();
  let all = 0;
  for (const bar of bars) {
    const sum = sums.get(bar.x1);
    if (sum) sum.cells += bar.cells;
    else sums.set(bar.x1, { ...bar });
    all += bar.cells;
  }
  const fullest = [...sums.values()].reduce((a, b) => (b.cells > a.cells ? b : a));
  return texts.summary(
    name,
    numberText(value(fullest.x1)),
    numberText(value(fullest.x2)),
    plotTexts.percent(fullest.cells / (all || 1)),
  );
}
