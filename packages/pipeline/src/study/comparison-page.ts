import { figure, percent, table, type Section } from "../exports/report/elements.ts";
import { html, type Html } from "../exports/report/html.ts";
import { reportPage } from "../exports/report/page.ts";
import {
  byCertainty,
  comparisonSummary,
  COMPOSITION_RELIABILITY,
  EXPRESSION_RELIABILITY,
  FDR,
  SPATIAL_TEXTS,
  spatialSentence,
} from "./answer-texts.ts";
import type { MeasureDifference, SpatialComparison } from "./compare-in-space.ts";
import { MIN_CELLS, type Comparison, type TypeComparison } from "./compare-samples.ts";
import { sharesOf } from "./comparison-tables.ts";
import { volcanoPlot, volcanoPoints } from "./volcano.ts";

/** Genes of a type shown in the report; the table holds all. */
const SHOWN_GENES = 20;

/** The report of a comparison: one page that needs nothing else. */
export function comparisonPage(comparison: Comparison): string {
  const { groups, region } = comparison;
  const where = region === null ? "" : ` in ${region}`;
  const title = `${groups[1]} compared with ${groups[0]}${where}`;
  const top = html`<header><h1>${title}</h1></header>
    ${sentences(comparison)}`;
  return reportPage(title, top, comparisonSections(comparison));
}

function sentences(comparison: Comparison): Html[] {
  return comparisonSummary(comparison).map((sentence) => html`<p>${sentence}</p>`);
}

/** What a report says of a comparison. */
export function comparisonSections(comparison: Comparison): Section[] {
  return [
    compositionSection(comparison),
    expressionSection(comparison),
    ...comparison.expression.flatMap((type) =>
      "refusal" in type || type.genes.length === 0 ? [] : [genesSection(comparison, type)],
    ),
    ...comparison.space.map((space) => spaceSection(comparison, space)),
    readingSection(),
  ];
}

function compositionSection(comparison: Comparison): Section {
  const { groups, composition } = comparison;
  const body = table(
    [
      ["Cell type", ({ type }) => type],
      [groups[0], ({ shares }) => percent(shares[0]), "number"],
      [groups[1], ({ shares }) => percent(shares[1]), "number"],
      ["Units", ({ type }) => sharesPlot(comparison, type)],
      [
        "Odds ratio (95%)",
        ({ logOdds, low, high }) =>
          Number.isNaN(logOdds)
            ? figure(logOdds)
            : `${figure(Math.exp(logOdds))} (${figure(Math.exp(low))} to ${figure(Math.exp(high))})`,
        "number",
      ],
      ["p", ({ p }) => figure(p), "number"],
      ["FDR", ({ fdr }) => figure(fdr), "number"],
    ],
    composition.toSorted(byCertainty),
  );
  return {
    ...{ id: "composition", title: "Composition" },
    body: html`${body}
      <p>${COMPOSITION_RELIABILITY}</p>`,
  };
}

/** Shares of a type in all units, from zero to the largest. */
function sharesPlot(comparison: Comparison, type: string): Html {
  const { groups } = comparison;
  const shares = sharesOf(comparison, type);
  const label = `Shares of ${type} by unit, 0 to ${percent(Math.max(...shares))}; above: ${groups[0]}, below: ${groups[1]}`;
  return unitsPlot(comparison, shares, { label, from: 0 });
}

function expressionSection({ expression }: Comparison): Section {
  const body = table(
    [
      ["Cell type", ({ type }: TypeComparison) => type],
      ["Units", (row: TypeComparison) => ("refusal" in row ? "–" : row.units.length), "number"],
      [
        "Genes compared",
        (row: TypeComparison) => ("refusal" in row ? "–" : row.genes.length),
        "number",
      ],
      ["Different (FDR 5%)", differences],
    ],
    expression,
  );
  return {
    ...{ id: "expression", title: "Expression by cell type" },
    body: html`${body}
      <p>${EXPRESSION_RELIABILITY}</p>`,
  };
}

function differences(row: TypeComparison): string | number {
  if ("refusal" in row) return row.refusal;
  if (row.genes.length === 0) return "Too few counts to compare any gene.";
  return row.genes.filter(({ fdr }) => fdr < FDR).length;
}

