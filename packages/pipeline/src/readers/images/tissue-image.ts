import type { Orientation } from "@stipple/formats/tiff/orientation";

/** A rectangle of an image, in image pixels, and the requested output size. */
export interface ImageRegion {
  x: number;
  y: number;
  width: number;
  height: number;
  /**
   * Size of the result; by default the region's own size. Downsampling uses the file's pyramid if it has one.
   */
  outWidth?: number;
  outHeight?: number;
  signal?: AbortSignal | undefined;
}

/** The whole image, reduced to this size. */
export function wholeImage(
  image: Pick<TissueImage, "widthPx" | "heightPx">,
  outWidth: number,
  outHeight: number,
  signal: AbortSignal,
): ImageRegion & { outWidth: number; outHeight: number } {
  return { x: 0, y: 0, width: image.widthPx, height: image.heightPx, outWidth, outHeight, signal };
}

/** Size of an image reduced to at most `longSidePx`, at least one pixel in each direction. */
export function reducedSize(
  { widthPx, heightPx }: Pick<TissueImage, "widthPx" | "heightPx">,
  longSidePx: number,
): { width: number; height: number } {
  const shrink = Math.max(1, Math.max(widthPx, heightPx) / longSidePx);
  const side = (px: number): number => Math.max(1, Math.round(px / shrink));
  return { width: side(widthPx), height: side(heightPx) };
}

/** Interleaved pixels, row by row: sample c of pixel (x, y) is data[(y * width + x) * channels + c]. */
export interface Pixels<T extends Uint8Array | Uint16Array = Uint8Array> {
  data: T;
  width: number;
  height: number;
  channels: number;
}

/** An opened tissue image. All code reads images through this interface, region by region. */
export interface TissueImage {
  path: string;
  widthPx: number;
  heightPx: number;
  /** "rgb" for brightfield color, "gray" for one channel, "channels" for fluorescence with several. */
  kind: "rgb" | "gray" | "channels";
  /** 1 for gray, 3 for rgb (alpha is not counted), n for channels. */
  channels: number;
  /** Names from the file's metadata, or from the user, one per channel; empty if there are none. */
  channelNames: readonly string[];
  bitsPerSample: number;
  /** Whether regions can be read without decoding everything above them. */
  tiled: boolean;
  /** Number of pixels to decode for an overview of the whole image: those of its smallest version. */
  overviewPx: number;
  /** µm per pixel from the file's own metadata, if plausible (0.05–20 µm). */
  metadataMicronsPerPixel: number | null;
  /** How the pixels must be turned to be upright, by the file's own tag; 1 = as they are. */
  orientation: Orientation;
  /** Where libvips alone finds these pixels in the file, as they are; null if it does not. */
  place: { page: number; subifd: number } | null;
  /** Pages of the file that are not part of this image, in words: "page 1 (label, 387 × 463 px)". */
  unusedPages: readonly string[];
  /**
   * Reads a region as RGB8 (channels is always 3): gray is repeated, transparency is composited on white,
   * 16-bit values are scaled by the range used in the image, and fluorescence becomes a color composite. Throws
   * RangeError for a region that is not inside the image, InputError for damaged data.
   */
  getRegion(region: ImageRegion): Promise<Pixels>;
  /**
   * Reads one channel with its stored values (8-bit values stay 0–255). Values that do not fit in unsigned 16
   * bits are scaled to fit.
   */
  getChannel(index: number, region: ImageRegion): Promise<Pixels<Uint16Array>>;
}
