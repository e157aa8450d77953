import { csvText } from "@stipple/contract/csv";
import type { SampleQuality } from "./quality.ts";

const COLUMNS = [
  ["verdict", "verdict"],
  ["spots", "spots"],
  ["cells", "cells"],
  ["genes", "genes"],
  ["median_umis_per_spot", "medianUmisPerSpot"],
  ["median_genes_per_spot", "medianGenesPerSpot"],
  ["reliable_genes", "reliableGenes"],
  ["heldout_correlation", "heldoutCorrelation"],
  ["spots_on_tissue", "spotsOnTissue"],
] as const satisfies readonly (readonly [string, keyof SampleQuality])[];

/** Columns of the table that are not the design's. */
export const MEASURED_COLUMNS: readonly string[] = [
  "sample",
  ...COLUMNS.map(([name]) => name),
  "failure",
];

/** A row of the study's table: a sample, its design, and its quality, or why it has none. */
export interface StudyRow {
  name: string;
  design: Readonly<Record<string, string>>;
  quality: SampleQuality | null;
  failure: string;
}

/** The study's table as CSV; `design` names the columns of the design. */
export function studyTable(design: readonly string[], rows: readonly StudyRow[]): string {
  const head = ["sample", ...design, ...COLUMNS.map(([name]) => name), "failure"];
  const lines = rows.map((row) => {
    const quality = COLUMNS.map(([, key]) => {
      const value = row.quality?.[key] ?? null;
      if (value === null) return "";
      return typeof value === "number" ? Number(value.toFixed(4)) : csvText(value);
    });
    const cells = design.map((column) => csvText(row.design[column] ?? ""));
    return [csvText(row.name), ...cells, ...quality, csvText(row.failure)];
  });
  return [head.map(csvText), ...lines].map((cells) => `${cells.join()}\n`).join("");
}
