import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stepFolder } from "@stipple/contract";
import sharp, { type Sharp } from "sharp";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { Polygons, SparseMatrix } from "@stipple/numerics/matrices";
import { FIELDS, type Field, type StoredKey } from "../../fields.ts";
import { Random } from "@stipple/numerics/random";
import { rowSums, transpose } from "@stipple/numerics/sparse";
import type { SampleFiles } from "../../readers/sample-files.ts";
import { analysisSettings, onlySettings, type AnalysisSettings } from "../../settings.ts";
import type { StepContext, StepDefinition } from "../../step.ts";
import { geneExcess } from "../../steps/4-vector-transformation/informative-genes.ts";
import { steps } from "../../steps/index.ts";
import { writeField } from "../field-store.ts";
import { readManifests } from "../manifest.ts";
import { writeManifest } from "../published-files.ts";
import { hasResult, openStaging, publishStep, readResult, SHARED } from "../results-folder.ts";

export interface SimulatedSize {
  cells: number;
  spots: number;
  genes: number;
  prototypes?: number;
  /** Width and height of the tissue, full-resolution px. */
  sidePx?: number;
}

const MICRONS_PER_PIXEL = 0.5;
const TYPES = ["Neuron", "Astrocyte", "Microglia", "Unknown"];
const COLORS = ["#0072B2", "#E69F00", "#009E73", "#C9D1DA"];

/**
 * A results folder as steps 0–5 would leave it, and matching input, for tests and benchmarks of the later
 * steps: cells of four types in stripes, half of them under spots, with exactly conserved integer counts.
 */
