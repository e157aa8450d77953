import { figure, percent, table, type Section } from "../exports/report/elements.ts";
import { html, type Html } from "../exports/report/html.ts";
import { reportPage } from "../exports/report/page.ts";
import { comparisonSummary } from "./answer-texts.ts";
import { MIN_CELLS, type Comparison } from "./compare-samples.ts";
import { shownComparison, type ShownComparison } from "./shown-comparison.ts";
import { volcanoPlot } from "./volcano.ts";

/** The report of a comparison: one page that needs nothing else. */
export function comparisonPage(comparison: Comparison): string {
  const { groups, region } = comparison;
  const where = region === null ? "" : ` in ${region}`;
  const title = `${groups[1]} compared with ${groups[0]}${where}`;
  const top = html`<header><h1>${title}</h1></header>
    ${comparisonSummary(comparison).map((sentence) => html`<p>${sentence}</p>`)}`;
  return reportPage(title, top, comparisonSections(comparison));
}

/** What a report says of a comparison; the tables hold all genes and measures. */
export function comparisonSections(comparison: Comparison): Section[] {
  const shown = shownComparison(comparison);
  return [
    compositionSection(shown),
    expressionSection(shown),
    ...shown.expression.filter(({ genes }) => genes > 0).map(genesSection),
    ...shown.space.map((answer, i) =>
      spaceSection(`space-${comparison.space[i].kind}`, answer, shown.groups),
    ),
    readingSection(),
  ];
}

function compositionSection({ groups, composition, reliability }: ShownComparison): Section {
  const body = table(
    [
      ["Cell type", ({ type }) => type],
      [groups[0], ({ shares }) => percent(shares[0]), "number"],
      [groups[1], ({ shares }) => percent(shares[1]), "number"],
      ["Units", ({ type, units }) => sharesPlot(type, units, groups)],
      [
        "Odds ratio (95%)",
        ({ odds_ratio: ratio, low, high }) =>
          ratio === null ? figure(ratio) : withInterval(ratio, low, high),
        "number",
      ],
      ["p", ({ p }) => figure(p), "number"],
      ["FDR", ({ fdr }) => figure(fdr), "number"],
    ],
    composition,
  );
  return {
    ...{ id: "composition", title: "Composition" },
    body: html`${body}
      <p>${reliability.composition}</p>`,
  };
}

/** Shares of a type in all units, from zero to the largest. */
function sharesPlot(type: string, units: Units, groups: Groups): Html {
  const most = percent(Math.max(...units.map(({ value }) => value)));
  return unitsPlot(units, groups, { label: `Shares of ${type} by unit, 0 to ${most}`, from: 0 });
}

function expressionSection({ expression, reliability }: ShownComparison): Section {
  const body = table(
    [
      ["Cell type", ({ type }) => type],
      ["Units", ({ units }) => units || "–", "number"],
      ["Genes compared", ({ units, genes }) => (units === 0 ? "–" : genes), "number"],
      ["Different (FDR 5%)", ({ refusal, different }) => refusal ?? different],
    ],
    expression,
  );
  return {
    ...{ id: "expression", title: "Expression by cell type" },
    body: html`${body}
      <p>${reliability.expression}</p>`,
  };
}

function genesSection({ type, top, points }: ShownComparison["expression"][number]): Section {
  const plot = volcanoPlot(points, `Genes of ${type}: how much each differs, and how certainly`);
  const body = table(
    [
      ["Gene", ({ gene }) => gene],
      [
        "log2 ratio (95%)",
        ({ log2_fold_change: ratio, low, high }) => withInterval(ratio, low, high),
        "number",
      ],
      ["p", ({ p }) => figure(p), "number"],
      ["FDR", ({ fdr }) => figure(fdr), "number"],
    ],
    top,
  );
  return {
    ...{ id: `genes-${encodeURIComponent(type)}`, title: `Genes of ${type}` },
    body: html`${plot}${body}`,
  };
}

