import { namesBeside } from "@stipple/contract/point-names";
import { html, type Html } from "../exports/report/html.ts";
import type { StudyComparison } from "@stipple/contract/routes/studies";
import { FDR } from "./answer-texts.ts";
import type { GeneDifference } from "./compare-expression.ts";

type Points = StudyComparison["expression"][number]["points"];

/** The most certain genes, and every so many of the others: as many as a plot can show. */
const CERTAIN = 150;
const OTHERS = 250;
/** A p of 0 would be infinitely high. */
const HIGHEST = 300;

/** The points of a volcano plot: log2 ratio, −log10 of p, and whether the gene differs. */
export function volcanoPoints(genes: readonly GeneDifference[], names: readonly string[]): Points {
  const sorted = genes.toSorted((a, b) => a.p - b.p);
  const rest = sorted.slice(CERTAIN);
  const every = Math.max(1, Math.ceil(rest.length / OTHERS));
  const shown = [...sorted.slice(0, CERTAIN), ...rest.filter((_, i) => i % every === 0)];
  return shown
    .filter(({ logFold, p }) => Number.isFinite(logFold) && Number.isFinite(p))
    .map(({ gene, logFold, p, fdr }) => [
      names[gene],
      short(logFold),
      short(Math.min(HIGHEST, -Math.log10(p))),
      fdr < FDR,
    ]);
}

/** Enough for a plot. */
function short(value: number): number {
  return Number(value.toPrecision(3));
}

const [WIDTH, HEIGHT, MARGIN] = [440, 260, 34];
const NAMED = 8;

/** The plot of a type's genes; the most certain ones that differ are named. */
export function volcanoPlot(points: Points, label: string): Html {
  const reach = Math.max(1, ...points.map(([, x]) => Math.abs(x)));
  const top = Math.max(2, ...points.map(([, , y]) => y));
  const xOf = (x: number): number => WIDTH / 2 + (x / reach) * (WIDTH / 2 - MARGIN);
  const yOf = (y: number): number => HEIGHT - MARGIN - (y / top) * (HEIGHT - 1.5 * MARGIN);
  const different = points.filter(([, , , isDifferent]) => isDifferent).slice(0, NAMED);
  const names = namesBeside(
    different.map(([text, x, y]) => ({ text, x: xOf(x), y: yOf(y) })),
    { right: WIDTH, top: MARGIN / 2 },
  );
  const base = HEIGHT - MARGIN;
  return html`<svg
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    style="width:100%;max-width:${WIDTH}px"
    role="img"
    aria-label="${label}"
  >
    <line
      x1="${MARGIN}"
      x2="${WIDTH - MARGIN}"
      y1="${base}"
      y2="${base}"
      stroke="currentColor"
      opacity="0.3"
    />
    <line
      x1="${WIDTH / 2}"
      x2="${WIDTH / 2}"
      y1="${MARGIN / 2}"
      y2="${base}"
      stroke="currentColor"
      opacity="0.15"
    />
    ${points.map(([, x, y, isDifferent]) => html`<circle cx="${xOf(x).toFixed(1)}" cy="${yOf(y).toFixed(1)}" r="2.5" ${isDifferent ? html`style="fill:var(--primary)"` : html`fill="currentColor" opacity="0.3"`} />`)}
    ${names.map(({ text, x, y, anchor }) => html`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="11" fill="currentColor">${text}</text>`)}
    <text
      x="${WIDTH / 2}"
      y="${HEIGHT - 8}"
      text-anchor="middle"
      font-size="12"
      fill="currentColor"
    >
      log2 ratio (±${reach.toFixed(1)})
    </text>
    <text x="4" y="14" font-size="12" fill="currentColor">−log10 p (to ${top.toFixed(1)})</text>
  </svg>`;
}