export async function writeSimulatedResults(
  folder: string,
  size: SimulatedSize,
): Promise<{ results: string; files: SampleFiles }> {
  const { cells: nCells, spots: nSpots, genes: nGenes, prototypes: k = 8, sidePx = 1000 } = size;
  const random = new Random(7);
  const results = join(folder, "results");
  const put = async <K extends StoredKey>(key: K, value: Field<K>): Promise<void> => {
    const target = join(results, stepFolder(FIELDS[key].step));
    await mkdir(target, { recursive: true });
    await writeField(target, key, value);
  };

  const cellXy = latticePoints(nCells, sidePx, random);
  const spotXy = latticePoints(nSpots, sidePx, random);
  const typeOf = Int32Array.from({ length: nCells }, (_, c) =>
    Math.min(3, Math.floor((4 * cellXy[2 * c]) / sidePx)),
  );
  const observed = Uint8Array.from({ length: nCells }, (_, c) => (c % 2 === 0 ? 1 : 0));
  const spotOf = Int32Array.from({ length: nCells }, (_, c) => (c % 10 === 9 ? -1 : c % nSpots));

  const membership = new Float32Array(nCells * k);
  for (let c = 0; c < nCells; c++) {
    let sum = 0;
    for (let j = 0; j < k; j++) {
      sum += membership[c * k + j] = random.gamma(j % 4 === typeOf[c] ? 3 : 0.2);
    }
    for (let j = 0; j < k; j++) membership[c * k + j] /= sum;
  }
  const profile = Float32Array.from({ length: k * nGenes }, () => random.gamma(0.3));
  const rowsOfCells: [number, number][][] = [];
  const spotCounts = new Map<number, Map<number, number>>();
  const addToSpot = (spot: number, gene: number, count: number): void => {
    const row = spotCounts.get(spot) ?? new Map<number, number>();
    row.set(gene, (row.get(gene) ?? 0) + count);
    spotCounts.set(spot, row);
  };
  for (let c = 0; c < nCells; c++) {
    const row = new Map<number, number>();
    if (observed[c] && spotOf[c] >= 0) {
      for (let drawn = 0; drawn < Math.max(3, nGenes / 20); drawn++) {
        const gene = random.below(nGenes);
        const count = 1 + random.below(3);
        row.set(gene, (row.get(gene) ?? 0) + count);
        addToSpot(spotOf[c], gene, count);
      }
    }
    rowsOfCells.push([...row].sort((a, b) => a[0] - b[0]));
  }
  const unassigned = Float64Array.from({ length: nGenes }, () => random.below(4));
  unassigned.forEach((count, gene) => {
    if (count > 0) addToSpot(gene % nSpots, gene, count);
  });
  const counts = sparseOf(rowsOfCells, nGenes);
  const spots = sparseOf(
    Array.from({ length: nSpots }, (_, s) =>
      [...(spotCounts.get(s) ?? [])].sort((a, b) => a[0] - b[0]),
    ),
    nGenes,
  );

  await put(
    "spots/barcode",
    names(nSpots, (s) => `SPOT${s}-1`),
  );
  await put("spots/xy", { nRows: nSpots, nCols: 2, data: Float64Array.from(spotXy) });
  const columns = Math.ceil(Math.sqrt(nSpots));
  await put("spots/array", {
    nRows: nSpots,
    nCols: 2,
    data: Int32Array.from({ length: 2 * nSpots }, (_, i) =>
      i % 2 === 0 ? Math.floor((i >> 1) / columns) : (i >> 1) % columns,
    ),
  });
  await put("spots/in_tissue", new Uint8Array(nSpots).fill(1));
  await put("spots/counts", spots);
  await put(
    "spots/total_counts",
    Float64Array.from({ length: nSpots }, (_, s) =>
      spots.data.subarray(spots.indptr[s], spots.indptr[s + 1]).reduce((a, b) => a + b, 0),
    ),
  );
  await put(
    "spots/cluster",
    Int32Array.from({ length: nSpots }, (_, s) => s % 4),
  );
  await put(
    "genes/id",
    names(nGenes, (g) => `ENSG${String(g).padStart(11, "0")}`),
  );
  await put(
    "genes/symbol",
    names(nGenes, (g) => `Gene${g}`),
  );
  await put(
    "genes/name",
    names(nGenes, (g) => `Gene${g}`),
  );
  await put("sample/scale", {
    micronsPerPixel: MICRONS_PER_PIXEL,
    source: "array_pitch",
    residualPx: 0.2,
    pitchUm: 100,
    spotSizeUm: 55,
    spotShape: "disc",
    warnings: [],
  });
  await put("sample/image", {
    file: "tissue.tif",
    source: "microscope",
    widthPx: sidePx,
    heightPx: sidePx,
    scale: 1,
    micronsPerPixel: MICRONS_PER_PIXEL,
    channels: 3,
    bitsPerSample: 8,
    tiled: true,
    expectedPx: null,
  });
  await put("sample/quality", {
    nSpots,
    nGenes,
    totalCounts: spots.data.reduce((sum, value) => sum + value, 0),
    medianCountsPerSpot: 1,
    medianGenesPerSpot: 1,
    mitochondrialFraction: 0,
    spotsOnImage: 1,
    nClusters: 4,
    warnings: [],
  });
  await put("image/stain", {
    background: [245, 240, 245],
    hematoxylin: [0.65, 0.7, 0.29],
    eosin: [0.07, 0.99, 0.11],
    maxHematoxylin: 1,
    maxEosin: 1,
    source: "estimated",
  });
  await put("image/registration", {
    spotsOnTissue: 1,
    explained: 0.5,
    explainedShifted: 0.3,
    shiftUm: [100, 0],
    explainedMoved: 0.05,
    likePicture: 1,
    mismatch: null,
    doubt: null,
  });
  await put("cells/xy", { nRows: nCells, nCols: 2, data: cellXy });
  // The last cell has no outline, as when it could not be segmented.
  await put("cells/polygon", circles(cellXy, 10, nCells - 1));
  await put("nuclei/polygon", circles(cellXy, 5, nCells - 1));
  await put(
    "cells/area_um2",
    new Float32Array(nCells).fill(Math.PI * (10 * MICRONS_PER_PIXEL) ** 2),
  );
  await put(
    "cells/nucleus_area_um2",
    new Float32Array(nCells).fill(Math.PI * (5 * MICRONS_PER_PIXEL) ** 2),
  );
  await put(
    "cells/image_quality",
    Uint8Array.from({ length: nCells }, (_, c) => (c % 50 === 0 ? 1 : 0)),
  );
  await put("sample/segmentation", {
    method: "network",
    fallbackReason: null,
    nNuclei: nCells,
    medianNucleusAreaUm2: 20,
    workingMicronsPerPixel: 0.5,
    maxExpansionUm: 6,
    imageQuality: { blurred: 0.02, dark: 0.01, pen: 0 },
    warnings: [],
  });
  const inSpots: [number, number][][] = Array.from({ length: nSpots }, () => []);
  spotOf.forEach((spot, c) => {
    if (spot >= 0 && observed[c]) inSpots[spot].push([c, 1]);
  });
  await put("spots/cells", sparseOf(inSpots, nCells));
  await put("cells/spot", spotOf);
  await put("cells/observed", observed);
  await put(
    "cells/evidence",
    observed.map((touched, c) => (touched ? 0 : spotOf[c] >= 0 ? 1 : 2)),
  );
  const seen = Array.from({ length: nSpots }, (): [number, number][] => []);
  spotOf.forEach((spot, c) => {
    if (spot >= 0 && observed[c]) seen[spot].push([c, 0.5]);
  });
  await put("spots/cells", sparseOf(seen, nCells));
  await put("sample/bleed", { beta: 0.25, lengthUm: 80, source: "default" });

  const width = 2;
  await put("cells/membership", { nRows: nCells, nCols: k, data: membership });
  await put("genes/profile", { nRows: k, nCols: nGenes, data: profile });
  await put("spots/exposure", {
    nRows: nSpots,
    nCols: k,
    data: Float32Array.from({ length: nSpots * k }, () => random.gamma(2)),
  });
  await put("cells/near_spot", {
    nRows: nCells,
    nCols: width,
    data: Int32Array.from({ length: nCells * width }, (_, i) => (i * 7) % nSpots),
  });
  await put("cells/near_weight", {
    nRows: nCells,
    nCols: width,
    data: new Float32Array(nCells * width).fill(1 / width),
  });
  const byGene = transpose(spots);
  await put("genes/spots", byGene);
  await put("genes/spot_total", rowSums(byGene));
  await put("genes/excess", geneExcess(byGene));
  await put("cells/counts", counts);
  await put("genes/unassigned", unassigned);
  await put(
    "genes/heldout_pcc",
    Float32Array.from({ length: nGenes }, (_, g) => (g % 9 === 8 ? NaN : (g % 10) / 10)),
  );
  await put(
    "genes/reliable",
    Uint8Array.from({ length: nGenes }, (_, g) => (g % 10 >= 3 ? 1 : 0)),
  );
  await put("genes/rate_source", new Uint8Array(nGenes));
  await put("genes/rate_shape", new Float32Array(nGenes).fill(10));
  await put("genes/cell_pcc", {
    nRows: nGenes,
    nCols: 3,
    data: Float32Array.from({ length: 3 * nGenes }, (_, i) => {
      const gene = Math.floor(i / 3);
      return gene % 9 === 8 ? NaN : (gene % 10) / 12 + [0, -0.1, 0.1][i % 3];
    }),
  });
  await put(
    "cells/rate_cv",
    Float32Array.from({ length: nCells }, (_, c) => 0.1 + (c % 7) / 20),
  );
  await put(
    "genes/rate_cv",
    Float32Array.from({ length: nGenes }, (_, g) => (g % 9 === 8 ? NaN : 0.1 + (g % 5) / 10)),
  );
  await put("sample/expression", {
    morphologyHelps: true,
    morphologyGain: 0.05,
    morphologySentence:
      "In spots that the model had not seen, cell shape and stain predict expression better than shuffled ones do.",
    nReliableGenes: Math.floor(0.6 * nGenes),
    nJudgedGenes: Math.floor(0.9 * nGenes),
    medianHeldoutPcc: 0.4,
    medianHeldoutPccInterpolation: 0.3,
    medianHeldoutPccRate: 0.4,
    medianCellPcc: 0.3,
    genesFrom: { model: nGenes, interpolation: 0, spot: 0 },
    heldoutSpots: nSpots,
    heldoutFolds: 5,
    heldoutBlockUm: 500,
    medianRateCv: 0.2,
    prototypes: k,
    fits: 1,
    informativeGenes: Math.min(500, nGenes),
    settings: { decay: 0.5 },
  });

  await put(
    "cells/cluster",
    typeOf.map((type) => Math.min(type, 2)),
  );
  await put("cells/cell_type", typeOf);
  await put(
    "cells/confidence",
    Float32Array.from({ length: nCells }, () => 0.5 + random.uniform() / 2),
  );
  await put(
    "cells/type_margin",
    Float32Array.from({ length: nCells }, () => random.uniform() / 2),
  );
  const nPca = 10;
  await put("cells/X_pca", {
    nRows: nCells,
    nCols: nPca,
    data: Float32Array.from(
      { length: nCells * nPca },
      (_, i) => random.normal() + (i % nPca === typeOf[Math.floor(i / nPca)] ? 8 : 0),
    ),
  });
  await put("types/name", TYPES);
  await put("types/color", COLORS);
  await put("sample/typing", {
    species: "mouse",
    organism: "mouse",
    tissue: "brain",
    method: "markers",
    markersFound: { Neuron: ["Gene3"] },
    unknownFraction: 0.25,
  });
  for (const step of steps.slice(0, 6)) {
    const own = join(results, stepFolder(step.number));
    await writeManifest(own, step, {
      key: `key${step.number}`,
      params: {},
      settings: {},
      seconds: () => step.number + 0.5,
      warnings: step.number === 2 ? ["Few nuclei were found."] : [],
    });
  }
  return { results, files: await writeInput(join(folder, "sample-1"), sidePx) };
}

