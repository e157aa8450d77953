import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { InputError, throwIfCancelled } from "@stipple/pipeline/errors";
import type { SparseMatrix } from "@stipple/pipeline/fields";
import { Random } from "@stipple/pipeline/numerics/random";
import { averageKind, lookOf, placeCells } from "./anatomy/place-cells.ts";
import { mapTissue } from "./anatomy/tissue-map.ts";
import type { CaptureArray } from "./capture/capture-array.ts";
import { hdArray, mergeBins } from "./capture/hd-arrays.ts";
import { visiumArray } from "./capture/visium-array.ts";
import { HUMAN_BREAST_TUMOUR } from "./catalogue/human-breast-tumour.ts";
import { MOUSE_BRAIN } from "./catalogue/mouse-brain.ts";
import { genePanel, type Gene } from "./expression/genes.ts";
import { cellCounts, expectedTotal, expressionRates, spotCounts } from "./expression/rates.ts";
import { tissueOptions, type TissueOptions } from "./options.ts";
import { paintFluorescence } from "./paint/fluorescence-image.ts";
import { paintHe } from "./paint/he-image.ts";
import {
  selectRows,
  writeFeatureH5,
  writeMex,
  type FeatureMatrix,
} from "./write/feature-matrix.ts";
import { writeImage, writeSpatial } from "./write/spatial.ts";
import { writeTruth } from "./write/truth.ts";

export interface SimulateRequest extends Partial<TissueOptions> {
  /** Folder to write: a Space Ranger `outs` layout, plus image.tif and truth/. */
  out: string;
  /** Fraction done, 0–1. */
  progress?: (fraction: number) => void;
  signal?: AbortSignal;
}

export interface SimulatedTissue {
  /** The `outs` folder, which also holds image.tif. */
  outs: string;
  image: string;
  truth: string;
  options: TissueOptions;
  nCells: number;
  /** Spots (HD: 8 µm bins) under tissue. */
  nSpots: number;
  nGenes: number;
  totalCounts: number;
}

/**
 * Makes a tissue whose every cell is known and writes it as Space Ranger would have. Equal options give equal
 * files (but for the time that HDF5 stamps into its own).
 * Throws InputError for an option out of range. About 8 s of one core for the default 1.2 mm square.
 */
export async function simulateTissue(request: SimulateRequest): Promise<SimulatedTissue> {
  const { out, progress = () => undefined, signal, ...given } = request;
  const options = tissueOptions(given);
  const plan = options.species === "mouse" ? MOUSE_BRAIN : HUMAN_BREAST_TUMOUR;
  const pause = async (fraction: number): Promise<void> => {
    progress(fraction);
    await nextTurn();
    throwIfCancelled(signal);
  };
  await mkdir(out, { recursive: true }).catch((cause: unknown) => {
    throw new InputError(`Nothing can be written to ${out}: give a folder that you may write to.`, {
      cause,
    });
  });
  const map = mapTissue(plan, options);
  const cells = placeCells(plan, map, options);
  await pause(0.05);

  const average = averageKind(plan.kinds);
  const looks = plan.kinds.map((kind) => lookOf(kind, average, options.morphologyInformative));
  const genes = genePanel(plan, options.nGenes, options.seed);
  const rates = expressionRates(plan, genes, cells, options);
  const array = (options.platform === "hd_visium" ? hdArray : visiumArray)(
    map,
    cells,
    looks,
    options,
  );
  await pause(0.15);

  // The depth is set so that a spot under tissue has the wanted mean count.
  const under = array.inTissue.reduce((sum, value) => sum + value, 0);
  const total = expectedTotal(array.capture, rates, (spot) => array.inTissue[spot] === 1);
  const depth = total > 0 ? (options.umiPerSpot * under) / total : 0;
  for (let i = 0; i < rates.data.length; i++) rates.data[i]! *= depth;
  const random = new Random(options.seed + 9 * 2 ** 32);
  const captured = [{ array, counts: spotCounts(array.capture, rates, random) }];
  const known = cellCounts(rates, random);
  if (options.platform === "hd_visium") captured.push(mergeBins(array, captured[0]!.counts));
  await pause(0.25);

  const genome = options.species === "mouse" ? "GRCm39" : "GRCh38";
  const sums: { nSpots: number; totalCounts: number }[] = [];
  for (const part of captured) {
    sums.push(await writeCounts(folderOf(out, part.array), part.array, part.counts, genes, genome));
  }
  await writeTruth(out, {
    options,
    plan,
    looks,
    cells,
    genes,
    counts: known,
    rates,
    arrays: captured.map((part) => part.array),
  });
  await pause(0.35);

  const paint = options.staining === "if" ? paintFluorescence : paintHe;
  const raster = paint(plan, map, cells, options, (fraction) => {
    progress(0.35 + 0.5 * fraction);
  });
  await pause(0.85);
  for (const part of captured) {
    await writeSpatial(
      join(folderOf(out, part.array), "spatial"),
      part.array,
      raster,
      options.umPerPx,
    );
  }
  const image = join(out, "image.tif");
  await writeImage(image, raster, options.umPerPx);
  await pause(1);
  return {
    outs: out,
    image,
    truth: join(out, "truth"),
    options,
    nCells: cells.count,
    nGenes: genes.length,
    ...sums[0]!,
  };
}

/** Where Space Ranger puts the files of an array. */
function folderOf(out: string, array: CaptureArray): string {
  return array.name === "visium" ? out : join(out, "binned_outputs", array.name);
}

/** Writes the filtered matrix (spots under tissue) in both formats and the raw one as HDF5, barcodes sorted. */
async function writeCounts(
  folder: string,
  array: CaptureArray,
  counts: SparseMatrix,
  genes: readonly Gene[],
  genome: string,
): Promise<{ nSpots: number; totalCounts: number }> {
  await mkdir(folder, { recursive: true });
  const sorted = Array.from({ length: array.count }, (_, spot) => spot).sort((a, b) =>
    array.barcode[a]! < array.barcode[b]! ? -1 : 1,
  );
  const matrixOf = (rows: readonly number[]): FeatureMatrix => ({
    barcodes: rows.map((spot) => array.barcode[spot]!),
    genes,
    genome,
    counts: selectRows(counts, rows),
  });
  const filtered = matrixOf(sorted.filter((spot) => array.inTissue[spot] === 1));
  await writeMex(join(folder, "filtered_feature_bc_matrix"), filtered);
  await writeFeatureH5(join(folder, "filtered_feature_bc_matrix.h5"), filtered);
  await writeFeatureH5(join(folder, "raw_feature_bc_matrix.h5"), matrixOf(sorted));
  return {
    nSpots: filtered.barcodes.length,
    totalCounts: filtered.counts.data.reduce((sum, value) => sum + value, 0),
  };
}
