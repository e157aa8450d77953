import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError, throwIfCancelled } from "../../errors.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { writePng } from "../../figures/figure.ts";
import { captureNoun, countRows } from "../../model/row-noun.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";
import type { Genes } from "../../readers/counts/count-matrix.ts";
import { readerOf } from "../../readers/registry.ts";
import type { Positions } from "../../readers/sample.ts";
import type { StepContext } from "../../step.ts";
import { inspectImage, isQuickToSee } from "../../optics/inspect-image.ts";
import { openSampleImage } from "../../optics/working-image.ts";
import { chooseImage, type ChosenImage } from "./choose-image.ts";
import { clustersFigure } from "./clusters-figure.ts";
import { placeSpots } from "../../alignment/place-spots.ts";
import { chooseSpots } from "./choose-spots.ts";
import { nameGenes } from "./name-genes.ts";
import { inTissueOf } from "./in-tissue.ts";
import { areProteins, readProteins } from "./read-proteins.ts";
import { qualityReport, spotQuality } from "./quality.ts";
import { clusterSpots } from "./spot-clusters.ts";
import { spotsOnImage } from "./spots-on-image.ts";

export async function run({
  files,
  settings,
  threads,
  signal,
  write,
  output,
  progress,
  log,
  warn,
}: StepContext): Promise<void> {
  log(`Input: ${files.layout}.`);
  nameLeftOut(files, { log, warn });
  const sample = await readerOf(settings.platform).open(files, settings);
  const { pictures, words } = sample;
  const { positions, scale, note } = await placeSpots(sample, files.alignment);
  progress(0.05);
  throwIfCancelled(signal);

  for (const warning of scale.warnings) warn(warning);
  log(
    `Scale: ${scale.micronsPerPixel.toFixed(4)} µm per pixel, from ${SOURCE_WORDS[scale.source]}${scale.residualPx === null ? "" : `; positions fit the array to within ${scale.residualPx.toFixed(2)} px`}.`,
  );
  if (note) log(note);
  const chosen = await chooseImage(files, pictures, scale.micronsPerPixel, {
    staining: settings.staining,
    channelNames: settings.channelNames,
    spots: inTissueOf(positions),
    signal,
  });
  chosen.notes.forEach(log);
  for (const warning of chosen.warnings) warn(warning);
  if (chosen.facts.file !== null) {
    log(
      `Image: ${chosen.facts.file}, ${chosen.facts.widthPx} × ${chosen.facts.heightPx} px at ${chosen.facts.micronsPerPixel.toFixed(3)} µm per pixel.`,
    );
  }
  const seen = await lookAtImage(chosen, positions, settings.staining, signal);
  for (const warning of seen) warn(warning);
  progress(0.1);
  throwIfCancelled(signal);

  const noun = captureNoun(scale);
  let counted = await sample.readCounts({
    warn,
    signal,
    progress: (fraction) => progress(0.1 + 0.4 * fraction),
  });
  for (const how of ["kept", "excluded"] as const) {
    const path = files[how];
    if (!path) continue;
    const chosenSpots = await chooseSpots(counted, positions, { path, how }, chosen.facts);
    const { nRegions, nSpots } = chosenSpots;
    log(
      `${how === "kept" ? "Kept" : "Left out"}: ${countRows(nSpots, noun)} in ${nRegions === 1 ? "a region" : `${nRegions} regions`} of ${basename(path)}.`,
    );
    counted = chosenSpots.counted;
  }
  const { barcode, genes, counts, position: rows } = counted;
  const nSpots = barcode.length;
  let umis = 0;
  for (let entry = 0; entry < counts.data.length; entry++) umis += counts.data[entry];
  log(
    `${countRows(nSpots, noun)} of ${positions.barcode.length.toLocaleString("en-US")} on the slide are in tissue, with ${genes.id.length.toLocaleString("en-US")} genes and ${umis.toLocaleString("en-US")} UMIs.`,
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
      `${words.countsFile} contains no counts for the spots in tissue: check that it is ${words.counts}.`,
      { file: words.countsFile },
    );
  }

  const xy: Matrix<Float64Array> = {
    nRows: nSpots,
    nCols: 2,
    data: new Float64Array(2 * nSpots),
  };
  const array: Matrix<Int32Array> = { nRows: nSpots, nCols: 2, data: new Int32Array(2 * nSpots) };
  rows.forEach((row, spot) => {
    xy.data.set([positions.x[row], positions.y[row]], 2 * spot);
    array.data.set([positions.arrayRow[row], positions.arrayCol[row]], 2 * spot);
  });
  const placed = spotsOnImage(
    Float64Array.from(rows, (row) => positions.x[row]),
    Float64Array.from(rows, (row) => positions.y[row]),
    chosen.facts,
    words,
    chosen.ignoredTag,
  );
  for (const warning of placed.warnings) warn(warning);

  progress(0.51);
  const quality = spotQuality(counts, named.symbol);
  progress(0.52);
  const clusters = await clusterSpots(counts, quality.totals, {
    threads,
    seed: settings.seed,
    signal,
    progress: (fraction) => progress(0.52 + 0.28 * fraction),
  });
  const report = qualityReport(
    quality,
    {
      nSpots,
      nGenes: genes.id.length,
      nClusters: clusters.nClusters,
      spotsOnImage: placed.fraction,
    },
    scale.spotShape,
  );
  report.warnings.forEach(warn);
  report.warnings.unshift(...scale.warnings, ...chosen.warnings, ...seen, ...placed.warnings);
  log(
    `Each ${noun} has a median of ${report.medianCountsPerSpot.toLocaleString("en-US")} UMIs and ${report.medianGenesPerSpot.toLocaleString("en-US")} genes. The ${noun}s form ${report.nClusters} cluster${report.nClusters === 1 ? "" : "s"}.`,
  );

  await write("spots/barcode", barcode);
  await write("spots/xy", xy);
  await write("spots/array", array);
  await write(
    "spots/in_tissue",
    Uint8Array.from(rows, (row) => positions.inTissue[row]),
  );
  progress(0.81);
  await write("spots/counts", counts);
  progress(0.86);
  await write("spots/total_counts", quality.totals);
  await write("spots/cluster", clusters.cluster);
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

  await pipeline(
    Readable.from(spotLines(barcode, xy, array, quality.totals, quality.genes, clusters.cluster)),
    createWriteStream(output("spots.csv")),
  );
  await writeFile(
    output("loupe_clusters.csv"),
    `Barcode,Spot cluster\n${barcode.map((name, i) => `${name},Cluster ${clusters.cluster[i]}\n`).join("")}`,
  );
  const ground = await openGround(files, chosen, pictures.hires);
  const figure = await clustersFigure({
    xy,
    cluster: clusters.cluster,
    scale,
    facts: chosen.facts,
    ground,
    signal,
  });
  ground?.image.close();
  await writePng(output("spatial_clusters.png"), figure);
  await writePng(output("dark/spatial_clusters.png"), figure, "dark");
  progress(1);
}

