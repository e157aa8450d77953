import { writeFile } from "node:fs/promises";
import type { FiledAnnotation } from "@stipple/contract/annotation-file";
import { InputError } from "../errors.ts";
import { compareSamples, type Comparison } from "./compare-samples.ts";
import { qualityOf, outliers, type SampleQuality } from "./quality.ts";
import type { StudyRow } from "./study-table.ts";
import { sumSample } from "./sum-sample.ts";
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
import { comparisonSummary } from "./answer-texts.ts";
import { comparisonSections } from "./comparison-page.ts";

/** A study's finished samples: folders of results, and rows of the design. */
export interface StudyToReport {
  title: string;
  samples: readonly {
    name: string;
    results: string;
    design: Readonly<Record<string, string>>;
    /** What people said the types are. */
    annotations?: readonly FiledAnnotation[] | undefined;
  }[];
  /** Columns of the design; those called condition, patient, and batch are compared. */
  design: readonly string[];
  notes: readonly string[];
}

/** Writes the report of a study: quality side by side, and the comparison of its two conditions, or why there is none. */
export async function writeStudyReport(
  path: string,
  { title, samples, design, notes }: StudyToReport,
  signal: AbortSignal,
): Promise<void> {
  const rows: StudyRow[] = [];
  for (const { name, results, design: own } of samples) {
    rows.push({ name, design: own, quality: await qualityOf(results), failure: "" });
  }
  const comparison = await comparisonOf(samples, design, signal);
  await writeFile(path, studyReport({ title, design, rows, notes, comparison }));
}

async function comparisonOf(
  samples: StudyToReport["samples"],
  columns: readonly string[],
  signal: AbortSignal,
): Promise<Comparison | { refusal: string }> {
  const of = (design: Readonly<Record<string, string>>, name: string): string =>
    design[columns.find((column) => column.toLowerCase() === name) ?? ""] ?? "";
  const studied = [];
  for (const { name, results, design, annotations } of samples) {
    studied.push({
      ...{ name, condition: of(design, "condition"), patient: of(design, "patient") },
      ...{ batch: of(design, "batch"), sums: await sumSample(results, { annotations, signal }) },
    });
  }
  try {
    return compareSamples(studied, null);
  } catch (error) {
    if (error instanceof InputError) return { refusal: error.message };
    throw error;
  }
}

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
