import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ZarrFolder } from "@stipple/formats/zarr/zarr-folder";
import { REGION_KEY } from "../../exports/spatialdata/spatialdata-folder.ts";
import { AnnDataZarr } from "../../exports/zarr/anndata-zarr.ts";
import { throwIfCancelled } from "../../errors.ts";
import { type CombinedSample, type CombinedStudy, cellFile } from "./combined-study.ts";
import { designNames } from "./combine-obs.ts";
import { JOINT_CLUSTER, type JointSpace } from "./joint-space.ts";
import { SampleTable } from "./sample-table.ts";

/** The table of cells. */
const CELLS = "tables/table";
const KINDS = ["images", "labels", "points", "shapes", "tables"];

/**
 * Writes one SpatialData object with the elements of all samples, each under its sample's key: S1_cells, S1_tissue, S1_table.
 * In "global" the samples lie side by side, in µm; every sample also has a coordinate system of its own. Chunks are not
 * read: they are links to those of the samples, or copies.
 */
export async function combineSpatialData(
  path: string,
  study: CombinedStudy,
  signal: AbortSignal,
): Promise<void> {
  const { samples, design, space } = study;
  const folder = new ZarrFolder(path);
  folder.group("", {
    spatialdata_attrs: { version: "0.2", spatialdata_software_version: "0.7.3" },
  });
  for (const kind of KINDS) folder.group(kind);
  for (const sample of samples) {
    throwIfCancelled(signal);
    adoptElements(folder, sample);
  }
  const labels = samples.flatMap((sample) =>
    elementsOf(sample)
      .filter((element) => element.startsWith("labels/"))
      .map((element) => named(sample, element).slice("labels/".length)),
  );
  folder.describe("labels", { ome: { labels } });
  const offsets = await placeSamples(folder, samples);
  for (const [i, sample] of samples.entries()) {
    for (const element of elementsOf(sample)) {
      if (!element.startsWith("tables/")) move(folder, named(sample, element), sample, offsets[i]);
      else {
        const table = describeTable(folder, named(sample, element), sample, design);
        if (space && element === CELLS) addSpace(folder, table, sample, space);
      }
    }
  }
  folder.finish();
}

function sourceOf({ exports }: CombinedSample): string {
  return join(exports, "spatialdata.zarr");
}

/** "shapes/cells" and so on. */
function elementsOf(sample: CombinedSample): string[] {
  return KINDS.flatMap((kind) => {
    const folder = join(sourceOf(sample), kind);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name !== "zarr.json")
      .sort()
      .map((name) => `${kind}/${name}`);
  });
}

/** The element's path in the study: "shapes/S1_cells". */
export function named({ key }: CombinedSample, element: string): string {
  const [kind, name] = element.split("/");
  return `${kind}/${key}_${name}`;
}

/** Nodes of a table that say which shapes its rows are: they name them otherwise in the study. */
const REWRITTEN = new Set([`obs/${REGION_KEY}`, "obs/sample", "uns/spatialdata_attrs"]);

function adoptElements(folder: ZarrFolder, sample: CombinedSample): void {
  for (const element of elementsOf(sample)) {
    const isTable = element.startsWith("tables/");
    folder.adopt(
      named(sample, element),
      join(sourceOf(sample), element),
      (below) => !isTable || !REWRITTEN.has(below),
    );
  }
}

interface Transformation {
  type: string;
  scale: number[];
  input: { name: string; axes: { name: string }[] };
  output: { name: string; axes: unknown[] };
}

/** Puts an element into the study's coordinate system and its sample's, both in µm. */
function move(folder: ZarrFolder, path: string, { key }: CombinedSample, { x, y }: Offset): void {
  const attributes = folder.attributes(path) as {
    coordinateTransformations?: Transformation[];
    ome?: { multiscales: [{ coordinateTransformations: Transformation[]; name: string }] };
  };
  const [image] = attributes.ome?.multiscales ?? [];
  const holder = image ?? attributes;
  const microns = holder.coordinateTransformations!.find(
    ({ output }) => output.name === "microns",
  )!;
  const axes = microns.input.axes.map(({ name }) => name);
  const offset = { x, y } as Record<string, number>;
  holder.coordinateTransformations = [
    {
      ...microns,
      type: "affine",
      affine: microns.scale.map((factor, axis) => [
        ...microns.scale.map((_, other) => (other === axis ? factor : 0)),
        offset[axes[axis]] ?? 0,
      ]),
      output: { ...microns.output, name: "global" },
    } as unknown as Transformation,
    { ...microns, output: { ...microns.output, name: key } },
  ];
  if (image) image.name = path;
  folder.describe(path, {});
}

