import { counted } from "@stipple/contract/counted";
import { IMAGE_QUALITIES } from "@stipple/contract";
import { basename } from "node:path";
import type { ImageFacts, SegmentationReport } from "../../facts.ts";
import type { Polygons } from "@stipple/numerics/matrices";
import { InputError } from "../../errors.ts";
import { readOutlines } from "../../readers/segmentation/read-outlines.ts";
import { readSpaceRangerCells } from "../../readers/segmentation/read-space-ranger-cells.ts";
import { writePng } from "../../figures/figure.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { StepContext } from "../../step.ts";
import { openWorkingImage } from "../../optics/working-image.ts";
import { misplacedOutlines } from "./check-outlines.ts";
import { networkFinder } from "./network-finder.ts";
import { METHOD_WORDS } from "./open-finder.ts";
import { cellFeatureNames } from "./measure-cells.ts";
import {
  EVERYWHERE,
  nearTissue,
  onlyKept,
  tissueWithCells,
  withoutExcluded,
  type NearTissue,
} from "./near-tissue.ts";
import { neighborhoodFeatures, neighborhoodNames } from "./neighborhood-features.ts";
import { fullSize, insideAny, readRegions } from "../../regions/read-regions.ts";
import { blemishWords, qualityAt, qualityMap, tissueQuality } from "./quality-map.ts";
import { segmentationFigure } from "./segmentation-figure.ts";
import { segmentImage, type SegmentedImage } from "./segment-image.ts";
import { givenCells, type CellSource } from "./space-ranger-cells.ts";
import type { MorphologyParameters } from "./step.ts";
import { spotLevelCells } from "./spot-level-cells.ts";
import { planeNames } from "./stain-planes.ts";
import { workingGrid, workingScale, type WorkingGrid } from "./tile-plan.ts";
import { captureNoun } from "../../model/row-noun.ts";

type Context = StepContext<MorphologyParameters>;

/** Fewer detected nuclei than this per mm² of tissue are dust, not cells. */
const MIN_PER_MM2 = 20;

export async function run(context: Context): Promise<void> {
  const facts = await context.read("sample/image");
  if (facts.source !== "none" && facts.micronsPerPixel > context.params.coarsestUmPerPx) {
    return useSpots(
      context,
      `The image ${facts.file ?? ""} shows ${facts.micronsPerPixel.toFixed(1)} µm per pixel, too coarse to see nuclei (${context.params.coarsestUmPerPx} µm or finer is needed).`,
    );
  }
  const image = await openWorkingImage(context);
  if (image === null) return useSpots(context, "The sample has no tissue image.");
  await useImage(context, image);
}

async function useImage(context: Context, image: TissueImage): Promise<void> {
  const { params, read, output, warn, signal, progress, tasks } = context;
  const facts = await read("sample/image");
  const stain = await read("image/stain");
  const { micronsPerPixel } = facts;
  const grid = workingGrid(
    { widthPx: image.widthPx, heightPx: image.heightPx, micronsPerPixel },
    workingScale(micronsPerPixel, params),
  );
  const finder = await chooseFinder(context, image, grid);
  const misplaced = await checkGiven(context, image, grid, finder);
  const near = await placesOfCells(context, image, finder);
  const tissue = tissueWithCells(await read("image/tissue_mask"), near);
  progress(0.05);
  const started = performance.now();
  const found = await segmentImage({
    path: image.path,
    stain,
    grid,
    finder,
    maxExpansionUm: params.maxExpansionUm,
    tilePx: params.tilePx,
    tasks,
    near,
    signal,
    progress: (fraction) => progress(0.05 + 0.85 * fraction),
  });
  const seconds = (performance.now() - started) / 1000;
  const share = tissue.data.reduce((sum, value) => sum + value, 0) / tissue.data.length;
  const mm2 = (image.widthPx * image.heightPx * micronsPerPixel ** 2 * share) / 1e6;
  // A user may outline only a few cells, such as those of one region.
  const least = finder.method === "given" ? 1 : Math.max(3, MIN_PER_MM2 * mm2);
  if (found.count < least) {
    return useSpots(
      context,
      `Almost no nuclei were found in ${facts.file ?? "the image"} (${found.count} in ${mm2.toFixed(1)} mm² of tissue): check that it is the microscope image of this sample and that the staining is set correctly.`,
    );
  }
  const quality = qualityMap(found.quality, grid.umPerPx, micronsPerPixel);
  const imageQuality = tissueQuality(quality, tissue);
  const blemish = imageQuality && blemishWords(imageQuality, facts.file ?? "the image");
  if (blemish) warn(blemish);
  await context.write("cells/image_quality", qualityAt(quality, found.centroid));
  const report: SegmentationReport = {
    method: finder.method,
    fallbackReason: null,
    nNuclei: found.count,
    medianNucleusAreaUm2: median(found.nucleusAreaUm2),
    workingMicronsPerPixel: grid.umPerPx,
    maxExpansionUm: params.maxExpansionUm,
    imageQuality,
    warnings: [misplaced, blemish].filter((words) => words !== null),
  };
  await context.write("sample/segmentation", report);
  const megapixels = (grid.widthPx * grid.heightPx) / 1e6;
  context.log(
    `${counted(found.count, "nucleus", "nuclei")} ${METHOD_WORDS[finder.method]} (median ${report.medianNucleusAreaUm2.toFixed(0)} µm²) in ${mm2.toFixed(2)} mm² of tissue, at ${grid.umPerPx.toFixed(2)} µm per pixel, in ${seconds.toFixed(1)} s (${(megapixels / seconds).toFixed(1)} Mpx/s).`,
  );
  const outlines = await writeCells(context, found, grid, planeNames(image, stain));
  progress(0.95);
  const scales = { imageScale: facts.scale, umPerImagePx: micronsPerPixel, signal };
  const figure = await segmentationFigure(image, outlines, scales);
  await writePng(output("segmentation_overview.png"), figure);
}

