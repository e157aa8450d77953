import { counted } from "@stipple/contract/counted";
import { writeFile } from "node:fs/promises";
import { InputError } from "../../errors.ts";
import type { BleedModel, AlignmentScale } from "../../facts.ts";
import type { SparseMatrix, Matrix } from "@stipple/numerics/matrices";
import { captureNoun } from "../../model/row-noun.ts";
import { identityMatrix } from "@stipple/numerics/sparse";
import type { StepContext } from "../../step.ts";
import { captureMatrix, type Capture, type CaptureRequest } from "./capture-matrix.ts";
import { assignFineBins } from "./fine-bins/assign-fine-bins.ts";
import { LONGEST_LENGTH_UM, type IntegrationParameters } from "./step.ts";
import KDBush from "kdbush";
import { CELL_EVIDENCE } from "@stipple/contract";

const DEFAULT_BETA = 0.25;
const DEFAULT_LENGTH_UM = { disc: 80, square: 8 } as const;

type Context = StepContext<IntegrationParameters>;

export async function run(context: Context): Promise<void> {
  const { params, read, write, output, progress, log, warn, signal } = context;
  const { method } = await read("sample/segmentation");
  if (method === "spot_level") return useSpots(context);
  const scale = await read("sample/scale");
  const spots = await read("spots/xy");
  const cellXy = await read("cells/xy");
  const bleed = await bleedOf(context);
  progress(0.1);
  const places = { spots, cellXy, polygons: await read("cells/polygon"), scale, signal };
  const seen = await usedSpots(context, scale);
  const use = method === "given" ? await touchedSpots(context, places, seen) : seen;
  const capture = await captureMatrix({
    ...places,
    use,
    bleed,
    progress: (fraction) => progress(0.1 + 0.5 * fraction),
  });
  const observed = Uint8Array.from(capture.totalOverlap, (overlap) => (overlap > 0 ? 1 : 0));
  const evidence = cellEvidence(observed, cellXy, { spots, use }, scale, params.reach);
  await write("spots/cells", capture.weights);
  await write("cells/spot", assignSpots(capture.bestSpot, cellXy, spots, scale));
  await write("cells/observed", observed);
  await write("cells/evidence", evidence);
  const barcodes = await read("spots/barcode");
  await writeFile(output("cells_per_spot.csv"), cellsPerSpot(barcodes, capture.weights, capture));
  const nObserved = observed.reduce((sum, value) => sum + value, 0);
  const lost = evidence.reduce((sum, value) => sum + (value === 2 ? 1 : 0), 0);
  const noun = captureNoun(scale);
  const percent = cellXy.nRows > 0 ? (100 * nObserved) / cellXy.nRows : 0;
  log(
    `${nObserved.toLocaleString("en-US")} of ${counted(cellXy.nRows, "cell")} (${percent.toFixed(0)}%) overlap a ${noun}; ${lost.toLocaleString("en-US")} are more than ${reachUm(scale, params.reach)} µm from any ${noun}.`,
  );
  log(
    `Bleed: ${(bleed.beta * 100).toFixed(0)}% of a ${noun}'s counts come from outside it, over ${bleed.lengthUm} µm (${bleed.source === "given" ? "as set" : "default"}).`,
  );
  if (nObserved > 0) {
    await assignFineBins(context, observed, bleed, (fraction) => progress(0.6 + 0.4 * fraction));
  } else if (cellXy.nRows > 0) {
    warn(
      `No cell overlaps a ${noun}: check that the image and the positions are from the same sample and at the same scale.`,
    );
  }
}

/** Each pseudo-cell is its spot: nothing is shared, and bleed is not modeled. */
async function useSpots({ files, read, write, output, log }: Context): Promise<void> {
  const barcodes = await read("spots/barcode");
  const n = barcodes.length;
  const weights = identityMatrix(n);
  await write("spots/cells", weights);
  await write(
    "cells/spot",
    new Int32Array(n).map((_, i) => i),
  );
  await write("cells/observed", new Uint8Array(n).fill(1));
  await write("cells/evidence", new Uint8Array(n));
  await write("sample/bleed", { beta: 0, lengthUm: DEFAULT_LENGTH_UM.disc, source: "default" });
  await writeFile(output("cells_per_spot.csv"), cellsPerSpot(barcodes, weights, null));
  const noun = captureNoun(await read("sample/scale"));
  log(`${counted(n, noun)} are analyzed directly, without cells.`);
  if (files.fineBins) log("The 2 µm bins were not used because no cells were found.");
}

/**
 * 1 for spots that tell something about the cells of the image: those that it shows, unless they failed and hold no
 * counts at all. Bins without counts are no failures.
 */
async function usedSpots(
  { read }: Context,
  { spotShape }: Pick<AlignmentScale, "spotShape">,
): Promise<Uint8Array> {
  const seen = await read("spots/seen");
  if (spotShape === "square") return seen;
  const totals = await read("spots/total_counts");
  return seen.map((isSeen, spot) => (totals[spot] > 0 ? isSeen : 0));
}

/**
 * Outlines from another program may be of a part of the tissue. Spots that touch none then count cells without outlines,
 * so only the others say something about the cells, if there are any. Bins are smaller than cells.
 */