/** Runs one step on a results folder as in a real run, with the given files instead of detected ones. */
export async function runStepOn<P>(
  step: StepDefinition<P>,
  results: string,
  files: SampleFiles,
  options: {
    params?: Partial<P>;
    settings?: Partial<AnalysisSettings>;
    signal?: AbortSignal;
  } = {},
): Promise<{ log: string[]; warnings: string[]; fractions: number[] }> {
  const staging = await openStaging(results, step.number, step.folders);
  const log: string[] = [];
  const warnings: string[] = [];
  const fractions: number[] = [];
  const params = step.params.parse(options.params ?? {});
  await using tasks = openTasks({ threads: 1 });
  const context: StepContext<P> = {
    params,
    settings: onlySettings(analysisSettings.parse(options.settings ?? {}), step.settings),
    files,
    history: readManifests(results).filter((manifest) => manifest !== null),
    threads: 1,
    tasks,
    read: (key) => {
      if (!step.reads.includes(key)) throw new Error(`${key} is not declared`);
      return readResult(results, key);
    },
    readIfAny: async (key) => {
      if (!step.reads.includes(key)) throw new Error(`${key} is not declared`);
      return hasResult(results, key) ? readResult(results, key) : null;
    },
    write: (key, value) => {
      if (!step.writes.includes(key)) throw new Error(`${key} is not declared`);
      return writeField(staging, key, value);
    },
    output: (name) => join(staging, name),
    giveBack: () => undefined,
    shared: (path) => join(staging, SHARED, path),
    progress: (fraction) => fractions.push(fraction),
    log: (message) => log.push(message),
    warn: (message) => warnings.push(message),
    signal: options.signal ?? new AbortController().signal,
  };
  await step.run(context);
  await writeManifest(staging, step, {
    key: `key${step.number}`,
    params,
    settings: {},
    seconds: () => 1,
    warnings,
  });
  await publishStep(results, step.number, step.folders);
  return { log, warnings, fractions };
}

