import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { LAST_STEP, RATE_SOURCES, stepFolder } from "@stipple/contract";
import type { AlignmentScale } from "@stipple/pipeline/internal/facts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { FIELDS, type Field, type StoredKey } from "@stipple/pipeline/fields";
import { Random } from "@stipple/numerics/random";
import { openTissueImage } from "@stipple/pipeline/samples";
import { steps } from "@stipple/pipeline/steps";
import { writeViewer } from "@stipple/pipeline/internal/steps/6-projection-analysis/viewer/write-viewer";
import { writeField, writeManifest } from "@stipple/pipeline/results";
import { viewerFolder } from "@stipple/pipeline/view";
import { syntheticCells, type SyntheticCells } from "./synthetic-cells.ts";
import { writeSyntheticImage } from "./synthetic-image.ts";

export const GENES = 18_000;
export const PROTOTYPES = 40;
const MICRONS_PER_PIXEL = 0.25;
/** Visium HD. */
const BIN_UM = 8;
/** Area per cell, µm²: 700,000 cells fill a capture area of 6.5 mm. */
const UM2_PER_CELL = 60;
/** Maximum side of an image made at full resolution; larger tissues get half the resolution. */
const LARGEST_IMAGE_PX = 30_000;
const ENTRIES_PER_CELL = 40;
const NEAR = 7;
/** Shape of the prior around the model's rate: a bin's counts shift it slightly. */
const RATE_SHAPE = 10;

const SCALE: AlignmentScale = {
  micronsPerPixel: MICRONS_PER_PIXEL,
  source: "microns_per_pixel",
  residualPx: null,
  pitchUm: BIN_UM,
  spotSizeUm: BIN_UM,
  spotShape: "square",
  warnings: [],
};

export const geneName = (gene: number): string => `GENE${String(gene).padStart(5, "0")}`;

/**
 * Writes a results folder with everything the interactive view reads, using step 6's own writers, for a synthetic HD
 * slide: `nCells` cells in tissue-like regions, 8 µm bins, 18,000 genes, 40 prototypes. Deterministic. Expression is
 * random: only its sizes match a real sample's. `fluorescence`: a square full-resolution image, at least as large as
 * the slide; stained tissue is generated without it. Peak memory about 1 kB per cell.
 */
