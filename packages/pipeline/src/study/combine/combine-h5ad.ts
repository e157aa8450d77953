import type { Tasks } from "@stipple/tasks/task";
import { writeFrame, writeUnsValue, type AnnDataTarget } from "../../exports/anndata/target.ts";
import { AnnDataFile } from "../../exports/h5ad/anndata-file.ts";
import { writeSpatialSlot, type SpatialSlot } from "../../exports/h5ad/spatial-slot.ts";
import { cellFile, type CombinedStudy } from "./combined-study.ts";
import { obsColumns, sourceOf, TYPE_COLUMNS, writeObs } from "./combine-obs.ts";
import { JOINT_CLUSTER } from "./joint-space.ts";
import { mapGenes } from "./map-genes.ts";
import { SampleTable } from "./sample-table.ts";

/**
 * Writes one h5ad of all cells and shared genes, as `anndata.concat` of the samples would: matrices pass through block by
 * block, so that memory does not grow with the number of samples, but for a few columns.
 */
export async function combineH5ad(
  path: string,
  study: CombinedStudy,
  { signal, tasks }: { signal: AbortSignal; tasks: Tasks },
): Promise<void> {
  const file = await AnnDataFile.create(path, tasks);
  try {
    const columns = await obsColumns(study);
    await writeObs(file, study, columns);
    writeVar(file, study);
    await writePositions(file, study);
    for (const group of ["layers", "varm", "varp", "obsp"]) file.group(group);
    await appendCounts(file, study, signal);
    await appendRates(file, study, signal);
    await appendNeighbors(file, study, signal);
    await writeUns(file, study);
    const colored = TYPE_COLUMNS.filter((name) => columns.shared.includes(name));
    for (const name of colored) await writeTypeColors(file, study, name);
    await file.finish();
  } catch (error) {
    await file.abandon(error);
  }
}

function writeVar(target: AnnDataTarget, { genes, samples }: CombinedStudy): void {
  const inAll = Uint8Array.from(genes.reliableIn, (n) => (n === samples.length ? 1 : 0));
  writeFrame(target, "var", genes.names, [
    ["gene_ids", genes.ids],
    ["symbol", genes.symbols],
    ["total_counts", BigInt64Array.from(genes.totals, BigInt)],
    ["reliable", { flags: inAll }],
    ["reliable_samples", genes.reliableIn],
  ]);
}

async function writePositions(target: AnnDataTarget, study: CombinedStudy): Promise<void> {
  const xy = new Float64Array(2 * study.nCells);
  for (const sample of study.samples) {
    using table = await SampleTable.open(cellFile(sample));
    xy.set(table.numbers("obsm/spatial"), 2 * sample.firstCell);
  }
  target.group("obsm");
  target.array("obsm/spatial", xy, [study.nCells, 2]);
  if (!study.space) return;
  const { corrected, uncorrected } = study.space.umap;
  target.array("obsm/X_umap", corrected, [study.nCells, 2]);
  target.array("obsm/X_umap_uncorrected", uncorrected, [study.nCells, 2]);
}

async function appendCounts(
  file: AnnDataFile,
  study: CombinedStudy,
  signal: AbortSignal,
): Promise<void> {
  const counts = file.csr("layers/counts", study.nCells, study.genes.ids.length, "<i");
  for (const sample of study.samples) {
    using table = await SampleTable.open(cellFile(sample));
    for await (const block of table.rows(["layers/counts"], signal)) {
      const { lengths, indices, values } = mapGenes(block, sample.map);
      await counts.append(lengths, indices, values[0]);
    }
  }
  await counts.finish();
}

/** The rates and X, which share their pattern. */
async function appendRates(
  file: AnnDataFile,
  study: CombinedStudy,
  signal: AbortSignal,
): Promise<void> {
  const size = [study.nCells, study.genes.ids.length] as const;
  const rates = file.csr("layers/rate", ...size, "<f");
  const x = file.matchingCsr("X", ...size);
  for (const sample of study.samples) {
    using table = await SampleTable.open(cellFile(sample));
    for await (const block of table.rows(["layers/rate", "X"], signal)) {
      const { lengths, indices, values } = mapGenes(block, sample.map);
      await rates.append(lengths, indices, values[0]);
      await x.append(values[1] as Float32Array);
    }
  }
  await rates.finish();
  await x.finish();
  file.sharePattern("X", "layers/rate");
}

