import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { stepFolder } from "@stipple/contract";
import type { Polygons } from "@stipple/numerics/matrices";
import { rowSums, transpose } from "@stipple/numerics/sparse";
import { FIELDS, type Field, type StoredKey } from "../../fields.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";
import { geneExcess } from "../../steps/4-vector-transformation/informative-genes.ts";
import { steps } from "../../steps/index.ts";
import { writeField } from "../field-store.ts";
import { writeManifest } from "../published-files.ts";
import { drawSample, sparseOf, type DrawnSample, type SimulatedSize } from "./draw-sample.ts";
import { writeSimulatedInput } from "./simulated-input.ts";

const MICRONS_PER_PIXEL = 0.5;
const TYPES = ["Neuron", "Astrocyte", "Microglia", "Unknown"];
const COLORS = ["#0072B2", "#E69F00", "#009E73", "#C9D1DA"];

type Put = <K extends StoredKey>(key: K, value: Field<K>) => Promise<void>;

/**
 * A results folder as steps 0–5 would leave it (see `drawSample`), and matching input, for tests and benchmarks of the later
 * steps.
 */
export async function writeSimulatedResults(
  folder: string,
  size: SimulatedSize,
): Promise<{ results: string; files: SampleFiles }> {
  const results = join(folder, "results");
  const put: Put = async (key, value) => {
    const target = join(results, stepFolder(FIELDS[key].step));
    await mkdir(target, { recursive: true });
    await writeField(target, key, value);
  };
  const sample = drawSample(size);
  await putSpots(put, sample);
  await putImage(put, sample);
  await putCells(put, sample);
  await putExpression(put, sample);
  await putTypes(put, sample);
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
  return { results, files: await writeSimulatedInput(join(folder, "sample-1"), sample.sidePx) };
}

async function putSpots(put: Put, { nSpots, nGenes, spotXy, spots }: DrawnSample): Promise<void> {
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
}

async function putImage(put: Put, { sidePx }: DrawnSample): Promise<void> {
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
}

async function putCells(put: Put, sample: DrawnSample): Promise<void> {
  const { nCells, nSpots, cellXy, observed, spotOf } = sample;
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
}

async function putExpression(put: Put, sample: DrawnSample): Promise<void> {
  const { nCells, nSpots, nGenes, k, random, membership, profile, counts, spots } = sample;
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
  await put("genes/unassigned", sample.unassigned);
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
}

async function putTypes(put: Put, { nCells, typeOf, random }: DrawnSample): Promise<void> {
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
}

function names(count: number, nameOf: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => nameOf(index));
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
