import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { throwIfCancelled } from "@stipple/pipeline/errors";
import { Random } from "@stipple/pipeline/numerics/random";
import { averageKind, lookOf, placeCells } from "./anatomy/place-cells.ts";
import { mapTissue } from "./anatomy/tissue-map.ts";
import { captureMatrix, layOutSpots } from "./capture/spots.ts";
import { HUMAN_BREAST_TUMOUR } from "./catalogue/human-breast-tumour.ts";
import { MOUSE_BRAIN } from "./catalogue/mouse-brain.ts";
import { genePanel } from "./expression/genes.ts";
import { expectedSpotCounts, expressionRates, poissonCounts } from "./expression/rates.ts";
import { tissueOptions, type TissueOptions } from "./options.ts";
import { paintHe } from "./paint/he-image.ts";
import { selectRows, writeFeatureH5, writeMex } from "./write/feature-matrix.ts";
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
  /** Spots under tissue. */
  nSpots: number;
  nGenes: number;
  totalCounts: number;
}

/**
 * Makes a tissue whose every cell is known and writes it as Space Ranger would have. Equal options give equal
 * files (but for the time that HDF5 stamps into its own).
 * Throws InputError for an option out of range. About 8 s for the default 1.2 mm square on one core.
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
  await mkdir(out, { recursive: true });
  const map = mapTissue(plan, options);
  const cells = placeCells(plan, map, options);
  await pause(0.05);

  const average = averageKind(plan.kinds);
  const looks = plan.kinds.map((kind) => lookOf(kind, average, options.morphologyInformative));
  const genes = genePanel(plan, options.nGenes, options.seed);
  const rates = expressionRates(plan, genes, cells, options);
  const spots = layOutSpots(map, options);
  const capture = captureMatrix(spots, cells, looks, options);
  await pause(0.15);

  // The depth is set so that a spot under tissue has the wanted mean count.
  const expected = expectedSpotCounts(capture, rates);
  let total = 0;
  for (let spot = 0; spot < spots.count; spot++) {
    if (!spots.inTissue[spot]) continue;
    for (let gene = 0; gene < genes.length; gene++) total += expected[spot * genes.length + gene]!;
  }
  const under = spots.inTissue.reduce((sum, value) => sum + value, 0);
  const depth = total > 0 ? (options.umiPerSpot * under) / total : 0;
  for (let i = 0; i < expected.length; i++) expected[i]! *= depth;
  for (let i = 0; i < rates.data.length; i++) rates.data[i]! *= depth;
  const random = new Random(options.seed + 9 * 2 ** 32);
  const spotCounts = poissonCounts(
    { data: expected, nRows: spots.count, nCols: genes.length },
    random,
  );
  const cellCounts = poissonCounts(rates, random);
  await pause(0.25);

  const genome = options.species === "mouse" ? "GRCm39" : "GRCh38";
  const byBarcode = Array.from({ length: spots.count }, (_, spot) => spot).sort((a, b) =>
    spots.barcode[a]! < spots.barcode[b]! ? -1 : 1,
  );
  const filtered = byBarcode.filter((spot) => spots.inTissue[spot] === 1);
  const matrixOf = (rows: readonly number[]) => ({
    barcodes: rows.map((spot) => spots.barcode[spot]!),
    genes,
    genome,
    counts: selectRows(spotCounts, rows),
  });
  const matrix = matrixOf(filtered);
  await writeMex(join(out, "filtered_feature_bc_matrix"), matrix);
  await writeFeatureH5(join(out, "filtered_feature_bc_matrix.h5"), matrix);
  await writeFeatureH5(join(out, "raw_feature_bc_matrix.h5"), matrixOf(byBarcode));
  await writeTruth(out, {
    options,
    plan,
    looks,
    cells,
    genes,
    counts: cellCounts,
    rates,
    capture: selectRows(capture, byBarcode),
    barcodes: byBarcode.map((spot) => spots.barcode[spot]!),
  });
  await pause(0.35);

  const raster = paintHe(plan, map, cells, options, (fraction) => {
    progress(0.35 + 0.5 * fraction);
  });
  await pause(0.85);
  await writeSpatial(out, spots, raster, options.umPerPx);
  const image = join(out, "image.tif");
  await writeImage(image, raster, options.umPerPx);
  await pause(1);
  return {
    outs: out,
    image,
    truth: join(out, "truth"),
    options,
    nCells: cells.count,
    nSpots: filtered.length,
    nGenes: genes.length,
    totalCounts: matrix.counts.data.reduce((sum, value) => sum + value, 0),
  };
}
