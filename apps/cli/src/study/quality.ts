import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GRADE_WORDS, type Verdict } from "@stipple/contract";
import { csvText } from "@stipple/contract/csv";
import type { Provenance } from "@stipple/pipeline/results";
import type { SampleSheet, StudySample } from "./sheet.ts";

/** What became of a sample. */
export type Outcome =
  | { sample: StudySample; quality: Quality }
  /** Why there are no results. */
  | { sample: StudySample; failure: string };

export interface Quality {
  verdict: string;
  spots: number;
  cells: number;
  genes: number;
  medianUmisPerSpot: number;
  medianGenesPerSpot: number;
  reliableGenes: number;
  heldoutCorrelation: number | null;
  spotsOnTissue: number | null;
}

/** Reads what tells good samples from bad ones from a sample's results. */
export async function qualityOf(results: string): Promise<Quality> {
  const read = async <T>(name: string): Promise<T> =>
    JSON.parse(await readFile(join(results, "analysis_results/output", name), "utf8")) as T;
  const statistics = await read<{
    total_spots: number;
    total_cells: number;
    total_genes: number;
    verdict: Verdict;
  }>("statistics.json");
  const { quality } = (await read<Provenance>("provenance.json")).sample;
  const { grade, figures } = statistics.verdict;
  return {
    verdict: GRADE_WORDS[grade],
    spots: statistics.total_spots,
    cells: statistics.total_cells,
    genes: statistics.total_genes,
    medianUmisPerSpot: quality.medianCountsPerSpot,
    medianGenesPerSpot: quality.medianGenesPerSpot,
    reliableGenes: figures.reliableGenes,
    heldoutCorrelation: figures.heldoutCorrelation,
    spotsOnTissue: figures.spotsOnTissue ?? null,
  };
}

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
] as const satisfies readonly (readonly [string, keyof Quality])[];

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

/** Samples farther than this from the median, in median deviations of logarithms, stand out. */
const FAR = 3.5;
/** Deviations of samples that hardly differ are at least this large. */
const MIN_SPREAD = 0.1;
/** With fewer samples, none can stand out. */
const MIN_SAMPLES = 4;

/** One sentence for each sample that stands out from the others. */
export function outliers(outcomes: readonly Outcome[]): string[] {
  const done = outcomes.flatMap((outcome) => ("quality" in outcome ? [outcome] : []));
  if (done.length < MIN_SAMPLES) return [];
  const measures = [
    ["medianUmisPerSpot", "UMIs per spot"],
    ["medianGenesPerSpot", "genes per spot"],
    ["cells", "cells"],
  ] as const;
  return measures.flatMap(([key, words]) => {
    const logs = done.map(({ quality }) => Math.log(Math.max(1, quality[key])));
    const middle = median(logs);
    const spread = Math.max(MIN_SPREAD, 1.4826 * median(logs.map((log) => Math.abs(log - middle))));
    return done.flatMap(({ sample, quality }, i) =>
      Math.abs(logs[i]! - middle) <= FAR * spread
        ? []
        : [
            `${sample.name} has ${quality[key].toLocaleString("en-US")} ${words}, ${logs[i]! < middle ? "far fewer" : "far more"} than the others (median ${Math.round(Math.exp(middle)).toLocaleString("en-US")}).`,
          ],
    );
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
