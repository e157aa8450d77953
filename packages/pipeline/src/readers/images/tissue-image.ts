/** A rectangle of an image, in its own pixels, and the size it is wanted in. */
export interface ImageRegion {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Size of the result; the region's own size by default. Shrinking uses the file's pyramid where it has one. */
  outWidth?: number;
  outHeight?: number;
  signal?: AbortSignal | undefined;
}

/** Interleaved pixels, row by row: sample c of pixel (x, y) is data[(y * width + x) * channels + c]. */
export interface Pixels<T extends Uint8Array | Uint16Array = Uint8Array> {
  data: T;
  width: number;
  height: number;
  channels: number;
}

/** An opened tissue image. Everything reads images through this, region by region. */
export interface TissueImage {
  path: string;
  widthPx: number;
  heightPx: number;
  /** "rgb" for brightfield color, "gray" for one channel, "channels" for fluorescence with several. */
  kind: "rgb" | "gray" | "channels";
  /** 1 for gray, 3 for rgb (alpha is not counted), n for channels. */
  channels: number;
  /** Names from the file's metadata, one a channel; empty where it gives none. */
  channelNames: readonly string[];
  bitsPerSample: number;
  /** Whether regions can be read without decoding everything above them. */
  tiled: boolean;
  /** Pixels that must be decoded to see the whole image small: those of its smallest version. */
  overviewPx: number;
  /** µm per pixel by the file's own metadata, where it is plausible (0.05–20 µm). */
  metadataMicronsPerPixel: number | null;
  /**
   * Reads a region as RGB8 (channels is always 3): gray is repeated, transparency is laid on white, 16 bit is scaled by
   * the range that the image uses, fluorescence becomes a color composite.
   * Throws RangeError for a region that is not inside the image, InputError for damaged data.
   */
  getRegion(region: ImageRegion): Promise<Pixels>;
  /**
   * Reads one channel with its stored values (8-bit values stay 0–255). Values that do not fit 16 bits without sign are
   * scaled to do so.
   */
  getChannel(index: number, region: ImageRegion): Promise<Pixels<Uint16Array>>;
  close(): void;
}