function genesSection(
  { genes }: Comparison,
  { type, genes: rows }: Extract<TypeComparison, { genes: unknown }>,
): Section {
  const plot = volcanoPlot(volcanoPoints(rows), {
    nameOf: (gene) => genes.name[gene],
    label: `Genes of ${type}: how much each differs, and how certainly`,
  });
  const body = table(
    [
      ["Gene", ({ gene }) => genes.name[gene]],
      [
        "log2 ratio (95%)",
        ({ logFold, low, high }) => `${figure(logFold)} (${figure(low)} to ${figure(high)})`,
        "number",
      ],
      ["p", ({ p }) => figure(p), "number"],
      ["FDR", ({ fdr }) => figure(fdr), "number"],
    ],
    rows.toSorted((a, b) => a.p - b.p).slice(0, SHOWN_GENES),
  );
  return {
    ...{ id: `genes-${encodeURIComponent(type)}`, title: `Genes of ${type}` },
    body: html`${plot}${body}`,
  };
}

/** The most certain measures; the table holds all. */
function spaceSection(comparison: Comparison, space: SpatialComparison): Section {
  const { groups } = comparison;
  const { title, measure, reliability } = SPATIAL_TEXTS[space.kind];
  const id = `space-${space.kind}`;
  if ("refusal" in space) return { id, title, body: html`<p>${space.refusal}</p>` };
  const body = table<MeasureDifference>(
    [
      [space.kind === "patterns" ? "Gene" : "Types", ({ name }) => name],
      [groups[0], ({ means }) => figure(means[0]), "number"],
      [groups[1], ({ means }) => figure(means[1]), "number"],
      [
        "Units",
        ({ name, values }) =>
          unitsPlot(comparison, values, {
            label: `${name} by unit, ${figure(Math.min(...values))} to ${figure(Math.max(...values))}; above: ${groups[0]}, below: ${groups[1]}`,
          }),
      ],
      [
        "Difference (95%)",
        ({ difference, low, high }) => `${figure(difference)} (${figure(low)} to ${figure(high)})`,
        "number",
      ],
      ["p", ({ p }) => figure(p), "number"],
      ["FDR", ({ fdr }) => figure(fdr), "number"],
    ],
    space.rows.toSorted((a, b) => a.p - b.p).slice(0, SHOWN_GENES),
  );
  return {
    ...{ id, title },
    body: html`<p>${spatialSentence(space, groups)} Shown: ${measure}.</p>
      ${body}
      <p>${reliability}</p>`,
  };
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

/**
 * One dot for each unit of the design at its value; a row for each condition, and a line between the two of a patient. From
 * `from`, or the least value, to the largest.
 */
function unitsPlot(
  { units, design, groups }: Comparison,
  values: readonly number[],
  { label, from }: { label: string; from?: number },
): Html {
  const low = Math.min(...values, from ?? Infinity);
  const span = Math.max(...values) - low || 1;
  const dots = design.units.map((unit, i) => ({
    patient: units[unit].patient,
    group: groups.indexOf(units[unit].condition),
    x: (MARGIN + ((values[i] - low) / span) * (WIDTH - 2 * MARGIN)).toFixed(1),
  }));
  const pairs = dots.flatMap((dot) => {
    const other = dots.find(({ patient, group }) => patient === dot.patient && group === 1);
    return dot.group === 0 && other ? [[dot, other] as const] : [];
  });
  return html`<svg width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label}">
    ${[0, 1].map((group) => html`<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${rowY(group)}" y2="${rowY(group)}" stroke="currentColor" opacity="0.2" />`)}
    ${pairs.map(([one, other]) => html`<line x1="${one.x}" x2="${other.x}" y1="${rowY(0)}" y2="${rowY(1)}" stroke="currentColor" opacity="0.5" />`)}
    ${dots.map(({ x, group }) => html`<circle cx="${x}" cy="${rowY(group)}" r="4" fill="currentColor" opacity="0.6" />`)}
  </svg>`;
}

function rowY(group: number): number {
  return group === 0 ? HEIGHT / 4 : (3 * HEIGHT) / 4;
}
