/** A painted image. */
export interface Raster {
  width: number;
  height: number;
  /** RGB, three bytes per pixel: the image itself for H&E, a false-color view for fluorescence. */
  preview: Uint8Array;
  /** Fluorescence channels, 16 bits, one after the other. */
  channels: { names: readonly string[]; values: Uint16Array } | null;
}
