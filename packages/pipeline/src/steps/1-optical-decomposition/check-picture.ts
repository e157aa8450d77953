import { basename } from "node:path";
import type { ImageFacts } from "../../facts.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";
import type { PictureMatch, View } from "../../optics/compare-picture.ts";
import { matchPicture } from "../../optics/match-picture.ts";

/**
 * Minimum detail correlation for a picture of the same image, and the value below which it is of another image.
 */
export const SAME = 0.8;
const OTHER = 0.6;

export interface PictureCheck {
  /** Correlation of the image with the picture; null if there is no picture or nothing to compare. */
  like: number | null;
  /** What is wrong, as a sentence without the period; null if nothing is wrong or there is no evidence of a problem. */
  mismatch: string | null;
}

/**
 * Checks whether the image is the one from which Space Ranger made its picture: if so, the placement is certain,
 * however little of the expression the image explains. Only the microscope image is checked; `view` is that image at
 * low resolution.
 */
export async function checkPicture(
  files: Pick<SampleFiles, "hires" | "lowres">,
  facts: ImageFacts,
  view: View,
  options: { fluorescent: boolean; ownUmPerPx: number | null; signal: AbortSignal },
): Promise<PictureCheck> {
  const path = files.hires ?? files.lowres;
  const expected = facts.expectedPx;
  if (facts.source !== "microscope" || path === null || expected === null) {
    return { like: null, mismatch: null };
  }
  const file = facts.file ?? "the image";
  const sizes = `${file} (${facts.widthPx} × ${facts.heightPx} px)`;
  const wanted = `the image that the positions refer to (about ${Math.round(expected.widthPx)} × ${Math.round(expected.heightPx)} px by ${basename(path)} and scalefactors_json.json)`;
  const share = {
    x: (facts.widthPx * facts.scale) / expected.widthPx,
    y: (facts.heightPx * facts.scale) / expected.heightPx,
  };
  const isSameSize =
    Math.abs(facts.scale - 1) < 0.03 &&
    Math.abs(share.x - 1) < 0.03 &&
    Math.abs(share.y - 1) < 0.03;
  const match = await matchPicture(view, path, share, options);
  if (match === null) {
    const own = options.ownUmPerPx;
    const isKnown = own !== null && Math.abs(own / facts.micronsPerPixel - 1) < 0.05;
    return {
      like: null,
      mismatch:
        isSameSize || isKnown
          ? null
          : `${sizes} differs in size from ${wanted} and could not be identified as a rescaled copy; use the full-resolution image that Space Ranger was run with`,
    };
  }
  const { asGiven, turnedWords } = match;
  const judged = judgeMatch(match);
  if (judged === "turned") {
    return {
      like: asGiven,
      mismatch: `${file} seems to be ${turnedWords} relative to ${basename(path)}; use the image in the orientation that Space Ranger was run with`,
    };
  }
  // Fluorescence images have arbitrary colors and brightness.
  if (judged !== "other" || (options.fluorescent && isSameSize)) {
    return { like: asGiven, mismatch: null };
  }
  return {
    like: asGiven,
    mismatch: isSameSize
      ? `${file} does not match ${basename(path)}, which Space Ranger made from its input image; use the image that Space Ranger was run with`
      : `${sizes} is neither ${wanted} nor a rescaled copy of it; use the image that Space Ranger was run with`,
  };
}

/**
 * Interprets the correlations: the image matches the picture, matches it in another orientation, or is another
 * image.
 */
export function judgeMatch({
  asGiven,
  turned,
}: PictureMatch): "same" | "turned" | "unsure" | "other" {
  if (asGiven >= SAME) return "same";
  if (turned >= SAME) return "turned";
  return asGiven >= OTHER ? "unsure" : "other";
}
