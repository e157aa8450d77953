import { counted } from "@stipple/contract/counted";
import { basename } from "node:path";
import { InputError, throwIfCancelled } from "../../errors.ts";
import type { AlignmentScale } from "../../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { placeSpots } from "../../alignment/place-spots.ts";
import { writeTable, type Cell } from "../../exports/csv/table.ts";
import { writeLoupeCategories } from "../../exports/loupe/categories.ts";
import { writePng } from "../../figures/figure.ts";
import { captureNoun } from "../../model/row-noun.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";
import type { Genes } from "../../readers/counts/count-matrix.ts";
import { binGrid } from "../../readers/lattice/bin-squares.ts";
import { readerOf } from "../../readers/registry.ts";
import type { Positions } from "../../readers/sample.ts";
import type { StepContext } from "../../step.ts";
import { inspectImage, isQuickToSee } from "../../optics/inspect-image.ts";
import { openSampleImage } from "../../optics/working-image.ts";
import { chooseImage, type ChosenImage } from "./choose-image.ts";
import { clustersFigure } from "./clusters-figure.ts";
import { chooseSpots } from "./choose-spots.ts";
import { nameGenes } from "./name-genes.ts";
import { inTissueOf } from "./in-tissue.ts";
import { areProteins, readProteins } from "./read-proteins.ts";
import { qualityReport, spotQuality, type SpotQuality } from "./quality.ts";
import { clusterSpots } from "./spot-clusters.ts";
import { spotsOnImage } from "./spots-on-image.ts";

export async function run(context: StepContext): Promise<void> {
  const { files, settings, threads, signal, write, progress, log, warn } = context;
  log(`Input: ${files.layout}.`);
  nameLeftOut(files, context);
  const slide = await openSlide(context);
  const { positions, chosen, words } = slide;
  progress(0.1);
  throwIfCancelled(signal);

  const {
    barcode,
    genes,
    counts,
    position: rows,
    proteins,
    named,
  } = await readSpots(context, slide);
  const { x, y, xy, array } = placesOf(positions, rows);
  const scale = turnedAsBins(slide.scale, xy, array);
  const placed = spotsOnImage(x, y, chosen.facts, words, chosen.ignoredTag);
  placed.warnings.forEach(warn);

  progress(0.51);
  const quality = spotQuality(counts, named.symbol);
  progress(0.52);
  const clusters = await clusterSpots(counts, quality.totals, {
    threads,
    seed: settings.seed,
    signal,
    progress: (fraction) => progress(0.52 + 0.28 * fraction),
  });
  const { cluster, nClusters } = clusters;
  const extent = {
    nSpots: rows.length,
    nGenes: genes.id.length,
    nClusters,
    spotsOnImage: placed.fraction,
  };
  const noun = captureNoun(scale);
  const report = qualityReport(quality, extent, noun);
  report.warnings.forEach(warn);
  report.warnings.unshift(...scale.warnings, ...chosen.warnings, ...slide.seen, ...placed.warnings);
  log(
    `Each ${noun} has a median of ${counted(report.medianCountsPerSpot, "UMI")} and ${counted(report.medianGenesPerSpot, "gene")}. The ${noun}s form ${counted(report.nClusters, "cluster")}.`,
  );

  await write("spots/barcode", barcode);
  await write("spots/xy", xy);
  await write("spots/array", array);
  progress(0.81);
  await write("spots/counts", counts);
  progress(0.86);
  await write("spots/total_counts", quality.totals);
  await write("spots/cluster", cluster);
  await write("spots/X_pca", clusters.components);
  await write("genes/id", genes.id);
  await write("genes/symbol", named.symbol);
  await write("genes/name", named.name);
  if (proteins) {
    await write("proteins/name", proteins.name);
    await write("spots/protein_counts", proteins.counts);
  }
  await write("sample/species", named.species);
  await write("sample/scale", scale);
  await write("sample/image", chosen.facts);
  await write("sample/quality", report);
  progress(0.9);
  throwIfCancelled(signal);
  await writeFiles(context, { ...slide, scale }, { barcode, xy, array, quality, cluster });
  progress(1);
}

