import type { DomainSummary } from "@stipple/contract/statistical-facts";
import { axisX, barX, dot, line, text } from "@observablehq/plot";
import { plotTexts } from "../texts.ts";
import { parseColor } from "@stipple/viewer/cells";
import { numberText } from "../figure/number-text.ts";
import { namesAtLeft, valuesAtLeft, valuesBelow, notes } from "../figure/marks.ts";
import { roomForTwoLines } from "../figure/axis-room.ts";
import { columnsOf, type Figure } from "../figure/figure.ts";
import { drawPlot } from "../figure/draw-plot.ts";
import { inkOn } from "../figure/scales.ts";
import type { LookOf } from "../use-group-looks.ts";

const texts = plotTexts.domains;
const ROW = 40;

/** Shares of the types in each domain, as stacked bars. */
export function compositionFigure(
  { names, cells, types, composition }: DomainSummary,
  lookOfType: LookOf,
  lookOfDomain: LookOf,
): Figure {
  const looks = types.map(lookOfType);
  const domains = names.map((name) => lookOfDomain(name).name);
  const parts = domains.flatMap((domain, row) => {
    let from = 0;
    return looks.map((look, type) => {
      const share = composition[row]![type]!;
      const x1 = from;
      from += 100 * share;
      const inside = Math.round(share * cells[row]!);
      return {
        domain,
        type: look.name,
        color: look.color,
        share,
        cells: inside,
        x1,
        x2: from,
        middle: (x1 + from) / 2,
        text: texts.tip(domain, look.name, plotTexts.percent(share), inside),
      };
    });
  });
  const drawn = parts.filter(({ share }) => share > 0);
  const largest = domains.map((domain) =>
    parts.filter((part) => part.domain === domain).reduce((a, b) => (b.share > a.share ? b : a)),
  );

  return {
    title: texts.title,
    subtitle: texts.subtitle(cells.reduce((sum, n) => sum + n, 0)),
    summary: texts.summary(
      largest.map(({ domain, type, share }) => texts.part(domain, type, plotTexts.percent(share))),
    ),
    minWidth: 260,
    draw: (width) => drawBars(width, domains, cells, drawn),
    legend: [
      {
        kind: "groups",
        title: "",
        entries: looks.filter((_, type) => composition.some((row) => row[type]! > 0)),
      },
    ],
    table: {
      columns: columnsOf(texts.columns, { 0: "text", 2: "text" }),
      rows: parts.map(({ domain, type, share, cells: inside }) => [
        domain,
        cells[domains.indexOf(domain)]!,
        type,
        share,
        inside,
      ]),
    },
  };
}

interface Part {
  domain: string;
  color: string;
  share: number;
  x1: number;
  x2: number;
  middle: number;
  text: string;
}

function drawBars(
  width: number,
  domains: readonly string[],
  cells: readonly number[],
  parts: readonly Part[],
): SVGSVGElement {
  const second = cells.map((n) => texts.groupLine(n));
  const left = roomForTwoLines(domains, second, [Math.max(70, width * 0.25), 30]);
  const perPercent = (width - left.margin - 16) / 100;
  return drawPlot({
    width,
    height: domains.length * ROW + 48,
    marginLeft: left.margin,
    marginRight: 16,
    marginTop: 4,
    marginBottom: 42,
    x: { domain: [0, 100] },
    y: { type: "band", domain: domains, padding: 0.25 },
    marks: [
      ...valuesBelow(texts.share),
      namesAtLeft(domains, left.labels, { lineHeight: 1.25 }),
      barX(parts, {
        x1: "x1",
        x2: "x2",
        y: "domain",
        fill: "color",
        stroke: "var(--color-card, #ffffff)",
        strokeWidth: 1,
      }),
      // Print the share where it fits: similar colors cannot be told apart by color alone.
      text(
        parts.filter(({ share }) => 100 * share * perPercent > 34),
        {
          x: "middle",
          y: "domain",
          text: ({ share }: Part) => plotTexts.percent(share),
          fill: ({ color }: Part) => inkOnHex(color),
          fontSize: 10,
        },
      ),
      notes(parts, { x: "middle", y: "domain", maxRadius: 60 }),
    ],
  });
}

/** The score of each number of domains tried. */
export function triedFigure({ count, tried }: DomainSummary): Figure {
  const points = tried.map(({ count: n, score }) => ({
    n,
    score,
    chosen: n === count,
    text: texts.triedTip(n, numberText(score)),
  }));
  return {
    title: texts.triedTitle,
    subtitle: texts.triedSubtitle,
    summary: texts.triedSummary(
      count,
      tried.map(({ count: n }) => n),
    ),
    minWidth: 240,
    draw: (width) =>
      drawPlot({
        width,
        height: 220,
        marginLeft: 64,
        marginRight: 20,
        marginTop: 26,
        marginBottom: 40,
        marks: [
          ...valuesAtLeft(texts.triedY),
          axisX({
            ticks: tried.map(({ count: n }) => n),
            tickFormat: "d",
            label: texts.triedX,
            labelAnchor: "center",
            labelArrow: "none",
          }),
          line(points, { x: "n", y: "score", stroke: "currentColor", strokeOpacity: 0.6 }),
          dot(points, {
            x: "n",
            y: "score",
            r: ({ chosen }: { chosen: boolean }) => (chosen ? 6 : 3.5),
            fill: ({ chosen }: { chosen: boolean }) => (chosen ? "#d55e00" : "#7b8794"),
          }),
          text(
            points.filter(({ chosen }) => chosen),
            { x: "n", y: "score", text: () => texts.chosen, dy: -14, fontWeight: 600 },
          ),
          notes(points, { x: "n", y: "score", maxRadius: 40 }),
        ],
        r: { type: "identity" },
      }),
    legend: [],
    table: {
      columns: columnsOf(texts.triedColumns, { 2: "text" }),
      rows: points.map(({ n, score, chosen }) => [n, score, chosen ? texts.chosen : ""]),
    },
  };
}

function inkOnHex(color: string): string {
  const [red, green, blue] = parseColor(color);
  return inkOn(`rgb(${red}, ${green}, ${blue})`);
}
