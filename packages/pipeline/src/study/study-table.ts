import type { StudyQuality } from "@stipple/contract/routes/studies";
import { rounded, tableLines } from "../exports/csv/table.ts";
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
  ["clear_image", "clearImage"],
  ["spots_on_tissue", "spotsOnTissue"],
] as const satisfies readonly (readonly [keyof StudyQuality, keyof SampleQuality])[];

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
  const lines = rows.map(({ name, design: own, quality, failure }) => {
    const measured = COLUMNS.map(([, key]) => {
      const value = quality?.[key] ?? "";
      return typeof value === "number" ? rounded(value, 4) : value;
    });
    return [name, ...design.map((column) => own[column] ?? ""), ...measured, failure];
  });
  return [...tableLines(head, lines)].join("");
}