export async function writeSyntheticProject(
  results: string,
  nCells: number,
  log: (line: string) => void,
  fluorescence: string | null = null,
): Promise<void> {
  const random = new Random(nCells);
  const sidePx = Math.ceil(Math.sqrt(nCells * UM2_PER_CELL) / MICRONS_PER_PIXEL);
  const cells = syntheticCells(nCells, sidePx, random);
  const binPx = BIN_UM / MICRONS_PER_PIXEL;
  const binColumns = Math.floor(sidePx / binPx);
  const put = async <K extends StoredKey>(key: K, value: Field<K>): Promise<void> => {
    const target = join(results, stepFolder(FIELDS[key].step));
    await mkdir(target, { recursive: true });
    await writeField(target, key, value);
  };

  log("expression");
  await writeRateFactors(put, cells, { binPx, binColumns }, random);
  await put("sample/markers", []);

  const imageScale = fluorescence === null && sidePx > LARGEST_IMAGE_PX ? 2 : 1;
  const stained = join(results, "tissue.tif");
  if (fluorescence === null) {
    const imageSidePx = Math.ceil(sidePx / imageScale);
    log(`tissue image of ${imageSidePx} × ${imageSidePx} px`);
    await writeSyntheticImage(stained, imageSidePx);
  }
  const image = await openTissueImage(fluorescence ?? stained);

  log("files of the view");
  const nBins = binColumns ** 2;
  const spotXy = Float32Array.from(
    { length: 2 * nBins },
    (_, i) =>
      ((i % 2 === 0 ? (i >> 1) % binColumns : Math.floor((i >> 1) / binColumns)) + 0.5) * binPx,
  );
  const uniform = (length: number, low = 0, high = 1): Float32Array =>
    Float32Array.from({ length }, () => low + (high - low) * random.uniform());
  await writeViewer(
    viewerFolder(results),
    {
      image,
      facts: {
        file: basename(image.path),
        source: "microscope",
        widthPx: image.widthPx,
        heightPx: image.heightPx,
        scale: imageScale,
        micronsPerPixel: MICRONS_PER_PIXEL * imageScale,
        channels: image.channels,
        bitsPerSample: image.bitsPerSample,
        tiled: image.tiled,
        expectedPx: null,
      },
      scale: SCALE,
      types: cells.types,
      clusters: cells.types.map((type, index) => ({ ...type, name: `Cluster ${index + 1}` })),
      domains: [],
      spotClusters: [{ name: "1", color: "#0072B2", count: nBins }],
      counts: cellCounts(nCells, random),
      cells: {
        xy: { nRows: nCells, nCols: 2, data: cells.xy },
        umap: { nRows: nCells, nCols: 2, data: cells.umap },
        polygons: cells.polygons,
        nuclei: cells.polygons,
        typeOf: cells.typeOf,
        clusterOf: cells.typeOf,
        domainOf: null,
        observed: new Uint8Array(nCells).fill(1),
        evidence: new Uint8Array(nCells),
        imageQuality: new Uint8Array(nCells),
        areaUm2: uniform(nCells, 20, 60),
        nucleusAreaUm2: uniform(nCells, 10, 30),
        confidence: uniform(nCells),
        typeMargin: uniform(nCells),
        rateCv: uniform(nCells),
      },
      spots: {
        xy: { nRows: nBins, nCols: 2, data: spotXy },
        array: {
          nRows: nBins,
          nCols: 2,
          data: Int32Array.from({ length: 2 * nBins }, (_, i) =>
            i % 2 === 0 ? Math.floor((i >> 1) / binColumns) : (i >> 1) % binColumns,
          ),
        },
        clusterOf: new Int32Array(nBins),
        totalCounts: Float64Array.from(uniform(nBins, 1, 80)),
      },
      proteins: null,
      genes: {
        names: Array.from({ length: GENES }, (_, gene) => geneName(gene)),
        reliable: new Uint8Array(GENES).fill(1),
        heldoutPcc: uniform(GENES),
        rateCv: uniform(GENES),
        rateSource: new Uint8Array(GENES),
        unassigned: new Float64Array(GENES),
      },
    },
    new AbortController().signal,
  );
  await rm(stained, { force: true });
  await mkdir(join(results, stepFolder(LAST_STEP)), { recursive: true });
  await writeFile(join(results, stepFolder(LAST_STEP), "summary.json"), "{}");
  for (const step of steps) {
    const folder = join(results, stepFolder(step.number));
    await mkdir(folder, { recursive: true });
    const told = { key: "", params: {}, settings: {}, warnings: [], seconds: () => 0 };
    await writeManifest(folder, step, told);
  }
}

