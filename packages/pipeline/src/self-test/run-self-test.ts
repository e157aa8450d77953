import type { SelfTest, TwinScore, TypeFit } from "../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import type { Field } from "../fields.ts";
import { median } from "@stipple/numerics/quantile";
import { Random } from "@stipple/numerics/random";
import { ratesOfFields, runInMemory } from "../store/in-memory.ts";
import { mostInformative } from "../steps/4-vector-transformation/informative-genes.ts";
import type { Rates } from "../model/rates.ts";
import type { AnalysisSettings } from "../settings.ts";
import { step as vectorTransformation } from "../steps/4-vector-transformation/step.ts";
import { choosePart, type SamplePart } from "./choose-part.ts";
import { judgeTwin, type TwinScores } from "./judge-twin.ts";
import type { SELF_TEST_READS } from "./self-test-reads.ts";
import { drawTwin } from "./twin.ts";

/** Cells in the twin; larger samples are represented by a square of this many. */
const MAX_CELLS = 6000;
/** Genes that the twin's fit learns from, and randomly drawn genes that it is evaluated on. */
const LEARNING_GENES = 250;
const JUDGED_GENES = 150;
/** A gene with fewer UMIs over all spots than this cannot be evaluated. */
export const MIN_COUNTS = 50;
const MIN_SPOTS = 30;

type Read = <K extends (typeof SELF_TEST_READS)[number]>(key: K) => Promise<Field<K>>;

/**
 * Tests the analysis on a synthetic twin: a sample with the same cells, looks, spots, depth, and bleed whose every cell
 * is known, drawn from the fitted model and analyzed by step 4 like the sample (with the basic fit). In the twin every
 * cell is found and follows the model, so its scores are compared with each other, and the accuracy to expect in the
 * sample itself comes from genes/cell_pcc. Seeded. Takes about as long as step 4 on 6,000 cells and 400 genes, whatever
 * the sample's size.
 */
export async function runSelfTest(
  read: Read,
  rates: Rates,
  options: {
    /** Types fitted to the sample, if any. */
    types: TypeFit | null;
    seed: number;
    signal: AbortSignal;
    progress?(fraction: number): void;
  },
): Promise<SelfTest> {
  const { types, seed, signal, progress } = options;
  if ((await read("sample/segmentation")).method === "spot_level") {
    return skipped("The results are not for single cells.");
  }
  const scale = await read("sample/scale");
  const cellsXy = await read("cells/xy");
  const spotsXy = await read("spots/xy");
  const part = choosePart(cellsXy, spotsXy, await read("spots/cells"), MAX_CELLS);
  const usable = part.spots.filter((_, s) => part.overlap.indptr[s + 1] > part.overlap.indptr[s]);
  if (usable.length < MIN_SPOTS) {
    return skipped(
      `Only ${usable.length} spots or bins contain cells; the self-test needs at least ${MIN_SPOTS}.`,
    );
  }
  const chosen = chooseGenes(
    {
      totals: await read("genes/spot_total"),
      excess: await read("genes/excess"),
      reliable: await read("genes/reliable"),
    },
    types?.types.flatMap(({ markers }) => markers) ?? [],
    seed,
  );
  if (chosen.all.length === 0) {
    return skipped(`No gene has ${MIN_COUNTS} UMIs, so there is nothing to test.`);
  }
  const model = {
    membership: await read("cells/membership"),
    profile: await read("genes/profile"),
    efficiency: await read("spots/efficiency"),
    rates,
  };
  const twin = await drawTwin(model, part, chosen.genes, seed);
  progress?.(0.1);
  const where = {
    cellsXy: selectRows(cellsXy, part.cells),
    spotsXy: selectRows(spotsXy, part.spots),
    pitchPx: scale.pitchUm / scale.micronsPerPixel,
  };
  const fields = {
    ...(await fieldsOfPart(read, part, chosen.genes)),
    "spots/xy": where.spotsXy,
    "spots/counts": twin.counts,
    "spots/X_pca": twin.spotPca,
    "cells/xy": where.cellsXy,
  };
  const run = await runInMemory(vectorTransformation, fields, {
    // The twin has too few genes to guess them.
    settings: { seed, ...(types && givenBy(types)) },
    signal,
    progress: (fraction) => progress?.(0.1 + 0.8 * fraction),
  });
  const scores = judgeTwin(twin, ratesOfFields(run.fields).column, where, chosen, seed);
  const expected = expectedOf(await read("genes/cell_pcc"), chosen);
  return {
    skipped: null,
    nCells: part.cells.length,
    nSpots: usable.length,
    wholeSample: part.cells.length === cellsXy.nRows,
    nGenes: chosen.all.length,
    nReliableGenes: chosen.reliable.length,
    expected,
    scores,
    sentence: sentenceOf(scores, expected),
  };
}