/** Gives a table its sample and design, and the new names of its shapes. */
function describeTable(
  folder: ZarrFolder,
  path: string,
  sample: CombinedSample,
  design: readonly string[],
): AnnDataZarr {
  const attributes = folder.attributes(path) as { region: string; instance_key: string };
  const region = `${sample.key}_${attributes.region}`;
  const table = new AnnDataZarr(folder, path, { ...attributes, region });
  const order = folder.attributes(`${path}/obs`)["column-order"] as string[];
  const [nRows] = folder.shape(`${path}/obs/_index`);
  const constant = (name: string, value: string): void =>
    table.categorical(
      `obs/${name}`,
      new Int32Array(nRows).fill(value === "" ? -1 : 0),
      value === "" ? [] : [value],
    );
  const added: [string, string][] = [
    ["sample", sample.name],
    ...designNames(design, order).map(({ column, name }): [string, string] => [
      name,
      sample.design[column] ?? "",
    ]),
  ];
  for (const [name, value] of added) constant(name, value);
  constant(REGION_KEY, region);
  const names = added.map(([name]) => name);
  folder.describe(`${path}/obs`, {
    "column-order": [...names, ...order.filter((name) => !names.includes(name))],
  });
  table.group("uns/spatialdata_attrs");
  table.string("uns/spatialdata_attrs/region", region);
  table.string("uns/spatialdata_attrs/region_key", REGION_KEY);
  table.string("uns/spatialdata_attrs/instance_key", attributes.instance_key);
  return table;
}

/** Beside the sample's own UMAP, where its cells are among those of all samples. */
function addSpace(
  folder: ZarrFolder,
  table: AnnDataZarr,
  sample: CombinedSample,
  { umap, cluster, clusters }: JointSpace,
): void {
  const { firstCell, nCells } = sample;
  const own = (values: Float32Array): Float32Array =>
    values.slice(2 * firstCell, 2 * (firstCell + nCells));
  table.array("obsm/X_umap_joint", own(umap.corrected), [nCells, 2]);
  table.array("obsm/X_umap_joint_uncorrected", own(umap.uncorrected), [nCells, 2]);
  const names = clusters.map(({ name }) => name);
  table.categorical(`obs/${JOINT_CLUSTER}`, cluster.slice(firstCell, firstCell + nCells), names);
  const path = `${named(sample, CELLS)}/obs`;
  const order = folder.attributes(path)["column-order"] as string[];
  folder.describe(path, { "column-order": [...order, JOINT_CLUSTER] });
}

/** Where a sample's origin lies in the study, µm. */
interface Offset {
  x: number;
  y: number;
}

/** Space between samples, of the largest one's side. */
const GAP = 0.05;

/** Places samples in a grid, row by row, so that none covers another. */
async function placeSamples(
  folder: ZarrFolder,
  samples: readonly CombinedSample[],
): Promise<Offset[]> {
  const sizes = [];
  for (const sample of samples) sizes.push(await sizeOf(folder, sample));
  const width = Math.max(...sizes.map(({ x }) => x));
  const height = Math.max(...sizes.map(({ y }) => y));
  const gap = GAP * Math.max(width, height);
  const across = Math.ceil(Math.sqrt(samples.length));
  return samples.map((_, i) => ({
    x: (i % across) * (width + gap),
    y: Math.floor(i / across) * (height + gap),
  }));
}

/** How far the cells and the image reach from the origin, µm. */
async function sizeOf(folder: ZarrFolder, sample: CombinedSample): Promise<Offset> {
  using table = await SampleTable.open(cellFile(sample));
  const micronsPerPixel = Number(table.scalar("uns/stipple/microns_per_pixel") ?? 1);
  const size = { x: 1, y: 1 };
  table.numbers("obsm/spatial").forEach((value, i) => {
    const axis = i % 2 === 0 ? "x" : "y";
    size[axis] = Math.max(size[axis], value * micronsPerPixel);
  });
  const image = `images/${sample.key}_tissue`;
  const [, heightPx = 0, widthPx = 0] = folder.shape(`${image}/s0`);
  if (widthPx === 0) return size;
  const { ome } = folder.attributes(image) as {
    ome: { multiscales: [{ coordinateTransformations: { scale: number[] }[] }] };
  };
  const [, yScale, xScale] = ome.multiscales[0].coordinateTransformations[1].scale;
  return { x: Math.max(size.x, widthPx * xScale), y: Math.max(size.y, heightPx * yScale) };
}
