import { counted } from "@stipple/contract/counted";
import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import type { ImageFacts } from "../../facts.ts";
import {
  AS_STORED,
  isPlain,
  openImageSource,
  type ImageSource,
} from "../../readers/images/image-source.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";
import type { Sample } from "../../readers/sample.ts";
import { chooseOrientation, SIZE_TOLERANCE } from "./choose-orientation.ts";
import { readAsColors } from "./read-as-colors.ts";

export interface ChosenImage {
  facts: ImageFacts;
  source: ImageSource | null;
  /** For the log: how the file was read. */
  notes: string[];
  warnings: string[];
  /** An orientation tag that was not applied, as part of a sentence. */
  ignoredTag?: string | null;
}

export interface ImageOptions {
  staining: "h_and_e" | "if";
  /** Names of the channels in their order, separated by commas, if the user gave any. */
  channelNames?: string | undefined;
  /** Spots in tissue, full-resolution px. */
  spots: { x: Float64Array; y: Float64Array };
  signal: AbortSignal;
}

/** Above this many µm per pixel, a nucleus covers too few pixels to be detected. */
const NUCLEI_VISIBLE_UM = 1.2;
/** Sides that both differ by more than this, by one factor, show a resampled image: margins seldom change both alike. */
const RESAMPLED_FROM = 0.005;
/** More unused pages than this are counted, not listed. */
const MAX_LISTED = 6;

/**
 * The image to analyze: the microscope image, else Space Ranger's high- or low-resolution image, else none. The
 * microscope image's size is compared with Space Ranger's images so that resized exports are placed correctly.
 */
export async function chooseImage(
  files: SampleFiles,
  pictures: Sample["pictures"],
  micronsPerPixel: number,
  options: ImageOptions,
): Promise<ChosenImage> {
  const warnings: string[] = [];
  if (files.image !== null) {
    const sizes = await expectedSizes(files, pictures);
    const read = await readImage(files, files.image, sizes[0] ?? null, options);
    // A picture that was saved again at another size must not move the spots if the other one has the image's.
    const expected = sizes.find((size) => sizeFactor(read.image, size) === 1) ?? sizes[0] ?? null;
    const placed = placeImage(read.image, expected, micronsPerPixel, read.warnings);
    if (placed !== null) {
      const { image, source, notes } = read;
      const facts: ImageFacts = {
        ...placed,
        channelNames: image.kind === "rgb" ? [] : [...image.channelNames],
        ...(isPlain(source) ? {} : { reading: source.reading }),
      };
      return { facts, source, notes, warnings: read.warnings, ignoredTag: read.ignoredTag };
    }
    warnings.push(...read.warnings);
  }
  requireOneSize(await expectedSizes(files, pictures));
  for (const [source, path, factor] of [
    ["hires", files.hires, pictures.hires],
    ["lowres", files.lowres, pictures.lowres],
  ] as const) {
    if (path === null) continue;
    if (factor === undefined) {
      warnings.push(
        `${basename(path)} could not be used, because scalefactors_json.json lacks tissue_${source}_scalef.`,
      );
      continue;
    }
    const image = await openTissueImage(path);
    const facts = factsOf(image, source, 1 / factor, micronsPerPixel);
    if (facts.micronsPerPixel > NUCLEI_VISIBLE_UM) warnings.push(coarseWarning(facts));
    return { facts, source: { path, reading: AS_STORED }, notes: [], warnings };
  }
  warnings.push("There is no tissue image, so results are at spot level.");
  return {
    facts: {
      file: null,
      source: "none",
      widthPx: 0,
      heightPx: 0,
      scale: 1,
      micronsPerPixel,
      channels: 0,
      bitsPerSample: 0,
      tiled: false,
      expectedPx: null,
    },
    source: null,
    notes: [],
    warnings,
  };
}

