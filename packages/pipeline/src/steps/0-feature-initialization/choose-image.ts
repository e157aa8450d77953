import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import type { ImageFacts } from "../../facts.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";
import type { Sample, SampleWords } from "../../readers/sample.ts";

export interface ChosenImage {
  facts: ImageFacts;
  path: string | null;
  warnings: string[];
}

/** Above this many µm per pixel, a nucleus covers too few pixels to be detected. */
const NUCLEI_VISIBLE_UM = 1.2;
/** Images whose size differs by more than this are treated as resized versions of Space Ranger's input. */
const SIZE_TOLERANCE = 0.02;

/**
 * The image to analyze: the microscope image, else Space Ranger's high- or low-resolution image, else none. The
 * microscope image's size is compared with Space Ranger's images so that resized exports are placed correctly.
 */
export async function chooseImage(
  files: SampleFiles,
  pictures: Sample["pictures"],
  micronsPerPixel: number,
  staining: "h_and_e" | "if",
): Promise<ChosenImage> {
  const warnings: string[] = [];
  const expected = await expectedSize(files, pictures);
  if (files.image !== null) {
    const image = await openTissueImage(files.image);
    image.close();
    const name = basename(files.image);
    if (image.kind === "channels" && staining === "h_and_e") {
      throw new InputError(
        `${name} has ${image.channels} separate channels, so it is not an H&E image: set the staining to IF, or use the RGB image.`,
        { file: name },
      );
    }
    if (image.kind === "gray" && staining === "h_and_e") {
      warnings.push(
        `${name} is grayscale, so hematoxylin and eosin cannot be separated: use the RGB image if there is one.`,
      );
    }
    const factor = expected && sizeFactor(image, expected);
    const coarse = /cytassist/i.test(name);
    if (coarse && factor !== 1 && expected) {
      warnings.push(
        `${name} is not the image that the positions refer to, so Space Ranger's image was used instead; upload the microscope image to see cells.`,
      );
    } else {
      if (expected && factor === null) {
        warnings.push(
          `${name} (${image.widthPx} × ${image.heightPx} px) does not have the proportions of the image that Space Ranger used (about ${Math.round(expected.widthPx)} × ${Math.round(expected.heightPx)} px): check that it is from this sample.`,
        );
      } else if (expected && factor !== null && factor !== 1) {
        warnings.push(
          `${name} (${image.widthPx} × ${image.heightPx} px) is ${factor > 1 ? `${factor.toFixed(2)} times smaller` : `${(1 / factor).toFixed(2)} times larger`} than the image that the positions refer to (about ${Math.round(expected.widthPx)} × ${Math.round(expected.heightPx)} px), so positions were scaled to it: use the full-resolution image that Space Ranger was run with.`,
        );
      }
      const facts = {
        ...factsOf(image, "microscope", factor ?? 1, micronsPerPixel),
        expectedPx: expected,
      };
      if (facts.micronsPerPixel > NUCLEI_VISIBLE_UM) warnings.push(coarseWarning(facts));
      return { facts, path: files.image, warnings };
    }
  }
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
    image.close();
    const facts = factsOf(image, source, 1 / factor, micronsPerPixel);
    if (facts.micronsPerPixel > NUCLEI_VISIBLE_UM) warnings.push(coarseWarning(facts));
    return { facts, path, warnings };
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
    path: null,
    warnings,
  };
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

/** Size of Space Ranger's input image, inferred from its output images; null if they do not reveal it. */
async function expectedSize(
  files: SampleFiles,
  pictures: Sample["pictures"],
): Promise<{ widthPx: number; heightPx: number } | null> {
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
    picture.close();
    return { widthPx: picture.widthPx / factor, heightPx: picture.heightPx / factor };
  }
  return null;
}

/** How many times smaller than expected an image is (1 within the tolerance); null if its shape differs. */
function sizeFactor(
  image: TissueImage,
  expected: { widthPx: number; heightPx: number },
): number | null {
  const x = expected.widthPx / image.widthPx;
  const y = expected.heightPx / image.heightPx;
  if (Math.abs(x / y - 1) > SIZE_TOLERANCE) return null;
  const factor = (x + y) / 2;
  return Math.abs(factor - 1) <= SIZE_TOLERANCE ? 1 : factor;
}

