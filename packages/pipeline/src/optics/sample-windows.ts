import { throwIfCancelled } from "../errors.ts";
import { Random } from "@stipple/numerics/random";
import type { ImageRegion, TissueImage } from "../readers/images/tissue-image.ts";

/** Pixels from which stains and ranges are estimated, unless fewer are requested. */
const SAMPLE_PIXELS = 2_000_000;
const WINDOW_PX = 256;

/** A mask of the image, and image pixels per mask pixel. */
export interface MaskOnImage {
  mask: Uint8Array;
  width: number;
  height: number;
  stepX: number;
  stepY: number;
}

/**
 * Windows of an image for an estimate: all of a small image, otherwise up to `pixels` in square windows whose centers
 * are drawn (seeded) from the tissue, or from anywhere if there is none.
 */
export function sampleWindows(
  image: TissueImage,
  tissue: MaskOnImage,
  seed: number,
  pixels = SAMPLE_PIXELS,
): ImageRegion[] {
  const { widthPx, heightPx } = image;
  if (widthPx * heightPx <= pixels) {
    return [{ x: 0, y: 0, width: widthPx, height: heightPx }];
  }
  const random = new Random(seed);
  const places: number[] = [];
  for (let i = 0; i < tissue.mask.length; i++) if (tissue.mask[i]) places.push(i);
  const width = Math.min(WINDOW_PX, widthPx);
  const height = Math.min(WINDOW_PX, heightPx);
  const count = Math.floor(pixels / (width * height));
  const windows: ImageRegion[] = [];
  for (let i = 0; i < count; i++) {
    const place =
      places.length > 0 ? places[random.below(places.length)] : random.below(tissue.mask.length);
    const centerX = ((place % tissue.width) + random.uniform()) * tissue.stepX;
    const centerY = (Math.floor(place / tissue.width) + random.uniform()) * tissue.stepY;
    windows.push({
      x: Math.max(0, Math.min(widthPx - width, Math.round(centerX - width / 2))),
      y: Math.max(0, Math.min(heightPx - height, Math.round(centerY - height / 2))),
      width,
      height,
    });
  }
  return windows;
}

/** RGB8 pixels of windows, only those on tissue, interleaved. `parallel` windows are read at a time. */
export async function sampleTissuePixels(
  image: TissueImage,
  windows: readonly ImageRegion[],
  tissue: MaskOnImage,
  options: { parallel: number; signal: AbortSignal; progress(fraction: number): void },
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < windows.length; at += options.parallel) {
    throwIfCancelled(options.signal);
    const group = windows.slice(at, at + options.parallel);
    const read = await Promise.all(
      group.map((window) => image.getRegion({ ...window, signal: options.signal })),
    );
    read.forEach((pixels, i) => pieces.push(onTissue(pixels.data, group[i], tissue)));
    options.progress(Math.min(1, (at + options.parallel) / windows.length));
  }
  return Buffer.concat(pieces);
}

function onTissue(rgb: Uint8Array, window: ImageRegion, tissue: MaskOnImage): Uint8Array {
  const kept = new Uint8Array(rgb.length);
  let n = 0;
  for (let y = 0; y < window.height; y++) {
    const row = Math.min(tissue.height - 1, Math.floor((window.y + y) / tissue.stepY));
    for (let x = 0; x < window.width; x++) {
      const column = Math.min(tissue.width - 1, Math.floor((window.x + x) / tissue.stepX));
      if (!tissue.mask[row * tissue.width + column]) continue;
      const from = 3 * (y * window.width + x);
      kept[n++] = rgb[from];
      kept[n++] = rgb[from + 1];
      kept[n++] = rgb[from + 2];
    }
  }
  return kept.subarray(0, n);
}