/** Opens the microscope image and decides how to read it: channels as colors, turned by its tag, with which names. */
async function readImage(
  files: SampleFiles,
  path: string,
  expected: ImageFacts["expectedPx"],
  { staining, channelNames, spots, signal }: ImageOptions,
): Promise<
  Required<Omit<ChosenImage, "facts" | "source">> & { image: TissueImage; source: ImageSource }
> {
  const [notes, warnings]: [string[], string[]] = [[], []];
  const name = basename(path);
  const source: ImageSource = { path, channelFiles: files.channelFiles, reading: AS_STORED };
  let image = await openImageSource(source);
  if (files.channelFiles) {
    notes.push(
      `${files.channelFiles.length} images of one size are read as the channels of one: ${files.channelFiles.map((file) => basename(file)).join(", ")}.`,
    );
  }
  if (image.unusedPages.length > 0) {
    const pages = image.unusedPages;
    notes.push(
      `${name} also contains ${pages.slice(0, MAX_LISTED).join(", ")}${pages.length > MAX_LISTED ? ` and ${pages.length - MAX_LISTED} more pages` : ""}: not part of the image, so not used.`,
    );
  }
  if (image.kind === "channels" && staining === "h_and_e") {
    const { colors, note } = await readAsColors(image, signal);
    notes.push(note);
    source.reading = { ...source.reading, colors };
    image = await openImageSource(source);
  }
  const turn = await chooseOrientation(image, {
    expected,
    picture: files.hires ?? files.lowres,
    ...spots,
    fluorescent: staining === "if",
    signal,
  });
  if (turn.note !== null) notes.push(turn.note);
  if (turn.warning !== null) warnings.push(turn.warning);
  if (turn.orientation !== 1) {
    source.reading = { ...source.reading, orientation: turn.orientation };
    image = await openImageSource(source);
  }
  if (channelNames !== undefined) nameChannels(image, channelNames, name);
  return { image, source, notes, warnings, ignoredTag: turn.ignored };
}

/** Gives the channels the user's names. Throws {@link InputError} if there are more or fewer of these. */
function nameChannels(image: TissueImage, given: string, file: string): void {
  const names = given.split(",").map((name) => name.trim());
  const fits = image.kind !== "rgb" && names.length === image.channels && !names.includes("");
  if (!fits) {
    const what =
      image.kind === "rgb" ? "is a color image" : `has ${counted(image.channels, "channel")}`;
    throw new InputError(
      `Names of ${counted(names.length, "channel")} were given (${given}), but ${file} ${what}: give one name for each channel, separated by commas, or none.`,
    );
  }
  image.channelNames = names;
}

/** The microscope image's facts; adds warnings. Null if it cannot be placed, being CytAssist's own small image. */
function placeImage(
  image: TissueImage,
  expected: ExpectedSize | null,
  micronsPerPixel: number,
  warnings: string[],
): ImageFacts | null {
  const name = basename(image.path);
  const factor = expected && sizeFactor(image, expected);
  const isFine = factor !== null && factor * micronsPerPixel <= NUCLEI_VISIBLE_UM;
  // Microscope images of CytAssist samples are called so as well.
  if (/cytassist/i.test(name) && expected && factor !== 1 && !isFine) {
    warnings.push(
      `${name} is not the image that the positions refer to, so Space Ranger's image was used instead; upload the microscope image to see cells.`,
    );
    return null;
  }
  if (expected && factor === null) {
    warnings.push(
      `${name} (${image.widthPx} × ${image.heightPx} px) does not have the proportions of the image that Space Ranger used (about ${Math.round(expected.widthPx)} × ${Math.round(expected.heightPx)} px): check that it is from this sample.`,
    );
  } else if (expected && factor !== null && factor !== 1) {
    warnings.push(
      `${name} (${image.widthPx} × ${image.heightPx} px) is ${factor > 1 ? `${timesOf(factor)} smaller` : `${timesOf(1 / factor)} larger`} than the image that the positions refer to (about ${Math.round(expected.widthPx)} × ${Math.round(expected.heightPx)} px), so positions were scaled to it: use the full-resolution image that Space Ranger was run with.`,
    );
  }
  const facts = {
    ...factsOf(image, "microscope", factor ?? 1, micronsPerPixel),
    expectedPx: expected && { widthPx: expected.widthPx, heightPx: expected.heightPx },
  };
  if (facts.micronsPerPixel > NUCLEI_VISIBLE_UM) warnings.push(coarseWarning(facts));
  return facts;
}