/**
 * Fraction of spots whose center is on the image. Throws {@link InputError} if none are, with a hint if
 * swapping x and y would fix it; a fraction of spots off the image only adds a warning.
 */
export function spotsOnImage(
  x: Float64Array,
  y: Float64Array,
  facts: ImageFacts,
  { positionsFile, axes }: Pick<SampleWords, "positionsFile" | "axes">,
): { fraction: number; warnings: string[] } {
  if (facts.source === "none") return { fraction: 1, warnings: [] };
  const width = facts.widthPx * facts.scale;
  const height = facts.heightPx * facts.scale;
  let [on, swapped] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    if (x[i] >= 0 && x[i] < width && y[i] >= 0 && y[i] < height) on++;
    if (y[i] >= 0 && y[i] < width && x[i] >= 0 && x[i] < height) swapped++;
  }
  const n = x.length;
  const extent = (values: Float64Array): string => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return `${Math.round(low)}–${Math.round(high)}`;
  };
  const extents = `spots at x ${extent(x)}, y ${extent(y)} px, image ${Math.round(width)} × ${Math.round(height)} px`;
  if (on < 0.5 * n && facts.source === "microscope" && facts.scale !== 1) {
    const inside = countInside(x, y, { width: facts.widthPx, height: facts.heightPx });
    if (inside > 0.9 * n) {
      const times = facts.scale > 1 ? facts.scale : 1 / facts.scale;
      throw new InputError(
        `The scale factors in scalefactors_json.json do not fit: with them and Space Ranger's image, ${facts.file} would be ${times.toFixed(2)} times ${facts.scale > 1 ? "smaller" : "larger"} than the image that the positions refer to, but the spots match it without scaling; take scalefactors_json.json and the images from the same Space Ranger folder.`,
        { file: "scalefactors_json.json" },
      );
    }
  }
  if (on < 0.5 * n && swapped > 0.9 * n) {
    throw new InputError(
      `${on === 0 ? "No spot" : `Only ${on} of ${n} spots`} in ${positionsFile} ${on === 0 ? "lies" : "lie"} on ${facts.file} (${extents}), but they would with rows and columns swapped: check that ${axes}.`,
      { file: positionsFile },
    );
  }
  if (on === 0) {
    throw new InputError(
      `No spot in ${positionsFile} lies on ${facts.file} (${extents}): positions and image don't match; take both from the same sample.`,
      { file: positionsFile },
    );
  }
  if (on < 0.5 * n) {
    const proposal = whatWouldFit(x, y, { width, height });
    throw new InputError(
      `${n - on} of ${n} spots in ${positionsFile} lie off ${facts.file} (${extents}): ${proposal ?? "positions and image don't match; take both from the same sample"}.`,
      { file: positionsFile },
    );
  }
  const warnings: string[] = [];
  if (on < n) {
    const share = ((1 - on / n) * 100).toFixed(on / n > 0.99 ? 2 : 0);
    warnings.push(
      `${n - on} of ${n} spots (${share}%) lie off ${facts.file} (${extents}); no cells can be found there.`,
    );
  }
  if (swapped > on + 0.2 * n) {
    warnings.push(
      `More spots would lie on ${facts.file} with rows and columns swapped (${swapped} instead of ${on}): check the positions.`,
    );
  }
  return { fraction: on / n, warnings };
}

function countInside(
  x: Float64Array,
  y: Float64Array,
  image: { width: number; height: number },
): number {
  let inside = 0;
  for (let i = 0; i < x.length; i++) {
    inside += Number(x[i] >= 0 && x[i] < image.width && y[i] >= 0 && y[i] < image.height);
  }
  return inside;
}

/**
 * A simple change that would place nearly all spots on the image, as the end of a sentence; null if there is
 * none.
 */
function whatWouldFit(
  x: Float64Array,
  y: Float64Array,
  image: { width: number; height: number },
): string | null {
  let [right, bottom, low] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    right = Math.max(right, x[i]);
    bottom = Math.max(bottom, y[i]);
    low = Math.min(low, x[i], y[i]);
  }
  const needed = Math.max(right / image.width, bottom / image.height);
  // Spots cover most of their image, so a factor far from the needed one means a different mistake.
  if (low < 0 || needed < 1.2 || needed > 40) return null;
  return `the image is at least ${needed.toFixed(1)} times smaller than the one that the positions refer to; use the full-resolution image that Space Ranger was run with, not a downsampled copy`;
}