const GRAPHS = ["spatial_connectivities", "spatial_distances"];

/** A graph for each slide, side by side: no cell is a neighbor of another slide's. */
async function appendNeighbors(
  file: AnnDataFile,
  { samples, nCells }: CombinedStudy,
  signal: AbortSignal,
): Promise<void> {
  for (const name of GRAPHS) {
    const graph = file.csr(`obsp/${name}`, nCells, nCells, "<f");
    for (const sample of samples) {
      using table = await SampleTable.open(cellFile(sample));
      if (!table.has(`obsp/${name}`)) {
        await graph.append(new Uint32Array(sample.nCells), new Int32Array(), new Float32Array());
        continue;
      }
      for await (const { lengths, indices, values } of table.rows([`obsp/${name}`], signal)) {
        const moved = indices.map((cell) => cell + sample.firstCell);
        await graph.append(lengths, moved, values[0]);
      }
    }
    await graph.finish();
  }
}

async function writeUns(file: AnnDataFile, study: CombinedStudy): Promise<void> {
  const { samples, notes, space } = study;
  file.group("uns");
  const columns = { cells: [], microns_per_pixel: [], rate_dropped_below: [] } as {
    [name: string]: number[];
  };
  file.group("uns/spatial");
  for (const sample of samples) {
    using table = await SampleTable.open(cellFile(sample));
    const fact = (name: string): number =>
      Number(table.scalar(`uns/stipple/${name}`) ?? Number.NaN);
    columns["cells"].push(sample.nCells);
    columns["microns_per_pixel"].push(fact("microns_per_pixel"));
    columns["rate_dropped_below"].push(fact("rate_dropped_below"));
    writeSpatialSlot(file, slotOf(table, sample.library));
  }
  if (space) {
    const colors = space.clusters.map(({ color }) => color);
    file.strings(`uns/${JOINT_CLUSTER}_colors`, colors);
  }
  file.group("uns/log1p");
  file.number("uns/log1p/base", Math.E);
  file.group("uns/spatial_neighbors");
  file.string("uns/spatial_neighbors/connectivities_key", GRAPHS[0]);
  file.string("uns/spatial_neighbors/distances_key", GRAPHS[1]);
  file.group("uns/spatial_neighbors/params");
  file.group("uns/stipple");
  file.string("uns/stipple/X", "log1p of the inferred rate, scaled to 10,000 per cell");
  if (space) {
    const what = "all samples in one space, corrected (Harmony); X_umap_uncorrected: before";
    file.string("uns/stipple/X_umap", what);
  }
  file.strings("uns/stipple/notes", notes);
  writeUnsValue(file, "uns/stipple/samples", {
    table: {
      index: samples.map(({ name }) => name),
      columns: Object.fromEntries(
        Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)]),
      ),
    },
  });
}

/** The colors of a column of types, in the order in which obs joins the categories: the first sample's count. */
async function writeTypeColors(
  file: AnnDataFile,
  { samples }: CombinedStudy,
  name: string,
): Promise<void> {
  const colors = new Map<string, string>();
  for (const sample of samples) {
    using table = await SampleTable.open(cellFile(sample));
    const source = sourceOf(table, name);
    const path = `uns/${source}_colors`;
    const own = table.has(path) ? table.texts(path) : [];
    for (const [i, type] of table.texts(`obs/${source}/categories`).entries()) {
      if (!colors.has(type)) colors.set(type, own[i] ?? "#888888");
    }
  }
  file.strings(`uns/${name}_colors`, [...colors.values()]);
}

/** A sample's small pictures, by its name in the study. */
function slotOf(table: SampleTable, libraryId: string): SpatialSlot {
  const [library] = table.keys("uns/spatial");
  const path = `uns/spatial/${library}`;
  const scalefactors: Record<string, number> = {};
  for (const name of table.keys(`${path}/scalefactors`)) {
    scalefactors[name] = Number(table.scalar(`${path}/scalefactors/${name}`));
  }
  const images: SpatialSlot["images"] = {};
  for (const name of ["hires", "lowres"] as const) {
    if (!table.has(`${path}/images/${name}`)) continue;
    const { data, shape } = table.bytes(`${path}/images/${name}`);
    images[name] = { heightPx: shape[0], widthPx: shape[1], pixels: data };
  }
  return { libraryId, images, scalefactors };
}