/** Where these spots are on the image and on the array. */
function placesOf(positions: Positions, rows: Uint32Array) {
  const [x, y] = [positions.x, positions.y].map((all) =>
    Float64Array.from(rows, (row) => all[row]),
  );
  const { arrayRow, arrayCol } = positions;
  const onArray = Int32Array.from(
    { length: 2 * rows.length },
    (_, k) => (k % 2 ? arrayCol : arrayRow)[rows[k >> 1]],
  );
  const size = { nRows: rows.length, nCols: 2 };
  return { x, y, xy: { ...size, data: interleaved(x, y) }, array: { ...size, data: onArray } };
}

/** The scale, with the angle of the bins. */
function turnedAsBins(
  scale: AlignmentScale,
  xy: Matrix,
  array: Matrix<Int32Array>,
): AlignmentScale {
  if (scale.spotShape === "disc") return scale;
  return { ...scale, binAngle: binGrid(xy, array, scale.spotSizeUm / scale.micronsPerPixel).angle };
}

type Slide = Awaited<ReturnType<typeof openSlide>>;

/** Opens the sample: where its spots are, and on which image. Looks at the image's pixels before any slow work. */
async function openSlide({ files, settings, signal, log, warn }: StepContext) {
  const { staining, channelNames } = settings;
  const sample = await readerOf(settings.platform).open(files, settings);
  const { positions, scale, note } = await placeSpots(sample, files.alignment);
  throwIfCancelled(signal);
  scale.warnings.forEach(warn);
  log(
    `Scale: ${scale.micronsPerPixel.toFixed(4)} µm per pixel, from ${SOURCE_WORDS[scale.source]}${scale.residualPx === null ? "" : `; positions fit the array to within ${scale.residualPx.toFixed(2)} px`}.`,
  );
  if (note) log(note);
  const spots = inTissueOf(positions);
  const chosen = await chooseImage(files, sample.pictures, scale.micronsPerPixel, {
    ...{ staining, channelNames, spots, signal },
  });
  chosen.notes.forEach(log);
  chosen.warnings.forEach(warn);
  const { file, widthPx, heightPx, micronsPerPixel } = chosen.facts;
  if (file !== null) {
    log(
      `Image: ${file}, ${widthPx} × ${heightPx} px at ${micronsPerPixel.toFixed(3)} µm per pixel.`,
    );
  }
  const seen = await lookAtImage(chosen, spots, staining, signal);
  seen.forEach(warn);
  return { sample, positions, scale, chosen, seen, words: sample.words };
}

/** Reads the counts of the spots in tissue that are wanted, and says what their features are. */
async function readSpots(
  { files, signal, progress, log, warn }: StepContext,
  { sample, positions, scale, chosen, words }: Slide,
) {
  const noun = captureNoun(scale);
  let taken = await sample.readCounts({
    warn,
    signal,
    progress: (fraction) => progress(0.1 + 0.4 * fraction),
  });
  for (const how of ["kept", "excluded"] as const) {
    const path = files[how];
    if (!path) continue;
    const kept = await chooseSpots(taken, positions, { path, how, noun }, chosen.facts);
    log(
      `${how === "kept" ? "Kept" : "Left out"}: ${counted(kept.nSpots, noun)} in ${kept.nRegions === 1 ? "a region" : `${kept.nRegions} regions`} of ${basename(path)}.`,
    );
    taken = kept.counted;
  }
  const { barcode, genes, counts } = taken;
  let umis = 0;
  for (let entry = 0; entry < counts.data.length; entry++) umis += counts.data[entry];
  log(
    `${counted(barcode.length, noun)} of ${positions.barcode.length.toLocaleString("en-US")} on the slide are in tissue, with ${counted(genes.id.length, "gene")} and ${counted(umis, "UMI")}.`,
  );
  const proteins = await readProteins(sample, genes, barcode, signal);
  if (proteins) {
    log(
      `${proteins.name.length} proteins were counted with antibodies in the same ${noun}s. They are kept beside the genes; types and rates don't use them.`,
    );
  }
  const named = await nameGenes(genes);
  for (const note of [...featureNotes(genes), ...named.notes]) log(note);
  if (counts.data.length === 0) {
    throw new InputError(
      `${words.countsFile} contains no counts for the ${noun}s in tissue: check that it is ${words.counts}.`,
    );
  }
  return { ...taken, proteins, named };
}

