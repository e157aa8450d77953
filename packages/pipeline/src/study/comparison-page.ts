import { figure, percent, table, type Section } from "../exports/report/elements.ts";
import { html, type Html } from "../exports/report/html.ts";
import { reportPage } from "../exports/report/page.ts";
import { MIN_CELLS, type Comparison, type TypeComparison } from "./compare-samples.ts";
import { FDR } from "./comparison-tables.ts";
import { sharesPlot } from "./shares-plot.ts";

/** Genes of a type shown in the report; the table holds all. */
const SHOWN_GENES = 20;

/** The report of a comparison: one page that needs nothing else. */
export function comparisonPage(comparison: Comparison): string {
  const { groups } = comparison;
  const title = `${groups[1]} compared with ${groups[0]}`;
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
    readingSection(),
  ];
}

/** What was compared, what differs, and what was left out: a sentence each. */
export function comparisonSummary(comparison: Comparison): string[] {
  const { units, design, groups, composition, expression, notes } = comparison;
  const of = (group: string): number =>
    design.units.filter((i) => units[i].condition === group).length;
  const changed = composition.filter(({ fdr }) => fdr < FDR).length;
  const tested = expression.flatMap((type) => ("refusal" in type ? [] : [type.genes]));
  const genes = tested.flat().filter(({ fdr }) => fdr < FDR).length;
  return [
    `${of(groups[1])} units of ${groups[1]} are compared with ${of(groups[0])} of ${groups[0]}; a unit is a patient under a condition. Model: ${design.terms.join(" + ")}.`,
    `The share of ${changed} of ${composition.length} cell types differs at a false discovery rate of 5%.`,
    `Expression was compared in ${tested.length} of ${expression.length} types; ${genes} genes of a type differ at a false discovery rate of 5%.`,
    ...notes,
  ];
}

function compositionSection(comparison: Comparison): Section {
  const { groups, composition } = comparison;
  const body = table(
    [
      { title: "Cell type", cell: ({ type }) => type },
      { title: groups[0], numeric: true, cell: ({ shares }) => percent(shares[0]) },
      { title: groups[1], numeric: true, cell: ({ shares }) => percent(shares[1]) },
      { title: "Units", cell: ({ type }) => sharesPlot(comparison, type) },
      {
        title: "Odds ratio (95%)",
        numeric: true,
        cell: ({ logOdds, low, high }) =>
          `${figure(Math.exp(logOdds))} (${figure(Math.exp(low))} to ${figure(Math.exp(high))})`,
      },
      { title: "p", numeric: true, cell: ({ p }) => figure(p) },
      { title: "FDR", numeric: true, cell: ({ fdr }) => figure(fdr) },
    ],
    composition.toSorted((a, b) => a.p - b.p),
  );
  return { id: "composition", title: "Composition", body };
}

function expressionSection({ expression }: Comparison): Section {
  const body = table(
    [
      { title: "Cell type", cell: ({ type }: TypeComparison) => type },
      {
        title: "Units",
        numeric: true,
        cell: (row: TypeComparison) => ("refusal" in row ? "–" : row.units.length),
      },
      {
        title: "Genes compared",
        numeric: true,
        cell: (row: TypeComparison) => ("refusal" in row ? "–" : row.genes.length),
      },
      { title: "Different (FDR 5%)", cell: differences },
    ],
    expression,
  );
  return { id: "expression", title: "Expression by cell type", body };
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
  const body = table(
    [
      { title: "Gene", cell: ({ gene }) => genes.name[gene] },
      {
        title: "log2 ratio (95%)",
        numeric: true,
        cell: ({ logFold, low, high }) => `${figure(logFold)} (${figure(low)} to ${figure(high)})`,
      },
      { title: "p", numeric: true, cell: ({ p }) => figure(p) },
      { title: "FDR", numeric: true, cell: ({ fdr }) => figure(fdr) },
    ],
    rows.toSorted((a, b) => a.p - b.p).slice(0, SHOWN_GENES),
  );
  return { id: `genes-${encodeURIComponent(type)}`, title: `Genes of ${type}`, body };
}

function readingSection(): Section {
  const body = html`<p>
      Shares are compared by a regression of their log odds, with one value for each unit.
      Expression is compared by summing the observed counts of a type's cells in each unit (at least
      ${MIN_CELLS} cells) and testing every gene with voom and moderated t statistics, as edgeR and
      limma do. repeat.R does the same in R from the tables beside it.
    </p>
    <p>
      Where a spot covers several cells, its counts were allocated to them by the model. A gene that
      differs between conditions in one type can therefore also appear in the types around it; look
      at the types together, and at each sample's reliability, before you conclude. Confidence in
      the names of cells limits what either table can show.
    </p>`;
  return { id: "reading", title: "How to read this", body };
}