function names(count: number, nameOf: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => nameOf(index));
}

/** Points on a jittered square lattice, interleaved x, y. */
function latticePoints(count: number, side: number, random: Random): Float32Array {
  const columns = Math.ceil(Math.sqrt(count));
  const step = side / columns;
  return Float32Array.from({ length: 2 * count }, (_, i) => {
    const at = i % 2 === 0 ? Math.floor(i / 2) % columns : Math.floor(i / 2 / columns);
    return (at + 0.3 + 0.4 * random.uniform()) * step;
  });
}

/** Twelve-cornered outlines of the given radius; none for cell number `without`. */
function circles(xy: Float32Array, radius: number, without: number): Polygons {
  const nCells = xy.length / 2;
  const offsets = new Uint32Array(nCells + 1);
  const points: number[] = [];
  for (let c = 0; c < nCells; c++) {
    for (let p = 0; p < 12 && c !== without; p++) {
      const angle = (p * Math.PI) / 6;
      points.push(xy[2 * c] + radius * Math.cos(angle), xy[2 * c + 1] + radius * Math.sin(angle));
    }
    offsets[c + 1] = points.length / 2;
  }
  return { offsets, xy: Float32Array.from(points) };
}

function sparseOf(rows: readonly [number, number][][], nCols: number): SparseMatrix {
  const indptr = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => (indptr[i + 1] = indptr[i] + row.length));
  const entries = rows.flat();
  return {
    nRows: rows.length,
    nCols,
    indptr,
    indices: Uint32Array.from(entries, ([column]) => column),
    data: Float32Array.from(entries, ([, value]) => value),
  };
}

async function writeInput(root: string, sidePx: number): Promise<SampleFiles> {
  await mkdir(root, { recursive: true });
  const at = (name: string): string => join(root, name);
  const picture = (side: number): Sharp =>
    sharp({
      create: { width: side, height: side, channels: 3, background: "#d8a8c8" },
    });
  const hires = Math.min(600, sidePx);
  const lowres = Math.min(180, sidePx);
  await picture(sidePx).tiff({ tile: true }).toFile(at("tissue.tif"));
  await picture(hires).png().toFile(at("tissue_hires_image.png"));
  await picture(lowres).png().toFile(at("tissue_lowres_image.png"));
  await writeFile(
    at("scalefactors_json.json"),
    JSON.stringify({
      tissue_hires_scalef: hires / sidePx,
      tissue_lowres_scalef: lowres / sidePx,
      spot_diameter_fullres: 130,
      fiducial_diameter_fullres: 210,
    }),
  );
  for (const name of ["barcodes.tsv.gz", "features.tsv.gz", "matrix.mtx.gz", "positions.csv"]) {
    await writeFile(at(name), `content of ${name}\n`);
  }
  return {
    root,
    layout: "simulated",
    matrix: {
      format: "mex",
      barcodes: at("barcodes.tsv.gz"),
      features: at("features.tsv.gz"),
      matrix: at("matrix.mtx.gz"),
    },
    positions: { path: at("positions.csv"), format: "csv" },
    scalefactors: at("scalefactors_json.json"),
    hires: at("tissue_hires_image.png"),
    lowres: at("tissue_lowres_image.png"),
    image: at("tissue.tif"),
  };
}
