import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GRADE_WORDS, type Verdict, type VerdictFigures } from "@stipple/contract";
import { median } from "@stipple/numerics/quantile";
import type { Provenance } from "../steps/7-finalization/provenance.ts";

/** What tells good samples from bad ones. */
export interface SampleQuality {
  verdict: string;
  /** Platform, and size of its bins. */
  capture: string;
  spots: number;
  cells: number;
  genes: number;
  medianUmisPerSpot: number;
  medianGenesPerSpot: number;
  reliableGenes: number;
  heldoutCorrelation: number | null;
  /** Share of the tissue that is in focus, and neither too dark nor under ink; null if the image was not judged. */
  clearImage: number | null;
  spotsOnTissue: number | null;
}

/** The files of finished results that {@link qualityOf} reads, relative to them. */
export const QUALITY_FILES = [
  "analysis_results/output/statistics.json",
  "analysis_results/output/provenance.json",
] as const;

/** Reads a sample's quality from its finished results. */
export async function qualityOf(results: string): Promise<SampleQuality> {
  const [statistics, provenance] = await Promise.all(
    QUALITY_FILES.map(async (path): Promise<unknown> =>
      JSON.parse(await readFile(join(results, path), "utf8")),
    ),
  );
  return qualityFrom(statistics, provenance);
}

/** The quality, from the contents of {@link QUALITY_FILES}. */
export function qualityFrom(statisticsJson: unknown, provenance: unknown): SampleQuality {
  const statistics = statisticsJson as {
    total_spots: number;
    total_cells: number;
    total_genes: number;
    verdict: Verdict;
  };
  const { sample, settings } = provenance as Provenance;
  const { quality } = sample;
  const { grade, figures } = statistics.verdict;
  return {
    verdict: GRADE_WORDS[grade],
    capture: `${settings.platform} ${settings.resolution ?? ""}`,
    spots: statistics.total_spots,
    cells: statistics.total_cells,
    genes: statistics.total_genes,
    medianUmisPerSpot: quality.medianCountsPerSpot,
    medianGenesPerSpot: quality.medianGenesPerSpot,
    reliableGenes: figures.reliableGenes,
    heldoutCorrelation: figures.heldoutCorrelation,
    clearImage: clearShare(figures),
    spotsOnTissue: figures.spotsOnTissue ?? null,
  };
}

/** Earlier results do not have these figures. */
function clearShare({
  tissueBlurred: blurred = null,
  tissueObscured: obscured = null,
}: Partial<VerdictFigures>): number | null {
  return blurred === null || obscured === null ? null : Math.max(0, 1 - blurred - obscured);
}

/** Samples farther than this from the median, in median deviations of logarithms, stand out. */
const FAR = 3.5;
/** Deviations of samples that hardly differ are at least this large. */
const MIN_SPREAD = 0.1;
/** With fewer samples, none can stand out. */
const MIN_SAMPLES = 4;

const MEASURES = [
  ["medianUmisPerSpot", "UMIs per spot"],
  ["medianGenesPerSpot", "genes per spot"],
  ["cells", "cells"],
] as const;

/** One sentence for each sample that stands out from the others of its platform and size of bins. */
export function outliers(
  samples: readonly {
    name: string;
    quality: Pick<SampleQuality, "capture" | (typeof MEASURES)[number][0]>;
  }[],
): string[] {
  const alike = [...Map.groupBy(samples, ({ quality }) => quality.capture).values()];
  return alike.flatMap((own) => (own.length < MIN_SAMPLES ? [] : standingOut(own)));
}

function standingOut(samples: Parameters<typeof outliers>[0]): string[] {
  return MEASURES.flatMap(([key, words]) => {
    const logs = samples.map(({ quality }) => Math.log(Math.max(1, quality[key])));
    const middle = median(logs);
    const spread = Math.max(MIN_SPREAD, 1.4826 * median(logs.map((log) => Math.abs(log - middle))));
    return samples.flatMap(({ name, quality }, i) =>
      Math.abs(logs[i] - middle) <= FAR * spread
        ? []
        : [
            `${name} has ${quality[key].toLocaleString("en-US")} ${words}, ${logs[i] < middle ? "far fewer" : "far more"} than the others (median ${Math.round(Math.exp(middle)).toLocaleString("en-US")}).`,
          ],
    );
  });
}
