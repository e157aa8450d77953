import type { SparseMatrix } from "@stipple/numerics/matrices";
import { MARKER_SETS, mouseSymbols } from "@stipple/pipeline/cell-types";
import { readResult } from "@stipple/pipeline/results";
import { chooseColumns } from "@stipple/numerics/sparse";
import { fitProfiles, interpolation, nearestSpot } from "@stipple/tissue/metrics/baselines";
import { median } from "@stipple/numerics/quantile";
import { pearsonPerGene, type CellPrediction } from "@stipple/tissue/metrics/correlation";
import { detection } from "@stipple/tissue/metrics/detection";
import { selectRows } from "@stipple/tissue/write/feature-matrix";
import { judgeNames, type NameFigures } from "./judge-names.ts";
import { namesByTrueMix, type TrueMixFigures } from "./names-by-true-mix.ts";
import { purity, type Purity } from "./purity.ts";
import { matchSection, type Half } from "./match-section.ts";
import type { MeasuredSection } from "./section.ts";
import { typesInSpots } from "./types-in-spots.ts";

/** Genes with fewer counts over the judged cells have no meaningful correlation. */
const MIN_COUNTS = 50;
const VARIABLE_GENES = 306;
/** Width of the smoothing of bins, which are smaller than cells, in pitches. */
const SMOOTHING_PITCHES = 1;

export interface RealFigures {
  detection: number;
  /** Medians over all, the most variable, and the marker genes, by method. */
  rates: Record<string, [all: number, variable: number, markers: number]>;
  /** Null if the section's types are not known. */
  names: NameFigures | null;
  /** Names if the mix of types in spots were known; null on bins, and if the section's types are not known. */
  byTrueMix: TrueMixFigures | null;
  /** What the cells' own counts say about their names, without truth. */
  purity: Purity | null;
}

/** Judges results (steps 0–5) of a measured section by its own cells. O(cells × genes) per method. */
export async function judgeReal(
  section: MeasuredSection,
  results: string,
  half: Half,
): Promise<RealFigures> {
  const { type, counts } = section.cells;
  const found = await readResult(results, "cells/xy");
  const { judged, px, matched } = matchSection(section, found.data, half);
  const inHalf = Array.from({ length: found.nRows }, (_, c) => found.data[2 * c]).filter(
    (x) => half === "all" || x < section.widthUm / 2 / section.umPerPx === (half === "left"),
  ).length;
  const truth = selectRows(counts, judged);
  const hits = matched.filter((cell) => cell >= 0).length;
  const types = judged.map((cell) => type[cell]!);
  const isNameable = section.accepted.size > 0;
  const isSpots = (await readResult(results, "sample/scale")).spotShape === "disc";
  return {
    detection: detection(hits, inHalf, judged.length).f1,
    rates: await judgeRates(section, results, { judged, px, matched, truth }),
    names: isNameable ? await judgeNames(types, matched, results, section.accepted) : null,
    byTrueMix: isNameable && isSpots ? await namesByTrueMix(section, results, half) : null,
    purity: await purity(results),
  };
}

