import type { CoOccurrence } from "@stipple/contract/statistical-facts";
import { line, ruleY } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { numberText } from "../figure/number-text.ts";
import { valuesAtLeft, valuesBelow, notes } from "../figure/marks.ts";
import { columnsOf, type Figure } from "../figure/figure.ts";
import { drawPlot } from "../figure/draw-plot.ts";
import type { LookOf } from "../use-group-looks.ts";

const texts = plotTexts.coOccurrence;
/** Dash patterns that distinguish lines of similar color. */
const DASHES = ["", "6 3", "2 2", "9 3 2 3", "12 4"];
const NAMED_TYPES = 3;

/**
 * How much more often than overall each type is found within a distance of cells of one type. Null if that type has no
 * pair.
 */
export function coOccurrenceFigure(
  { types, intervalUm, occ, centers }: CoOccurrence,
  around: string,
  testedCells: number,
  lookOf: LookOf,
): Figure | null {
  const j = types.indexOf(around);
  if (j < 0) return null;
  const center = lookOf(around).name;
  const lines = types
    .map((type, i) => ({
      ...lookOf(type),
      dashes: DASHES[i % DASHES.length]!,
      times: occ[i]![j]!,
    }))
    .filter(({ times }) => times.some((value) => value !== null));
  if (lines.length === 0) return null;
  const points = lines.flatMap(({ name, times }) =>
    times.flatMap((value, step) => {
      const um = intervalUm[step + 1]!;
      if (value === null) return [];
      return [{ name, um, value, text: texts.tip(name, numberText(value), `${um}`, center) }];
    }),
  );

  return {
    title: texts.title(center),
    subtitle: texts.subtitle(centers, testedCells),
    summary: sentence(lines, intervalUm[1]!),
    minWidth: 260,
    draw: (width) =>
      drawPlot({
        width,
        height: Math.round(Math.min(420, Math.max(260, width * 0.55))),
        marginLeft: 52,
        marginRight: 12,
        marginTop: 8,
        marginBottom: 40,
        x: { domain: [0, intervalUm.at(-1)!] },
        y: { domain: [0, Math.max(1, ...points.map(({ value }) => value))], nice: true },
        marks: [
          ...valuesBelow(texts.x),
          ...valuesAtLeft(texts.y),
          ruleY([1], { stroke: "currentColor", strokeOpacity: 0.6 }),
          ...lines.map(({ name, color, dashes }) =>
            line(
              points.filter((point) => point.name === name),
              {
                x: "um",
                y: "value",
                stroke: color,
                strokeWidth: 2,
                ...(dashes && { strokeDasharray: dashes }),
              },
            ),
          ),
          notes(points, { x: "um", y: "value", maxRadius: 40 }),
        ],
      }),
    legend: [{ kind: "groups", title: "", entries: lines }],
    table: {
      columns: columnsOf(texts.columns, { 0: "text", 1: "text" }),
      rows: points.map(({ name, um, value }) => [center, name, um, value]),
    },
  };
}

function sentence(
  lines: readonly { name: string; times: readonly (number | null)[] }[],
  um: number,
): string {
  const near = lines
    .flatMap(({ name, times }) => (times[0] == null ? [] : [{ name, value: times[0] }]))
    .toSorted((a, b) => b.value - a.value);
  const named = (some: typeof near): string[] =>
    some.map(({ name, value }) => texts.times(name, numberText(value)));
  return texts.summary(
    `${um}`,
    named(near.filter(({ value }) => value > 1).slice(0, NAMED_TYPES)),
    named(
      near
        .filter(({ value }) => value < 1)
        .slice(-NAMED_TYPES)
        .reverse(),
    ),
  );
}
