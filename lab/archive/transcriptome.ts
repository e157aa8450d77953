/**
 * Distribution of abundance and variation over the genes of a real or simulated section (docs/simulation.md):
 *
 *   node lab/archive/transcriptome.ts FOLDER,… [--window 9]
 *
 * Each folder holds a Visium sample in Space Ranger's layout. With `--window`, a large section is divided into squares
 * that many pitches wide, and the figures are means over the squares, so that it can be compared with a small tissue.
 */
import { parseArgs } from "node:util";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { readCountedSpots } from "@stipple/tissue/testing/counted-spots";
import {
  transcriptomeFigures,
  type CountedSpots,
  type TranscriptomeFigures,
} from "@stipple/tissue/testing/transcriptome-figures";
import { selectRows } from "@stipple/tissue/write/feature-matrix";

/** Minimum UMIs per spot for measuring a gene's variation. */
const MIN_MEANS = [0.3, 3] as const;
/** Minimum number of spots in a square. */
const MIN_SPOTS = 40;
const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.97];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { window: { type: "string" } },
});

for (const folder of positionals.flatMap((names) => names.split(","))) {
  const section = await readCountedSpots(folder);
  const parts = values.window === undefined ? [section] : cut(section, Number(values.window));
  console.log(`${folder}: ${parts.length} part(s)`);
  print(parts.map((part) => MIN_MEANS.map((least) => transcriptomeFigures(part, least))));
}

function cut({ counts, x, y }: CountedSpots, pitches: number): CountedSpots[] {
  const rows = new Map<string, number[]>();
  for (let spot = 0; spot < counts.nRows; spot++) {
    const square = `${Math.floor(x[spot] / pitches)},${Math.floor(y[spot] / pitches)}`;
    rows.set(square, [...(rows.get(square) ?? []), spot]);
  }
  const part = (of: number[]): { counts: SparseMatrix; x: number[]; y: number[] } => ({
    counts: selectRows(counts, of),
    x: of.map((spot) => x[spot]),
    y: of.map((spot) => y[spot]),
  });
  return [...rows.values()].filter((of) => of.length >= MIN_SPOTS).map(part);
}

function print(parts: TranscriptomeFigures[][]): void {
  const mean = (pick: (figures: TranscriptomeFigures) => number, at = 0): string =>
    (parts.reduce((sum, figures) => sum + pick(figures[at]), 0) / parts.length).toPrecision(3);
  const line = (name: string, figures: string[]): void =>
    console.log(`  ${name}: ${figures.join(" ")}`);
  line("spots, genes, UMIs a spot", [
    mean((f) => f.nSpots),
    mean((f) => f.nGenes),
    mean((f) => f.umiPerSpot),
  ]);
  line(
    "share of genes above .001, .01, .1, 1, 10, 100 per 10,000 UMIs",
    [0.001, 0.01, 0.1, 1, 10, 100].map((limit) =>
      mean(({ abundance }) => abundance.filter((one) => one > limit).length / abundance.length),
    ),
  );
  line(
    "share of UMIs in the first 10, 100, 1,000, 3,000 genes",
    [10, 100, 1000, 3000].map((n) =>
      mean(({ abundance }) => abundance.slice(0, n).reduce((sum, one) => sum + one, 0) / 1e4),
    ),
  );
  MIN_MEANS.forEach((least, at) => {
    line(`genes of ${least} UMIs a spot`, [mean(({ judged }) => judged.length, at)]);
    line(`  dispersion, quantiles ${QUANTILES.join(" ")}, mean`, [
      ...QUANTILES.map((q) => mean(({ dispersion }) => quantile(dispersion, q), at)),
      mean(({ dispersion: d }) => d.reduce((sum, one) => sum + one, 0) / d.length, at),
    ]);
    line(`  shared with neighbors, the same`, [
      ...QUANTILES.map((q) => mean(({ shared }) => quantile(shared, q), at)),
      mean(({ shared: d }) => d.reduce((sum, one) => sum + one, 0) / d.length, at),
    ]);
  });
}

function quantile(of: Float64Array, q: number): number {
  const sorted = Float64Array.from(of).sort();
  return sorted[Math.floor(q * (sorted.length - 1))] ?? NaN;
}