async function judgeRates(
  section: MeasuredSection,
  results: string,
  {
    judged,
    px,
    matched,
    truth,
  }: { judged: readonly number[]; px: Float64Array; matched: Int32Array; truth: SparseMatrix },
): Promise<RealFigures["rates"]> {
  const symbols = await readResult(results, "genes/symbol");
  // The sample has all genes of the section.
  const place = section.genes.map((gene) => symbols.indexOf(gene));
  const rate = await readResult(results, "cells/rate");
  const columns = place.map((gene) => rate.column(gene));
  const scale = await readResult(results, "sample/scale");
  const spots = {
    xy: (await readResult(results, "spots/xy")).data,
    counts: chooseColumns(await readResult(results, "spots/counts"), place),
    pitchPx: scale.pitchUm / scale.micronsPerPixel,
  };
  const methods: Record<string, CellPrediction> = {
    rate: (cell, row) => {
      const own = matched[cell];
      if (own >= 0) columns.forEach((column, g) => (row[g] = column[own]!));
    },
    allocated: await allocation(results, matched, place),
    "nearest spot or bin": nearestSpot({ xy: px }, spots),
    interpolated: interpolation({ xy: px }, spots),
    ...(scale.spotShape === "square" && {
      "smoothed bins": interpolation({ xy: px }, spots, SMOOTHING_PITCHES),
    }),
    ...(section.accepted.size > 0 && {
      "mean of the true type": typeMeans(section, judged, truth),
    }),
    ...(scale.spotShape === "disc" &&
      section.accepted.size > 0 && {
        "true types fitted": typesFitted(section, judged, spots),
      }),
  };
  const total = new Float64Array(truth.nCols);
  truth.indices.forEach((gene, k) => (total[gene] += truth.data[k]));
  const counted = [...total.keys()].filter((gene) => total[gene] >= MIN_COUNTS);
  const variance = new Float64Array(truth.nCols);
  truth.indices.forEach((gene, k) => (variance[gene] += Math.log1p(truth.data[k]) ** 2));
  const variable = counted.toSorted((a, b) => variance[b] - variance[a]).slice(0, VARIABLE_GENES);
  const leading = MARKER_SETS.flatMap(({ markers }) => markers.slice(0, 14));
  const marking = new Set(section.species === "mouse" ? leading.flatMap(mouseSymbols) : leading);
  const markers = counted.filter((gene) => marking.has(section.genes[gene]));
  return Object.fromEntries(
    Object.entries(methods).map(([name, predict]) => {
      const perGene = pearsonPerGene(truth, predict);
      const of = (genes: readonly number[]): number => median(genes.map((g) => perGene[g]));
      return [name, [of(counted), of(variable), of(markers)]];
    }),
  );
}

/** The expected allocation to each matched cell; `place` gives the column of each of the section's genes. */
async function allocation(
  results: string,
  matched: Int32Array,
  place: readonly number[],
): Promise<CellPrediction> {
  const allocated = await readResult(results, "cells/allocated");
  const { lengths, indices, values } = allocated.rows(0, allocated.nCells, 0);
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length: number, cell: number) => (starts[cell + 1] = starts[cell] + length));
  const geneAt = new Map(place.map((column, gene) => [column, gene]));
  return (cell, row) => {
    const own = matched[cell];
    if (own < 0) return;
    for (let e = starts[own]; e < starts[own + 1]; e++) {
      const gene = geneAt.get(indices[e]);
      if (gene !== undefined) row[gene] = values[e]!;
    }
  };
}

/** Mean counts of each cell's true type. */
function typeMeans(
  section: MeasuredSection,
  judged: readonly number[],
  truth: SparseMatrix,
): CellPrediction {
  const kinds = [...new Set(section.cells.type)];
  const means = kinds.map(() => new Float64Array(truth.nCols));
  const sizes = kinds.map(() => 0);
  const kindOf = judged.map((cell) => kinds.indexOf(section.cells.type[cell]));
  kindOf.forEach((kind, i) => {
    sizes[kind]++;
    for (let k = truth.indptr[i]; k < truth.indptr[i + 1]; k++) {
      means[kind][truth.indices[k]] += truth.data[k];
    }
  });
  return (cell, row) => {
    const kind = kindOf[cell];
    means[kind].forEach((sum, gene) => (row[gene] = sum / sizes[kind]));
  };
}

/** Profiles of the true types, fitted to the spots by the cells whose centers lie within 27.5 µm of them. */
function typesFitted(
  section: MeasuredSection,
  judged: readonly number[],
  spots: { xy: ArrayLike<number>; counts: SparseMatrix },
): CellPrediction {
  const kinds = [...new Set(section.cells.type)];
  const { type } = section.cells;
  const exposure = typesInSpots(section, spots.xy, kinds);
  const profiles = fitProfiles(exposure, kinds.length, spots.counts);
  return (cell, row) => {
    const kind = kinds.indexOf(type[judged[cell]]);
    row.set(profiles.data.subarray(kind * profiles.nCols, (kind + 1) * profiles.nCols));
  };
}