/** Whose outlines are used: those of another program, of Space Ranger, or of the network. */
async function chooseFinder(
  context: Context,
  image: TissueImage,
  grid: WorkingGrid,
): Promise<CellSource> {
  const { files, settings, params, read, signal } = context;
  if (files.outlines) return givenFinder(context, files.outlines, grid);
  if (settings.segmentation === "space_ranger") return spaceRangerFinder(context, grid);
  const [stain, mask] = [await read("image/stain"), await read("image/tissue_mask")];
  const slide = { image, stain, mask, grid };
  return networkFinder(slide, params.nuclei.network, settings.seed, signal);
}

/** Warns if given outlines do not lie on what the image shows, and returns the warning. */
async function checkGiven(
  { files, read, warn, signal }: Context,
  image: TissueImage,
  grid: WorkingGrid,
  finder: CellSource,
): Promise<string | null> {
  if (finder.method === "network") return null;
  const file = basename(
    (finder.method === "given" ? files.outlines : files.segmented?.cells) ?? "",
  );
  const [stain, { scale }] = [await read("image/stain"), await read("sample/image")];
  const slide = { image, stain, grid, outlines: finder.cells.nuclei };
  const words = await misplacedOutlines(slide, file, grid.step * scale, signal);
  if (words !== null) warn(words);
  return words;
}

/** Where cells count: near tissue unless their outlines were supplied, and not in excluded regions. */
async function placesOfCells(
  { files: { excluded, kept }, read }: Context,
  image: TissueImage,
  { method }: CellSource,
): Promise<NearTissue> {
  const facts = await read("sample/image");
  const { data, nCols, nRows } = await read("image/tissue_mask");
  const maskUm = (image.widthPx * facts.micronsPerPixel) / nCols;
  let near = method === "network" ? nearTissue(data, nCols, nRows, maskUm) : EVERYWHERE;
  const size = fullSize(facts);
  if (!size) return near;
  if (excluded) near = withoutExcluded(near, size, insideAny(await readRegions(excluded, size)));
  return kept ? onlyKept(near, size, await readRegions(kept, size)) : near;
}

/** Writes what was found, and returns it in full-resolution pixels. */
async function writeCells(
  { read, write }: Context,
  found: SegmentedImage,
  grid: WorkingGrid,
  planes: string[],
): Promise<{ nuclei: Polygons; cells: Polygons; xy: Float32Array }> {
  const toFull = grid.step * (await read("sample/image")).scale;
  const nuclei = scaled(found.nuclei, toFull);
  const cells = scaled(found.cells, toFull);
  const xy = found.centroid.map((value) => value * toFull);
  await write("nuclei/polygon", nuclei);
  await write("cells/polygon", cells);
  await write("cells/xy", { nRows: found.count, nCols: 2, data: xy });
  await write("cells/area_um2", found.cellAreaUm2);
  await write("cells/nucleus_area_um2", found.nucleusAreaUm2);
  await write("cells/features", withNeighborhood(found, grid.umPerPx, planes.length));
  await write("features/name", [...cellFeatureNames(planes), ...neighborhoodNames(planes)]);
  return { nuclei, cells, xy };
}