async function touchedSpots(
  { log }: Context,
  places: Pick<CaptureRequest, "spots" | "cellXy" | "polygons" | "scale" | "signal">,
  use: Uint8Array,
): Promise<Uint8Array> {
  if (places.scale.spotShape === "square") return use;
  const { weights } = await captureMatrix({ ...places, use, bleed: { beta: 0, lengthUm: 1 } });
  const touched = use.map((_, spot) => Number(weights.indptr[spot + 1] > weights.indptr[spot]));
  const lost = use.filter((isUsed, spot) => isUsed && !touched[spot]).length;
  if (lost === 0 || !touched.includes(1)) return use;
  log(`${counted(lost, "spot")} without an outline in them tell nothing about the outlined cells.`);
  return touched;
}

/** Writes the bleed: as set, otherwise the usual one. */
async function bleedOf({ params: { beta, lengthUm }, read, write }: Context): Promise<BleedModel> {
  const { spotShape } = await read("sample/scale");
  const longest = LONGEST_LENGTH_UM[spotShape];
  if (lengthUm !== null && lengthUm > longest) {
    throw new InputError(
      `The parameter matrix-integration.lengthUm must be at most ${longest} for bins.`,
    );
  }
  const bleed: BleedModel = {
    beta: beta ?? DEFAULT_BETA,
    lengthUm: lengthUm ?? DEFAULT_LENGTH_UM[spotShape],
    source: beta === null && lengthUm === null ? "default" : "given",
  };
  await write("sample/bleed", bleed);
  return bleed;
}

/**
 * A table with the number of cells that are mostly in each spot, and what the spot captures in units of whole
 * cells.
 */
function cellsPerSpot(
  barcodes: readonly string[],
  weights: SparseMatrix,
  capture: Capture | null,
): string {
  const cells = new Int32Array(weights.nRows);
  if (capture) for (const s of capture.bestSpot) if (s >= 0) cells[s]++;
  const lines = ["barcode,cells,captured_cells"];
  for (let s = 0; s < weights.nRows; s++) {
    let sum = 0;
    for (let k = weights.indptr[s]; k < weights.indptr[s + 1]; k++) sum += weights.data[k];
    lines.push(`${barcodes[s]},${capture ? cells[s] : 1},${sum.toFixed(3)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** A cell that overlaps no spot is still assigned to the nearest one within this distance, or two pitches. */
const NEAREST_UM = 100;

/**
 * The spot under which each cell is reported: the one that covers most of it, else the nearest one within 100 µm or two
 * pitches, else -1. O(cells · log spots).
 */
export function assignSpots(
  bestSpot: Int32Array,
  cellXy: Matrix,
  spots: Matrix,
  scale: { micronsPerPixel: number; pitchUm: number },
): Int32Array {
  const result = bestSpot.slice();
  const index = indexOf(spots);
  const reach = Math.max(NEAREST_UM, 2 * scale.pitchUm) / scale.micronsPerPixel;
  for (let c = 0; c < cellXy.nRows; c++) {
    if (result[c] >= 0) continue;
    const x = cellXy.data[2 * c];
    const y = cellXy.data[2 * c + 1];
    let nearest = Infinity;
    for (const s of index.within(x, y, reach)) {
      const d = (spots.data[2 * s] - x) ** 2 + (spots.data[2 * s + 1] - y) ** 2;
      if (d < nearest || (d === nearest && s < result[c])) {
        nearest = d;
        result[c] = s;
      }
    }
  }
  return result;
}

function indexOf({ nRows, data }: Matrix): KDBush {
  const index = new KDBush(nRows);
  for (let s = 0; s < nRows; s++) index.add(data[2 * s], data[2 * s + 1]);
  return index.finish();
}

const MEASURED = CELL_EVIDENCE.indexOf("measured");
const INFERRED = CELL_EVIDENCE.indexOf("inferred");
const BEYOND_REACH = CELL_EVIDENCE.indexOf("beyond_reach");

/** Bins are closer together than cells are wide, so the bin distance alone would be too short. */
const MIN_REACH_UM = 20;

/**
 * Maximum distance from a spot's center at which a cell can be inferred from it: a multiple of the spot
 * distance, at least 20 µm.
 */
export function reachUm({ pitchUm }: Pick<AlignmentScale, "pitchUm">, reach = 1): number {
  return Math.max(MIN_REACH_UM, reach * pitchUm);
}

/** The evidence for each cell's expression, as an index into CELL_EVIDENCE. O(cells · log spots). */
export function cellEvidence(
  observed: Uint8Array,
  cellXy: Matrix,
  { spots, use }: { spots: Matrix; use: Uint8Array },
  scale: Pick<AlignmentScale, "pitchUm" | "micronsPerPixel">,
  distances = 1,
): Uint8Array<ArrayBuffer> {
  const index = indexOf(spots);
  const reach = reachUm(scale, distances) / scale.micronsPerPixel;
  return Uint8Array.from(observed, (touched, c) => {
    if (touched) return MEASURED;
    const near = index.within(cellXy.data[2 * c], cellXy.data[2 * c + 1], reach);
    return near.some((spot) => use[spot] === 1) ? INFERRED : BEYOND_REACH;
  });
}