function spaceSection(
  id: string,
  { title, of, measure, refusal, sentence, rows, reliability }: ShownComparison["space"][number],
  groups: Groups,
): Section {
  if (refusal !== null) return { id, title, body: html`<p>${refusal}</p>` };
  const body = table(
    [
      [of === "genes" ? "Gene" : "Types", ({ name }) => name],
      [groups[0], ({ means }) => figure(means[0]), "number"],
      [groups[1], ({ means }) => figure(means[1]), "number"],
      ["Units", ({ name, units }) => measuresPlot(name, units, groups)],
      [
        "Difference (95%)",
        ({ difference, low, high }) => withInterval(difference, low, high),
        "number",
      ],
      ["p", ({ p }) => figure(p), "number"],
      ["FDR", ({ fdr }) => figure(fdr), "number"],
    ],
    rows,
  );
  return {
    ...{ id, title },
    body: html`<p>${sentence} Shown: ${measure}.</p>
      ${body}
      <p>${reliability}</p>`,
  };
}

/** A measure in all units, from the least to the largest. */
function measuresPlot(name: string, units: Units, groups: Groups): Html {
  const values = units.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)].map(figure);
  return unitsPlot(units, groups, { label: `${name} by unit, ${least} to ${most}` });
}

function withInterval(value: number | null, low: number | null, high: number | null): string {
  return `${figure(value)} (${figure(low)} to ${figure(high)})`;
}

function readingSection(): Section {
  const body = html`<p>
      Shares are compared by a regression of their log odds, with one value for each unit.
      Expression is compared by summing the observed counts of a type's cells in each unit (at least
      ${MIN_CELLS} cells) and testing every gene with voom and moderated t statistics, as edgeR and
      limma do. repeat.R does all of this in R from the tables beside it.
    </p>
    <p>
      Spatial statistics are those of each sample's advanced analysis, one value for each unit,
      compared by moderated t statistics. Where samples of a patient form a unit, neighbors are
      added up and the others averaged.
    </p>`;
  return { id: "reading", title: "How to read this", body };
}

const [WIDTH, HEIGHT, MARGIN] = [160, 36, 6];

type Units = ShownComparison["composition"][number]["units"];
type Groups = ShownComparison["groups"];

/**
 * One dot for each unit at its value; a row for each condition, and a line between the two of a patient. From `from`, or
 * the least value, to the largest.
 */
function unitsPlot(
  units: Units,
  groups: Groups,
  { label, from }: { label: string; from?: number },
): Html {
  const values = units.map(({ value }) => value);
  const low = Math.min(...values, from ?? Infinity);
  const span = Math.max(...values) - low || 1;
  const dots = units.map(({ value, group, patient }) => ({
    ...{ patient, group, x: (MARGIN + ((value - low) / span) * (WIDTH - 2 * MARGIN)).toFixed(1) },
  }));
  const pairs = dots.flatMap((dot) => {
    const other = dots.find(({ patient, group }) => patient === dot.patient && group === 1);
    return dot.group === 0 && other ? [[dot, other] as const] : [];
  });
  const rows = `above: ${groups[0]}, below: ${groups[1]}`;
  return html`<svg width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label}; ${rows}">
    ${[0, 1].map((group) => html`<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${rowY(group)}" y2="${rowY(group)}" stroke="currentColor" opacity="0.2" />`)}
    ${pairs.map(([one, other]) => html`<line x1="${one.x}" x2="${other.x}" y1="${rowY(0)}" y2="${rowY(1)}" stroke="currentColor" opacity="0.5" />`)}
    ${dots.map(({ x, group }) => html`<circle cx="${x}" cy="${rowY(group)}" r="4" fill="currentColor" opacity="0.6" />`)}
  </svg>`;
}

function rowY(group: number): number {
  return group === 0 ? HEIGHT / 4 : (3 * HEIGHT) / 4;
}