/** Uses Space Ranger's own outlines. */
async function spaceRangerFinder(
  { files, read, signal }: Context,
  grid: WorkingGrid,
): Promise<CellSource> {
  const given = files.segmented;
  if (!given) {
    throw new InputError(
      "Space Ranger's segmentation was chosen, but cell_segmentations.geojson is missing: add Space Ranger 4's segmented_outputs folder, or choose another segmentation.",
    );
  }
  const outlines = await readSpaceRangerCells(given, signal);
  const { scale } = await read("sample/image");
  return { method: "space_ranger", cells: givenCells(outlines, grid.step * scale, grid) };
}

/** Uses outlines from another program. */
async function givenFinder(
  { params: { outlinesAre }, read, log, signal }: Context,
  path: string,
  grid: WorkingGrid,
): Promise<CellSource> {
  const facts = await read("sample/image");
  const { micronsPerPixel } = await read("sample/scale");
  const found = await readOutlines(path, { ...fullSize(facts)!, micronsPerPixel }, signal);
  const { cells, nuclei, medianAreaUm2 } = found;
  const share = await shareOnTissue(cells, facts, read);
  log(
    `${counted(cells.offsets.length - 1, "outline")} from ${basename(path)}, ${outlinesAre === "cells" ? "used as cells" : "used as nuclei"}: their median area is ${medianAreaUm2.toFixed(0)} µm², and ${(100 * share).toFixed(0)}% begin on tissue.`,
  );
  return {
    method: "given",
    cells: givenCells(
      outlinesAre === "nuclei"
        ? { nuclei: nuclei ?? cells, cells: null }
        : { nuclei: nuclei ?? cells, cells },
      grid.step * facts.scale,
      grid,
    ),
  };
}

/** Share of the outlines whose first corner lies on tissue. */
async function shareOnTissue(
  { offsets, xy }: Polygons,
  facts: ImageFacts,
  read: Context["read"],
): Promise<number> {
  const { data, nCols, nRows } = await read("image/tissue_mask");
  const { width, height } = fullSize(facts)!;
  const clamp = (value: number, side: number): number =>
    Math.max(0, Math.min(side - 1, Math.floor(value * side)));
  let on = 0;
  for (let cell = 0; cell + 1 < offsets.length; cell++) {
    const [x, y] = [xy[2 * offsets[cell]], xy[2 * offsets[cell] + 1]];
    on += data[clamp(y / height, nRows) * nCols + clamp(x / width, nCols)];
  }
  return on / Math.max(1, offsets.length - 1);
}

/** Without visible nuclei, each spot becomes one pseudo-cell and the report gives the reason. */
async function useSpots(context: Context, reason: string): Promise<void> {
  const { read, write, warn, log } = context;
  const scale = await read("sample/scale");
  const noun = captureNoun(scale);
  warn(`${reason} Results are for whole ${noun}s, not single cells.`);
  const spots = await read("spots/xy");
  const facts = await read("sample/image");
  const cells = spotLevelCells(spots, scale);
  await write("nuclei/polygon", cells.polygons);
  await write("cells/polygon", cells.polygons);
  await write("cells/xy", cells.xy);
  await write("cells/area_um2", cells.areaUm2);
  await write("cells/nucleus_area_um2", cells.areaUm2);
  await write(
    "cells/image_quality",
    new Uint8Array(spots.nRows).fill(IMAGE_QUALITIES.indexOf("not_judged")),
  );
  await write("cells/features", cells.features);
  await write("features/name", cells.names);
  const report: SegmentationReport = {
    method: "spot_level",
    fallbackReason: reason,
    nNuclei: 0,
    medianNucleusAreaUm2: 0,
    workingMicronsPerPixel: facts.micronsPerPixel,
    maxExpansionUm: 0,
    imageQuality: null,
    warnings: [reason],
  };
  await write("sample/segmentation", report);
  log(`${counted(spots.nRows, noun)} are used instead of cells.`);
}

function withNeighborhood(
  found: SegmentedImage,
  umPerPx: number,
  nPlanes: number,
): { nRows: number; nCols: number; data: Float32Array } {
  const around = neighborhoodFeatures(found, umPerPx, nPlanes);
  const nAround = around.length / found.count;
  const nCols = found.nFeatures + nAround;
  const data = new Float32Array(found.count * nCols);
  for (let i = 0; i < found.count; i++) {
    data.set(found.features.subarray(i * found.nFeatures, (i + 1) * found.nFeatures), i * nCols);
    data.set(around.subarray(i * nAround, (i + 1) * nAround), i * nCols + found.nFeatures);
  }
  return { nRows: found.count, nCols, data };
}

function scaled(polygons: Polygons, factor: number): Polygons {
  return { offsets: polygons.offsets, xy: polygons.xy.map((value) => value * factor) };
}

function median(values: Float32Array): number {
  const sorted = values.slice().sort();
  return sorted.length > 0 ? sorted[sorted.length >> 1] : 0;
}
