import { basename } from "node:path";
import { throwIfCancelled } from "../../errors.ts";
import { matchPicture } from "../../optics/match-picture.ts";
import { readOverview } from "../../optics/read-overview.ts";
import { orientationWords, swapsSides, type Orientation } from "@stipple/formats/tiff/orientation";
import { reducedSize, type TissueImage } from "../../readers/images/tissue-image.ts";
import { turnedImage } from "../../readers/images/turned-image.ts";
import { countInside } from "./spots-on-image.ts";

interface Size {
  widthPx: number;
  heightPx: number;
}

/** What is known about the frame that the positions refer to. */
export interface FrameEvidence {
  /** Size of the image that Space Ranger was run with; null if unknown. */
  expected: Size | null;
  /** Space Ranger's own picture of it; null if there is none. */
  picture: string | null;
  /** Spots in tissue, full-resolution px. */
  x: Float64Array;
  y: Float64Array;
  fluorescent: boolean;
  signal: AbortSignal;
}

export interface ChosenOrientation {
  orientation: Orientation;
  /** For the log. */
  note: string | null;
  warning: string | null;
  /** The tag, if it was not applied, to be named where the image does not fit. */
  ignored: string | null;
}

/** Images of which a side differs by more than this are treated as resized versions of Space Ranger's input. */
export const SIZE_TOLERANCE = 0.02;
/** Longer side of the view that is compared with Space Ranger's picture, px. */
const VIEW_PX = 1000;
/** Correlation with the picture at which, and lead over the other orientation by which, one is the right one. */
const LIKE = 0.5;
const LEAD = 0.15;
/** Share of the spots that lie on the image in the right orientation. */
const NEARLY_ALL = 0.99;

/**
 * Whether to turn an image by its orientation tag. Programs disagree about the tag, so the positions decide: it is
 * applied if only the turned image has the shape of Space Ranger's image, contains the spots, or looks like Space
 * Ranger's picture. If nothing decides, pixels stay as stored and a warning names the tag.
 */
export async function chooseOrientation(
  image: TissueImage,
  evidence: FrameEvidence,
): Promise<ChosenOrientation> {
  const { orientation } = image;
  if (orientation === 1) return { orientation: 1, note: null, warning: null, ignored: null };
  const ignored = `its ${orientationWords(orientation)} was not applied`;
  const tag = `${basename(image.path)} has ${orientationWords(orientation)}`;
  const asStored = (why: string): ChosenOrientation => ({
    orientation: 1,
    note: `${tag}, which was not applied: ${why}.`,
    warning: null,
    ignored,
  });
  const applied = (why: string): ChosenOrientation => ({
    orientation,
    note: `${tag}, which was applied: ${why}.`,
    warning: null,
    ignored: null,
  });
  const { expected } = evidence;
  const turned = turnedSize(image, orientation);
  if (expected) {
    const [fits, fitsTurned] = [hasShapeOf(image, expected), hasShapeOf(turned, expected)];
    if (fits && !fitsTurned) return asStored("as stored, it has the shape of Space Ranger's image");
    if (fitsTurned && !fits) return applied("only so it has the shape of Space Ranger's image");
    const like = fits && (await likePicture(image, evidence, expected));
    if (like && like.turned >= LIKE && like.turned > like.stored + LEAD)
      return applied("only so it looks like Space Ranger's picture");
    if (like && like.stored >= LIKE && like.stored > like.turned + LEAD)
      return asStored("as stored, it looks like Space Ranger's picture");
  } else {
    const { x, y } = evidence;
    const on = countInside(x, y, { width: image.widthPx, height: image.heightPx });
    const onTurned = countInside(x, y, { width: turned.widthPx, height: turned.heightPx });
    if (onTurned > on && onTurned >= NEARLY_ALL * x.length)
      return applied("only so all spots lie on it");
    if (on > onTurned && on >= NEARLY_ALL * x.length)
      return asStored("as stored, all spots lie on it");
  }
  return {
    orientation: 1,
    note: null,
    warning: `${tag}, which was not applied, because the positions do not tell whether Space Ranger applied it: if cells or clusters lie in the wrong places, save the image upright, without the tag.`,
    ignored,
  };
}

function turnedSize({ widthPx, heightPx }: Size, orientation: Orientation): Size {
  return swapsSides(orientation) ? { widthPx: heightPx, heightPx: widthPx } : { widthPx, heightPx };
}

/** Whether an image may be a resized version of one of the expected size. */
function hasShapeOf(image: Size, expected: Size): boolean {
  const ratio = (expected.widthPx / image.widthPx) * (image.heightPx / expected.heightPx);
  return Math.abs(ratio - 1) <= SIZE_TOLERANCE;
}

/** How much the image looks like Space Ranger's picture, as stored and turned; null if that cannot be said. */
async function likePicture(
  image: TissueImage,
  { picture, fluorescent, signal }: FrameEvidence,
  expected: Size,
): Promise<{ stored: number; turned: number } | null> {
  if (picture === null) return null;
  const likeness: number[] = [];
  for (const each of [image, turnedImage(image, image.orientation)]) {
    throwIfCancelled(signal);
    const { width, height } = reducedSize(each, VIEW_PX);
    const { signal: data } = await readOverview(each, width, height, fluorescent, signal);
    const factor = (expected.widthPx / each.widthPx + expected.heightPx / each.heightPx) / 2;
    const share = {
      x: (each.widthPx * factor) / expected.widthPx,
      y: (each.heightPx * factor) / expected.heightPx,
    };
    const match = await matchPicture({ data, width, height }, picture, share, {
      fluorescent,
      signal,
    });
    if (match === null) return null;
    likeness.push(match.asGiven);
  }
  return { stored: likeness[0], turned: likeness[1] };
}
