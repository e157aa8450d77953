import { writeFile } from "node:fs/promises";
import { csvText } from "@stipple/contract/csv";
import type { SampleQuality } from "@stipple/pipeline/study";
import type { SampleSheet, StudySample } from "./sheet.ts";

/** What became of a sample. */
export type Outcome =
  | { sample: StudySample; quality: SampleQuality }
  /** Why there are no results. */
  | { sample: StudySample; failure: string };

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

/** Writes the study's table: a row for each sample, its design, and its quality or why it failed. */
export async function writeStudyTable(
  path: string,
  { design }: SampleSheet,
  outcomes: readonly Outcome[],
): Promise<void> {
  const head = ["sample", ...design, ...COLUMNS.map(([name]) => name), "failure"];
  const rows = outcomes.map((outcome) => {
    const { sample } = outcome;
    const quality = COLUMNS.map(([, key]) => {
      const value = "quality" in outcome ? outcome.quality[key] : null;
      return value === null
        ? ""
        : typeof value === "number"
          ? Number(value.toFixed(4))
          : csvText(value);
    });
    return [
      csvText(sample.name),
      ...design.map((column) => csvText(sample.design[column] ?? "")),
      ...quality,
      "failure" in outcome ? csvText(outcome.failure) : "",
    ];
  });
  const lines = [head.map((name) => csvText(name)), ...rows].map((cells) => `${cells.join()}\n`);
  await writeFile(path, lines.join(""));
}