const SOURCE_WORDS = {
  array_pitch: "the array pitch",
  microns_per_pixel: "microns_per_pixel",
  nearest_neighbor: "the distance between neighboring spots",
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
  image.close();
  return { image: await openTissueImage(files.hires), scale: 1 / hiresScale };
}

/** Checks an image's pixels before any slow work. Returns warnings. */
async function lookAtImage(
  chosen: ChosenImage,
  positions: Positions,
  staining: "h_and_e" | "if",
  signal: AbortSignal,
): Promise<string[]> {
  if (chosen.source === null) return [];
  const image = await openSampleImage(chosen.source, chosen.facts);
  try {
    if (!isQuickToSee(image)) return [];
    const { x, y } = inTissueOf(positions);
    const xy = {
      nRows: x.length,
      nCols: 2,
      data: Float64Array.from({ length: 2 * x.length }, (_, k) => (k % 2 ? y : x)[k >> 1]),
    };
    return await inspectImage(image, xy, chosen.facts, { staining, signal });
  } finally {
    image.close();
  }
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
      `${repeated} genes share a symbol with an earlier gene; their names got the suffix -1, -2, ….`,
    );
  }
  return notes;
}

function* spotLines(
  barcode: readonly string[],
  xy: Matrix,
  array: Matrix,
  totals: Float64Array,
  genes: Uint32Array,
  cluster: Int32Array,
): Generator<string> {
  yield "barcode,array_row,array_col,x,y,total_counts,n_genes,cluster\n";
  for (let i = 0; i < barcode.length; i++) {
    yield `${barcode[i]},${array.data[2 * i]},${array.data[2 * i + 1]},${xy.data[2 * i]},${xy.data[2 * i + 1]},${totals[i]},${genes[i]},${cluster[i]}\n`;
  }
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
  if (others.length > MAX_NAMED) log(`${others.length - MAX_NAMED} more files are not needed.`);
}