/** The factors from which a gene's rate is computed, in the sizes of a real run. */
async function writeRateFactors(
  put: <K extends StoredKey>(key: K, value: Field<K>) => Promise<void>,
  { xy, typeOf }: SyntheticCells,
  { binPx, binColumns }: { binPx: number; binColumns: number },
  random: Random,
): Promise<void> {
  const nCells = typeOf.length;
  const nBins = binColumns ** 2;
  const membership = new Float32Array(nCells * PROTOTYPES);
  const nearSpot = new Int32Array(nCells * NEAR);
  const nearWeight = new Float32Array(nCells * NEAR).fill(1 / NEAR);
  const around = [0, -1, 1, -binColumns, binColumns, 1 - binColumns, binColumns - 1];
  for (let cell = 0; cell < nCells; cell++) {
    const share = 0.6 + 0.4 * random.uniform();
    membership[cell * PROTOTYPES + typeOf[cell]] = share;
    membership[cell * PROTOTYPES + 12 + random.below(PROTOTYPES - 12)] = 1 - share;
    const column = Math.min(binColumns - 1, Math.floor(xy[2 * cell] / binPx));
    const row = Math.min(binColumns - 1, Math.floor(xy[2 * cell + 1] / binPx));
    around.forEach((step, n) => {
      const bin = row * binColumns + column + step;
      nearSpot[cell * NEAR + n] = bin >= 0 && bin < nBins ? bin : -1;
    });
  }
  await put("cells/membership", { nRows: nCells, nCols: PROTOTYPES, data: membership });
  await put("cells/near_spot", { nRows: nCells, nCols: NEAR, data: nearSpot });
  await put("cells/near_weight", { nRows: nCells, nCols: NEAR, data: nearWeight });
  await put("genes/profile", {
    nRows: PROTOTYPES,
    nCols: GENES,
    data: Float32Array.from({ length: PROTOTYPES * GENES }, () => random.gamma(0.5)),
  });
  await put("spots/exposure", {
    nRows: nBins,
    nCols: PROTOTYPES,
    data: Float32Array.from({ length: nBins * PROTOTYPES }, () => random.uniform() / PROTOTYPES),
  });
  await put("genes/rate_source", new Uint8Array(GENES).fill(RATE_SOURCES.indexOf("model")));
  await put("genes/rate_shape", new Float32Array(GENES).fill(RATE_SHAPE));
  await put("spots/total_counts", new Float64Array(nBins).fill(ENTRIES_PER_CELL));
  await put("sample/scale", SCALE);
  await put("genes/spots", binCounts(nBins, random));
  // No call of the view reads counts by spot, but the file must exist.
  await put("spots/counts", {
    nRows: nBins,
    nCols: GENES,
    indptr: new Uint32Array(nBins + 1),
    indices: new Uint32Array(0),
    data: new Float32Array(0),
  });
}

/** A few genes are in most cells, most genes in few: rank r = n·u³ of n, with u uniform. */
function randomGene(random: Random): number {
  return Math.floor(GENES * random.uniform() ** 3);
}

/** Cells × genes, with ascending genes within each row. */
function cellCounts(nCells: number, random: Random): SparseMatrix {
  const indptr = new Uint32Array(nCells + 1);
  const indices = new Uint32Array(nCells * ENTRIES_PER_CELL);
  const row = new Uint32Array(ENTRIES_PER_CELL);
  let end = 0;
  for (let cell = 0; cell < nCells; cell++) {
    for (let drawn = 0; drawn < ENTRIES_PER_CELL; drawn++) row[drawn] = randomGene(random);
    row.sort();
    for (let drawn = 0; drawn < ENTRIES_PER_CELL; drawn++) {
      if (drawn === 0 || row[drawn] !== row[drawn - 1]) indices[end++] = row[drawn];
    }
    indptr[cell + 1] = end;
  }
  const data = Float32Array.from({ length: end }, () => 1 + random.below(3));
  return { nRows: nCells, nCols: GENES, indptr, indices: indices.subarray(0, end), data };
}

/** Genes × bins, with as many entries per bin as per cell; gaps between a gene's bins are geometric. */
function binCounts(nBins: number, random: Random): SparseMatrix {
  const indptr = new Uint32Array(GENES + 1);
  const indices: Uint32Array[] = [];
  let end = 0;
  for (let gene = 0; gene < GENES; gene++) {
    // Probability that u³ falls on this gene: its share of all entries.
    const drawn = Math.cbrt((gene + 1) / GENES) - Math.cbrt(gene / GENES);
    const fraction = Math.min(0.9, drawn * ENTRIES_PER_CELL);
    const bins: number[] = [];
    const gap = Math.log1p(-fraction);
    let bin = -1;
    for (;;) {
      bin += 1 + Math.floor(Math.log(1 - random.uniform()) / gap);
      if (bin >= nBins) break;
      bins.push(bin);
    }
    indices.push(Uint32Array.from(bins));
    end += bins.length;
    indptr[gene + 1] = end;
  }
  const joined = new Uint32Array(end);
  indices.forEach((bins, gene) => joined.set(bins, indptr[gene]));
  const data = Float32Array.from({ length: end }, () => 1 + random.below(3));
  return { nRows: GENES, nCols: nBins, indptr, indices: joined, data };
}
