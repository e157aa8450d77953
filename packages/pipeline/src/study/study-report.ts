import {
  count,
  figure,
  note,
  percent,
  table,
  type Column,
  type Section,
} from "../exports/report/elements.ts";
import { html, type Html } from "../exports/report/html.ts";
import { reportPage } from "../exports/report/page.ts";
import type { Comparison } from "./compare-samples.ts";
import { comparisonSummary } from "./answer-texts.ts";
import { comparisonSections } from "./comparison-page.ts";
import { outliers, type SampleQuality } from "./quality.ts";
import type { StudyRow } from "./study-table.ts";

/** What a study's report tells. */
export interface ReportedStudy {
  title: string;
  /** Columns of the design. */
  design: readonly string[];
  rows: readonly StudyRow[];
  /** Of the combined data, a sentence each. */
  notes: readonly string[];
  comparison: Comparison | { refusal: string };
}

/** One page on a study: its samples and their quality, and what differs between its conditions. */
export function studyReport(study: ReportedStudy): string {
  const { title, rows, notes, comparison } = study;
  const known = rows.flatMap(({ name, quality }) => (quality ? [{ name, quality }] : []));
  const cells = known.reduce((sum, { quality }) => sum + quality.cells, 0);
  const isCompared = !("refusal" in comparison);
  const top = html`<header><h1>${title}</h1></header>
    <p>${count(rows.length)} samples, ${count(cells)} cells.</p>
    ${notes.map((sentence) => html`<p>${sentence}</p>`)}
    ${outliers(known).map((sentence) => note("warn", html`${sentence}`))}
    ${isCompared ? comparisonSummary(comparison).map((sentence) => html`<p>${sentence}</p>`) : note("info", html`No comparison: ${comparison.refusal}`)}`;
  return reportPage(title, top, [
    samplesSection(study),
    ...(isCompared ? comparisonSections(comparison) : []),
  ]);
}

function samplesSection({ design, rows }: ReportedStudy): Section {
  const of =
    (shown: (quality: SampleQuality) => string | number) =>
    ({ quality }: StudyRow): Html | string | number =>
      quality ? shown(quality) : "–";
  const number = (
    title: string,
    shown: (quality: SampleQuality) => string | number,
  ): Column<StudyRow> => [title, of(shown), "number"];
  const body = table<StudyRow>(
    [
      ["Sample", ({ name }) => name],
      ...design.map((title): Column<StudyRow> => [title, ({ design: own }) => own[title] ?? ""]),
      ["Verdict", of(({ verdict }) => verdict)],
      number("Cells", ({ cells }) => count(cells)),
      number("UMIs per spot", ({ medianUmisPerSpot: umis }) => count(umis)),
      number("Genes per spot", ({ medianGenesPerSpot: genes }) => count(genes)),
      number("Reliable genes", ({ reliableGenes: genes }) => count(genes)),
      number("Held-out correlation", ({ heldoutCorrelation: r }) => figure(r)),
      number("Clear image", ({ clearImage: share }) => (share === null ? "–" : percent(share, 0))),
      number("Spots on tissue", ({ spotsOnTissue: share }) =>
        share === null ? "–" : percent(share, 0),
      ),
    ],
    rows,
  );
  return { id: "samples", title: "Samples", body };
}
