import { counted } from "@stipple/contract/counted";
import { basename } from "node:path";
import type { DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { list } from "@stipple/contract/recognition/candidate";
import type { OwnFile } from "@stipple/contract/platforms/own-files";
import { kindsInWords, readAnnotations } from "../annotations/read-annotations.ts";
import { placeSpots } from "../alignment/place-spots.ts";
import { InputError } from "../errors.ts";
import type { AlignmentScale } from "../facts.ts";
import { captureNoun } from "../model/row-noun.ts";
import { readerOf } from "../readers/registry.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import { readOutlines } from "../readers/segmentation/read-outlines.ts";
import type { Outlines } from "../readers/segmentation/outlines.ts";
import { fullSize, insideAny, readRegions, type ImageSize } from "../regions/read-regions.ts";
import type { AnalysisSettings } from "../settings.ts";
import { chooseImage } from "../steps/0-feature-initialization/choose-image.ts";
import { inTissueOf } from "../steps/0-feature-initialization/in-tissue.ts";
import { noneRemain, type SpotChoice } from "../steps/0-feature-initialization/choose-spots.ts";
import KDBush from "kdbush";
import { boxOf } from "@stipple/numerics/boxes";
import { polygonArea } from "@stipple/numerics/polygon-area";
import { ringOf } from "@stipple/numerics/rings";

/** One sentence on a file of the user's: why it cannot be used, or what is in it. */
export interface OwnFileFinding {
  isFault: boolean;
  sentence: string;
}
export type OwnFileFindings = Partial<Record<OwnFile, OwnFileFinding>>;

/** Where the spots in tissue are, and the image, as far as it shows without reading counts and pixels. */
interface Ground {
  x: Float64Array;
  y: Float64Array;
  scale: AlignmentScale;
  size: ImageSize;
  signal: AbortSignal;
}

/**
 * What is in a sample's added files, and whether they fit it: alignment, outlines of cells, and regions. `onOutlines`
 * may add to what is said of outlines. Throws {@link InputError} if the sample itself cannot be used. Seconds for
 * 500,000 outlines.
 */
export async function lookAtOwnFiles(
  files: SampleFiles,
  settings: AnalysisSettings,
  {
    signal,
    onOutlines = () => Promise.resolve(null),
  }: {
    signal: AbortSignal;
    onOutlines?: (outlines: Outlines, path: string) => Promise<string | null>;
  },
): Promise<OwnFileFindings> {
  const { platform, staining, channelNames } = settings;
  const sample = await readerOf(platform).open(files, settings);
  const found: OwnFileFindings = {};
  let placed = await placeSpots(sample, null);
  await tell(found, "alignment", files.alignment, async (path) => {
    placed = await placeSpots(sample, path);
    return placed.note ?? "";
  });
  const { positions, scale } = placed;
  const rows = await sample.matchCounts();
  const { facts } = await chooseImage(files, sample.pictures, scale.micronsPerPixel, {
    ...{ staining, channelNames, spots: inTissueOf(positions), signal },
  });
  const at = (all: Float64Array): Float64Array => Float64Array.from(rows, (row) => all[row]);
  const ground = { x: at(positions.x), y: at(positions.y), scale, size: fullSize(facts), signal };
  await tell(found, "outlines", files.outlines, async (path) => {
    const outlines = await outlinesOn(path, ground);
    return [describeOutlines(outlines, ground), await onOutlines(outlines, path)]
      .filter((part) => part !== null)
      .join(" ");
  });
  await tell(found, "regions", files.regions, async (path) =>
    aboutRegions(await readRegions(path, ground.size), ground),
  );
  for (const how of ["excluded", "kept"] as const) {
    await tell(found, how, files[how], async (path) =>
      aboutChosen(
        { path, how, noun: captureNoun(scale) },
        await readRegions(path, ground.size),
        ground,
      ),
    );
  }
  await tell(found, "annotations", files.annotations, async (path) => {
    const kinds = kindsInWords(await readAnnotations(path));
    return `${kinds || "No annotations"}. Groups and clusterings count only for the cells on which they were made.`;
  });
  return found;
}

async function tell(
  found: OwnFileFindings,
  name: OwnFile,
  path: string | null | undefined,
  look: (path: string) => Promise<string>,
): Promise<void> {
  if (!path) return;
  try {
    found[name] = { isFault: false, sentence: await look(path) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    found[name] = { isFault: true, sentence: error.message };
  }
}

async function outlinesOn(path: string, { size, scale, signal }: Ground) {
  const file = basename(path);
  if (size === null) {
    throw new InputError(`${file} cannot be placed without an image: add the image.`);
  }
  return readOutlines(path, { ...size, micronsPerPixel: scale.micronsPerPixel }, signal);
}

function aboutRegions(regions: readonly DrawnRegion[], ground: Ground): string {
  const names = list(regions.map(({ name }) => name));
  return `${sizeInWords(regions, ground)} (${names}), with ${insideInWords(regions, ground)} in tissue.`;
}

function aboutChosen(file: SpotChoice, regions: readonly DrawnRegion[], ground: Ground): string {
  const isKept = file.how === "kept";
  if (countInside(regions, ground) === (isKept ? 0 : ground.x.length)) throw noneRemain(file);
  return `${sizeInWords(regions, ground)}: ${isKept ? "kept" : "left out"} are ${insideInWords(regions, ground)} in tissue, and the cells there.`;
}

/** "3 regions, 4.12 mm² in all". */
function sizeInWords(regions: readonly DrawnRegion[], { scale }: Ground): string {
  const px = polygonArea(regions.flatMap(({ polygons }) => polygons)).size();
  const mm2 = (px * scale.micronsPerPixel ** 2) / 1e6;
  return regions.length === 1
    ? `1 region of ${mm2.toPrecision(3)} mm²`
    : `${regions.length} regions, ${mm2.toPrecision(3)} mm² in all`;
}

/** "84 of 1,523 spots". */
function insideInWords(regions: readonly DrawnRegion[], ground: Ground): string {
  const noun = captureNoun(ground.scale);
  return `${countInside(regions, ground).toLocaleString("en-US")} of ${counted(ground.x.length, noun)}`;
}

function countInside(regions: readonly DrawnRegion[], { x, y }: Ground): number {
  const isInside = insideAny(regions);
  return x.reduce((count, left, spot) => count + Number(isInside(left, y[spot])), 0);
}

/** Below this share under spots, outlines are likely of another sample or another place. */
const FEW = 0.5;

/**
 * How many outlines there are, how large, how many lie on others, and how many under spots in tissue, in a sentence or
 * two. O(points + outlines · log spots).
 */
function describeOutlines(
  { cells, medianAreaUm2 }: Outlines & { medianAreaUm2: number },
  { x, y, scale }: { x: Float64Array; y: Float64Array; scale: AlignmentScale },
): string {
  const n = cells.offsets.length - 1;
  const { cx, cy } = centersOf(cells);
  const noun = captureNoun(scale);
  const spots = new KDBush(Math.max(1, x.length));
  for (let spot = 0; spot < x.length; spot++) spots.add(x[spot], y[spot]);
  if (x.length === 0) spots.add(Infinity, Infinity);
  spots.finish();
  const reach = scale.pitchUm / scale.micronsPerPixel;
  let under = 0;
  for (let i = 0; i < n; i++) under += Number(spots.within(cx[i], cy[i], reach).length > 0);
  const share = under / n;
  const size = `${counted(n, "outline")} with a median area of ${medianAreaUm2.toFixed(0)} µm²`;
  const facts = `${percent(overlapping(cells, cx, cy))} have their center in another one, and ${percent(share)} lie at ${noun}s in tissue`;
  return share < FEW
    ? `${size}: ${facts}, which is little; check that they are of this sample.`
    : `${size}: ${facts}.`;
}

function centersOf({ offsets, xy }: Outlines["cells"]): { cx: Float64Array; cy: Float64Array } {
  const n = offsets.length - 1;
  const [cx, cy] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    const [from, to] = [offsets[i], offsets[i + 1]];
    for (let p = from; p < to; p++) {
      cx[i] += xy[2 * p] / (to - from);
      cy[i] += xy[2 * p + 1] / (to - from);
    }
  }
  return { cx, cy };
}

/** Share of the outlines whose center lies in another outline. */
function overlapping(cells: Outlines["cells"], cx: Float64Array, cy: Float64Array): number {
  const n = cx.length;
  const centers = new KDBush(n);
  for (let i = 0; i < n; i++) centers.add(cx[i], cy[i]);
  centers.finish();
  const covered = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    const ring = ringOf(cells, i);
    const { left, top, right, bottom } = boxOf(ring);
    for (const other of centers.range(left, top, right, bottom)) {
      if (other !== i && holds(ring, cx[other], cy[other])) covered[other] = 1;
    }
  }
  return covered.reduce((sum, value) => sum + value, 0) / n;
}

function holds(ring: Float32Array, x: number, y: number): boolean {
  let inside = false;
  for (let p = 0, q = ring.length - 2; p < ring.length; q = p, p += 2) {
    const [ay, by] = [ring[p + 1], ring[q + 1]];
    if (ay > y === by > y) continue;
    if (x < ring[p] + ((y - ay) / (by - ay)) * (ring[q] - ring[p])) inside = !inside;
  }
  return inside;
}

function percent(share: number): string {
  const value = 100 * share;
  return `${value > 0 && value < 1 ? value.toFixed(1) : value.toFixed(0)}%`;
}