function factsOf(
  image: TissueImage,
  source: "microscope" | "hires" | "lowres",
  scale: number,
  micronsPerPixel: number,
): ImageFacts {
  return {
    file: basename(image.path),
    source,
    widthPx: image.widthPx,
    heightPx: image.heightPx,
    scale,
    micronsPerPixel: micronsPerPixel * scale,
    channels: image.channels,
    bitsPerSample: image.bitsPerSample,
    tiled: image.tiled,
    expectedPx: null,
  };
}

function coarseWarning(facts: ImageFacts): string {
  return `${facts.file} has ${facts.micronsPerPixel.toFixed(2)} µm per pixel, too coarse to see nuclei (about 0.5 is needed): add the full-resolution microscope image to get single-cell results.`;
}

/** Size of Space Ranger's input image, and how exact it is: its pictures have whole pixels. */
interface ExpectedSize {
  widthPx: number;
  heightPx: number;
  exactToPx: number;
}

/** Sizes of Space Ranger's input image, inferred from its output images, the larger one first. */
async function expectedSizes(
  files: SampleFiles,
  pictures: Sample["pictures"],
): Promise<ExpectedSize[]> {
  const sizes: ExpectedSize[] = [];
  for (const [path, factor] of [
    [files.hires, pictures.hires],
    [files.lowres, pictures.lowres],
  ] as const) {
    if (path === null || factor === undefined) continue;
    // A damaged picture must not stop a run that does not need it.
    const picture = await openTissueImage(path).catch((error: unknown) => {
      if (error instanceof InputError) return null;
      throw error;
    });
    if (!picture) continue;
    const [widthPx, heightPx] = [picture.widthPx / factor, picture.heightPx / factor];
    sizes.push({ widthPx, heightPx, exactToPx: 1 / factor });
  }
  return sizes;
}

/** Throws {@link InputError} if Space Ranger's pictures are of images of two sizes: on one of them, spots are out of place. */
function requireOneSize([hires, lowres]: readonly ExpectedSize[]): void {
  if (!hires || !lowres) return;
  const rounding = hires.exactToPx + lowres.exactToPx;
  const isOne = (["widthPx", "heightPx"] as const).every(
    (side) => Math.abs(hires[side] - lowres[side]) <= SIZE_TOLERANCE * hires[side] + rounding,
  );
  if (isOne) return;
  const [a, b] = [hires, lowres].map(
    ({ widthPx, heightPx }) => `${Math.round(widthPx)} × ${Math.round(heightPx)} px`,
  );
  throw new InputError(
    `By scalefactors_json.json, the image of Space Ranger's high-resolution picture had ${a}, and that of its low-resolution picture ${b}: take both pictures and the scale factors from one Space Ranger folder, or leave out the picture that was changed.`,
  );
}

/** How many times smaller than expected an image is (1 if it is the same); null if its shape differs. */
function sizeFactor(image: TissueImage, expected: ExpectedSize): number | null {
  const x = expected.widthPx / image.widthPx;
  const y = expected.heightPx / image.heightPx;
  if (Math.abs(x / y - 1) > SIZE_TOLERANCE) return null;
  const factor = (x + y) / 2;
  const rounding = expected.exactToPx / image.widthPx + expected.exactToPx / image.heightPx;
  const tolerance = Math.abs(x - y) <= rounding ? RESAMPLED_FROM : SIZE_TOLERANCE;
  return Math.abs(factor - 1) <= tolerance ? 1 : factor;
}

function timesOf(factor: number): string {
  return `${factor.toFixed(factor < 1.1 ? 3 : 2)} times`;
}