/** Tables and the figure, for users. */
async function writeFiles(
  { files, output, signal }: StepContext,
  { sample, scale, chosen }: Slide,
  spots: {
    barcode: readonly string[];
    xy: Matrix<Float64Array>;
    array: Matrix<Int32Array>;
    quality: SpotQuality;
    cluster: Int32Array;
  },
): Promise<void> {
  const { barcode, xy, array, quality, cluster } = spots;
  const head = [
    "barcode",
    "array_row",
    "array_col",
    "x",
    "y",
    "total_counts",
    "n_genes",
    "cluster",
  ];
  const at = ({ data }: Matrix<Float64Array | Int32Array>, i: number): number[] => [
    data[2 * i],
    data[2 * i + 1],
  ];
  const rows = function* (): Generator<Cell[]> {
    for (const [i, name] of barcode.entries()) {
      yield [name, ...at(array, i), ...at(xy, i), quality.totals[i], quality.genes[i], cluster[i]];
    }
  };
  await writeTable(output("spots.csv"), head, rows());
  const named = barcode.map((name, i) => [name, `Cluster ${cluster[i]}`] as const);
  await writeLoupeCategories(output("loupe_clusters.csv"), "Spot cluster", named);
  const ground = await openGround(files, chosen, sample.pictures.hires);
  const figure = await clustersFigure({ xy, cluster, scale, facts: chosen.facts, ground, signal });
  await writePng(output("spatial_clusters.png"), figure);
  await writePng(output("dark/spatial_clusters.png"), figure, "dark");
}

const SOURCE_WORDS = {
  array_pitch: "the array pitch",
  microns_per_pixel: "microns_per_pixel",
  nearest_neighbor: "the distance between neighbors on the array",
} as const;

/**
 * The figure's background image: the one used for segmentation, as in step 6, or Space Ranger's small one if
 * the full view of that one is slow to read.
 */
async function openGround(
  files: SampleFiles,
  chosen: ChosenImage,
  hiresScale: number | undefined,
): Promise<{ image: TissueImage; scale: number } | null> {
  if (chosen.source === null) return null;
  const image = await openSampleImage(chosen.source, chosen.facts);
  if (isQuickToSee(image) || files.hires === null || hiresScale === undefined) {
    return { image, scale: chosen.facts.scale };
  }
  return { image: await openTissueImage(files.hires), scale: 1 / hiresScale };
}

/** What is wrong with an image's pixels. */
async function lookAtImage(
  chosen: ChosenImage,
  { x, y }: ReturnType<typeof inTissueOf>,
  staining: "h_and_e" | "if",
  signal: AbortSignal,
): Promise<string[]> {
  if (chosen.source === null) return [];
  const image = await openSampleImage(chosen.source, chosen.facts);
  const xy = { nRows: x.length, nCols: 2, data: interleaved(x, y) };
  return isQuickToSee(image) ? inspectImage(image, xy, chosen.facts, { staining, signal }) : [];
}

function interleaved(x: Float64Array, y: Float64Array): Float64Array {
  return Float64Array.from({ length: 2 * x.length }, (_, k) => (k % 2 ? y : x)[k >> 1]);
}

/** Log notes about the features: those that are not genes, and symbols shared by several genes. */
function featureNotes(genes: Genes): string[] {
  const notes: string[] = [];
  const left = Object.entries(genes.leftOut)
    .filter(([type]) => !areProteins(type))
    .map(([type, count]) => `${count} of ${type}`);
  if (left.length > 0) {
    notes.push(`Features other than genes and proteins were left out: ${left.join(", ")}.`);
  }
  const repeated = genes.symbol.length - new Set(genes.symbol).size;
  if (repeated > 0) {
    notes.push(
      `${counted(repeated, "gene shares", "genes share")} a symbol with an earlier gene; ${repeated === 1 ? "its name" : "their names"} got the suffix -1, -2, ….`,
    );
  }
  return notes;
}

/** Most files named one by one that are not needed. */
const MAX_NAMED = 12;

/** Says which files in the input folder are not used, those that may be wanted as warnings. */
function nameLeftOut(
  { leftOut = [] }: SampleFiles,
  { log, warn }: Pick<StepContext, "log" | "warn">,
): void {
  for (const { sentence } of leftOut.filter(({ matters }) => matters)) warn(sentence);
  const others = leftOut.filter(({ matters }) => !matters);
  for (const { sentence } of others.slice(0, MAX_NAMED)) log(sentence);
  if (others.length > MAX_NAMED)
    log(`${counted(others.length - MAX_NAMED, "more file is", "more files are")} not needed.`);
}
