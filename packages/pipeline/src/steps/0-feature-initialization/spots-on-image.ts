import { InputError } from "../../errors.ts";
import type { ImageFacts } from "../../facts.ts";
import type { SampleWords } from "../../readers/sample.ts";

/**
 * Fraction of spots whose center is on the image. Throws {@link InputError} if none are, with a hint if
 * swapping x and y would fix it; a fraction of spots off the image only adds a warning. `ignoredTag`: an orientation tag
 * that was not applied, which sentences name.
 */
export function spotsOnImage(
  x: Float64Array,
  y: Float64Array,
  facts: ImageFacts,
  { noun, positionsFile, axes }: Pick<SampleWords, "noun" | "positionsFile" | "axes">,
  ignoredTag: string | null = null,
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
  const extents = `${noun}s at x ${extent(x)}, y ${extent(y)} px, image ${Math.round(width)} × ${Math.round(height)} px${ignoredTag === null ? "" : `; ${ignoredTag}`}`;
  if (on < 0.5 * n && facts.source === "microscope" && facts.scale !== 1) {
    const inside = countInside(x, y, { width: facts.widthPx, height: facts.heightPx });
    if (inside > 0.9 * n) {
      const times = facts.scale > 1 ? facts.scale : 1 / facts.scale;
      throw new InputError(
        `The scale factors in scalefactors_json.json do not fit: with them and Space Ranger's image, ${facts.file} would be ${times.toFixed(2)} times ${facts.scale > 1 ? "smaller" : "larger"} than the image that the positions refer to, but the ${noun}s match it without scaling; take scalefactors_json.json and the images from the same Space Ranger folder.`,
      );
    }
  }
  if (on < 0.5 * n && swapped > 0.9 * n) {
    throw new InputError(
      `${on === 0 ? `No ${noun}` : `Only ${on} of ${n} ${noun}s`} in ${positionsFile} ${on === 0 ? "lies" : "lie"} on ${facts.file} (${extents}), but they would with rows and columns swapped: check that ${axes}.`,
    );
  }
  if (on === 0) {
    throw new InputError(
      `No ${noun} in ${positionsFile} lies on ${facts.file} (${extents}): positions and image don't match; take both from the same sample.`,
    );
  }
  if (on < 0.5 * n) {
    const proposal = whatWouldFit(x, y, { width, height });
    throw new InputError(
      `${n - on} of ${n} ${noun}s in ${positionsFile} lie off ${facts.file} (${extents}): ${proposal ?? "positions and image don't match; take both from the same sample"}.`,
    );
  }
  const warnings: string[] = [];
  if (on < n) {
    const share = ((1 - on / n) * 100).toFixed(on / n > 0.99 ? 2 : 0);
    warnings.push(
      `${n - on} of ${n} ${noun}s (${share}%) ${n - on === 1 ? "lies" : "lie"} off ${facts.file} (${extents}); no cells can be found there.`,
    );
  }
  if (swapped > on + 0.2 * n) {
    warnings.push(
      `More ${noun}s would lie on ${facts.file} with rows and columns swapped (${swapped} instead of ${on}): check the positions.`,
    );
  }
  return { fraction: on / n, warnings };
}

/** Number of positions on an image of this size. */
export function countInside(
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
