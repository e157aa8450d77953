import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { InputError, throwIfCancelled } from "@stipple/pipeline/errors";
import { Random } from "@stipple/numerics/random";
import type { Matrix } from "@stipple/numerics/matrices";
import { averageKind, lookOf, placeCells, type Cells } from "./anatomy/place-cells.ts";
import { mapTissue, type TissueMap } from "./anatomy/tissue-map.ts";
import { HUMAN_BREAST_TUMOR } from "./catalog/human-breast-tumor.ts";
import { MOUSE_BRAIN } from "./catalog/mouse-brain.ts";
import type { TissuePlan } from "./catalog/tissue-plan.ts";
import { genePanel, type Gene } from "./expression/genes.ts";
import { cellCounts, expectedTotal, expressionRates, spotCounts } from "./expression/rates.ts";
import { transcriptomeRates, SPOT_NOISE } from "./expression/transcriptome-rates.ts";
import { transcriptome } from "./expression/transcriptome.ts";
import { asPainted } from "./image-difficulty.ts";
import { MAX_PANEL_GENES, tissueOptions, type TissueOptions } from "./options.ts";
import { paintFluorescence } from "./paint/fluorescence-image.ts";
import { paintHe } from "./paint/he-image.ts";
import type { Raster } from "./paint/raster.ts";
import { SIMULATORS } from "./platforms/index.ts";
import { storeAsJpeg } from "./write/scanner.ts";
import { writeImage } from "./write/spatial.ts";
import { writeTruth } from "./write/truth.ts";

export interface SimulateRequest extends Partial<TissueOptions> {
  /** Folder to write: the platform's own files, plus image.tif and truth/. */
  out: string;
  /** Measured cells to use instead of simulated expression, beneath the rendered image. */
  measured?: MeasuredCells;
  /** Fraction done, 0–1. */
  progress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/** Individually measured cells, by the simulated kind that they replace. */
export interface MeasuredCells {
  genes: readonly Gene[];
  /** Some cells for every kind in the plan, each with a rate for every gene. */
  ofKind(name: string): readonly Float32Array[];
}

export interface SimulatedTissue {
  /** The folder of the sample's files, which also contains image.tif. */
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
 * Simulates a tissue in which every cell is known and writes it in its platform's format. Equal options give
 * equal files (except for the time stamps in HDF5 files). Throws InputError for an option out of range. Takes
 * about 8 s on one core for the default 1.2 mm square.
 */
export async function simulateTissue(request: SimulateRequest): Promise<SimulatedTissue> {
  const { out, progress = () => undefined, signal, measured, ...given } = request;
  const options = tissueOptions(given);
  const plan = options.species === "mouse" ? MOUSE_BRAIN : HUMAN_BREAST_TUMOR;
  const pause = async (fraction: number): Promise<void> => {
    progress(fraction);
    await nextTurn();
    throwIfCancelled(signal);
  };
  await makeFolder(out);
  const map = mapTissue(plan, options);
  const seen = asPainted(options);
  const cells = placeCells(plan, map, seen);
  await pause(0.05);

  const average = averageKind(plan.kinds);
  const looks = plan.kinds.map((kind) => lookOf(kind, average, options.morphologyInformative));
  const whole = !measured && options.nGenes > MAX_PANEL_GENES;
  const genes =
    measured?.genes ?? (whole ? transcriptome : genePanel)(plan, options.nGenes, options.seed);
  checkRoom(cells.count, genes.length);
  const rates = measured
    ? measuredRates(measured, plan, cells, options.seed)
    : (whole ? transcriptomeRates : expressionRates)(plan, genes, cells, options);
  const simulator = SIMULATORS[options.platform];
  const array = simulator.array(map, cells, looks, options);
  await pause(0.15);

  // Scales the depth so that spots under tissue have the requested mean count.
  const under = array.inTissue.reduce((sum, value) => sum + value, 0);
  const total = expectedTotal(array.capture, rates, (spot) => array.inTissue[spot] === 1);
  const depth = total > 0 ? (options.umiPerSpot * under) / total : 0;
  for (let i = 0; i < rates.data.length; i++) rates.data[i] *= depth;
  const random = new Random(options.seed + 9 * 2 ** 32);
  const first = { array, counts: spotCounts(array.capture, rates, random, whole ? SPOT_NOISE : 0) };
  const known = cellCounts(rates, random);
  const captured = [first, ...(simulator.sums?.(first) ?? [])];
  const finest = simulator.finest?.(first, rates, options) ?? null;
  await pause(0.25);

  const genome = options.species === "mouse" ? "GRCm39" : "GRCh38";
  const sums: { nSpots: number; totalCounts: number }[] = [];
  for (const part of captured) {
    sums.push(await simulator.writeCounts(out, part, genes, genome));
  }
  if (finest) await simulator.writeCounts(out, finest, genes, genome, "filtered_h5");
  await writeTruth(out, {
    options,
    plan,
    looks,
    cells,
    genes,
    counts: known,
    rates,
    arrays: captured.map((part) => part.array),
    captured: finest?.captured ?? null,
  });
  await pause(0.35);

  const raster = await painted(plan, map, cells, seen, (done) => progress(0.35 + 0.5 * done));
  await pause(0.85);
  for (const part of finest ? [...captured, finest] : captured) {
    await simulator.writePositions(out, part.array, raster, options);
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
    ...sums[0],
  };
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((cause: unknown) => {
    throw new InputError(
      `Cannot write to ${path}: choose a folder that you have permission to write to.`,
      { cause },
    );
  });
}

/** The image; a difficult one in color has been stored as JPEG, as scanners do. */
async function painted(
  plan: TissuePlan,
  map: TissueMap,
  cells: Cells,
  options: TissueOptions,
  progress: (fraction: number) => void,
): Promise<Raster> {
  if (options.staining === "if") return paintFluorescence(plan, map, cells, options, progress);
  const raster = paintHe(plan, map, cells, options, progress);
  const { imageDifficulty } = options;
  if (imageDifficulty > 0) await storeAsJpeg(raster, Math.round(100 - 20 * imageDifficulty));
  return raster;
}

/** Rates are held in memory, cells × genes: 2 GB at most. */
const MAX_RATES = 5e8;

function checkRoom(nCells: number, nGenes: number): void {
  if (nCells * nGenes <= MAX_RATES) return;
  throw new InputError(
    `${nCells} cells with ${nGenes} genes are more than the simulator can hold: use a smaller size, a lower cell density, or at most ${Math.floor(MAX_RATES / nCells)} genes.`,
  );
}

/** Each cell gets the rates of a randomly drawn measured cell of its kind. */
function measuredRates(
  { genes, ofKind }: MeasuredCells,
  plan: TissuePlan,
  cells: Cells,
  seed: number,
): Matrix<Float32Array> {
  const random = new Random(seed + 10 * 2 ** 32);
  const known = plan.kinds.map(({ name }) => ofKind(name));
  const data = new Float32Array(cells.count * genes.length);
  for (let cell = 0; cell < cells.count; cell++) {
    const choices = known[cells.kind[cell]];
    data.set(choices[random.below(choices.length)], cell * genes.length);
  }
  return { nRows: cells.count, nCols: genes.length, data };
}