/** What step 4 reads of the part, but for positions and counts. */
async function fieldsOfPart(read: Read, part: SamplePart, genes: Uint32Array) {
  const symbols = await read("genes/symbol");
  const ids = await read("genes/id");
  const observed = await read("cells/observed");
  const spotPlace = new Map(Array.from(part.spots, (spot, to) => [spot, to]));
  const spotOf = await read("cells/spot");
  return {
    "sample/scale": await read("sample/scale"),
    "sample/segmentation": await read("sample/segmentation"),
    "spots/cells": part.overlap,
    "cells/features": selectRows(await read("cells/features"), part.cells),
    "features/name": await read("features/name"),
    "cells/observed": Uint8Array.from(part.cells, (cell) => observed[cell]),
    "cells/spot": Int32Array.from(part.cells, (cell) => spotPlace.get(spotOf[cell]) ?? -1),
    "genes/symbol": Array.from(genes, (gene) => symbols[gene]),
    "genes/id": Array.from(genes, (gene) => ids[gene]),
  };
}

function skipped(reason: string): SelfTest {
  return {
    skipped: reason,
    nCells: 0,
    nSpots: 0,
    wholeSample: false,
    nGenes: 0,
    nReliableGenes: 0,
    expected: null,
    scores: null,
    sentence: `The expected accuracy could not be tested. ${reason}`,
  };
}

/** Medians of the genes' expected correlations in the sample. */
function expectedOf(
  { data, nCols }: Matrix<Float32Array>,
  { genes, all, reliable }: ChosenGenes,
): TwinScore | null {
  const of = (list: readonly number[]): number | null => {
    const known = list.map((gene) => data[genes[gene] * nCols]).filter(Number.isFinite);
    return known.length > 0 ? median(known) : null;
  };
  const ofAll = of(all);
  return ofAll === null ? null : { all: ofAll, reliable: of(reliable) };
}

/**
 * In words: the accuracy to expect, and that in the twin, compared with interpolation, which needs no model, and with
 * the limit set by noise.
 */
function sentenceOf(
  { rate, interpolation, shuffled, ceiling }: TwinScores,
  expected: TwinScore | null,
): string {
  // Rounded first, so that a tiny negative value is 0.00, not −0.00.
  const figure = (value: number): string => (Math.round(100 * value) / 100 + 0).toFixed(2);
  const gain =
    rate.all > 1.1 * interpolation.all
      ? "better than"
      : rate.all < 0.9 * interpolation.all
        ? "worse than"
        : "no better than";
  return (
    (expected
      ? `Expect inferred rates to correlate with the true counts of single cells at about ${figure(expected.all)} ` +
        `(median over genes with ${MIN_COUNTS} UMIs or more; calibrated on tissues whose cells are known). `
      : "") +
    `On a synthetic twin of this sample, in which every cell is found and follows the model, the correlation is ${figure(rate.all)}, ` +
    `${gain} interpolation (${figure(interpolation.all)}). ` +
    `Shuffled cells reach ${figure(shuffled.all)}, and the best that this noise allows is ${figure(ceiling.all)}.`
  );
}

/** The sample's species and tissue as settings. */
function givenBy({ species, tissue }: TypeFit): Partial<AnalysisSettings> {
  return {
    ...((species === "human" || species === "mouse") && { species }),
    ...(tissue !== "unknown" && { tissue: tissue as AnalysisSettings["tissue"] }),
  };
}

interface ChosenGenes {
  /** Genes of the twin, as indices in the sample. */
  genes: Uint32Array;
  /** Evaluated genes, drawn from all with enough counts and from the reliable ones, as indices in the twin. */
  all: number[];
  reliable: number[];
}

/** Chooses the twin's genes, the types' markers among them. */
function chooseGenes(
  {
    totals,
    excess,
    reliable,
  }: Record<"totals" | "excess", Float64Array> & { reliable: Uint8Array },
  markers: readonly number[],
  seed: number,
): ChosenGenes {
  const counted = Array.from(totals.keys()).filter((gene) => totals[gene] >= MIN_COUNTS);
  new Random(seed).shuffle(counted);
  const judged = counted.slice(0, JUDGED_GENES);
  const judgedReliable = counted.filter((gene) => reliable[gene] === 1).slice(0, JUDGED_GENES);
  const learning = mostInformative(excess, LEARNING_GENES).genes;
  const genes = Uint32Array.from(
    new Set([...learning, ...markers, ...judged, ...judgedReliable]),
  ).sort();
  const place = new Map(Array.from(genes, (gene, at) => [gene, at]));
  const placed = (list: number[]): number[] => list.map((gene) => place.get(gene)!);
  return { genes, all: placed(judged), reliable: placed(judgedReliable) };
}

function selectRows<T extends Float32Array | Float64Array>(
  matrix: Matrix<T>,
  rows: Uint32Array,
): Matrix<T> {
  const { nCols, data } = matrix;
  const out = new (data.constructor as new (length: number) => T)(rows.length * nCols);
  rows.forEach((row, to) => out.set(data.subarray(row * nCols, (row + 1) * nCols), to * nCols));
  return { nRows: rows.length, nCols, data: out };
}
