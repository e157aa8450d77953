import { InputError } from "../errors.ts";
import { openTissueImage } from "../readers/images/open-tissue-image.ts";
import { comparePicture, type PictureMatch, type View } from "./compare-picture.ts";
import { readOverview } from "./read-overview.ts";

/**
 * Compares a view of the image with the picture that Space Ranger made of it. `share`: see `comparePicture`. Null if
 * the picture cannot be read or there is too little to compare. O(pixels of the picture).
 */
export async function matchPicture(
  view: View,
  path: string,
  share: { x: number; y: number },
  options: { fluorescent: boolean; signal: AbortSignal },
): Promise<PictureMatch | null> {
  const picture = await readPicture(path, view, share, options);
  return picture && comparePicture(resized(view, picture, share), picture, share);
}

/** The picture at the size of the view, or at its own size if larger; null if it cannot be read. */
async function readPicture(
  path: string,
  view: View,
  share: { x: number; y: number },
  { fluorescent, signal }: { fluorescent: boolean; signal: AbortSignal },
): Promise<View | null> {
  try {
    const picture = await openTissueImage(path);
    const width = Math.max(1, Math.min(picture.widthPx, Math.round(view.width / share.x)));
    const height = Math.max(1, Math.min(picture.heightPx, Math.round(view.height / share.y)));
    const overview = await readOverview(picture, width, height, fluorescent, signal);
    return { data: overview.signal, width, height };
  } catch (error) {
    // A damaged picture must not stop a run that does not need it.
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** The view resampled to the picture's pixel size by averaging. O(pixels). */
function resized(view: View, picture: View, share: { x: number; y: number }): View {
  const width = Math.max(1, Math.min(view.width, Math.round(picture.width * share.x)));
  const height = Math.max(1, Math.min(view.height, Math.round(picture.height * share.y)));
  if (width === view.width && height === view.height) return view;
  const sums = new Float64Array(width * height);
  const counts = new Uint32Array(width * height);
  for (let y = 0; y < view.height; y++) {
    const row = Math.floor((y * height) / view.height) * width;
    for (let x = 0; x < view.width; x++) {
      const at = row + Math.floor((x * width) / view.width);
      sums[at] += view.data[y * view.width + x];
      counts[at]++;
    }
  }
  return { data: Float32Array.from(sums, (sum, i) => sum / counts[i]), width, height };
}
