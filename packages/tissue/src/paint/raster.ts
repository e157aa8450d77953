/** A painted image. */
export interface Raster {
  width: number;
  height: number;
  /** RGB, three bytes a pixel: the image itself under H&E, a view in false colors under fluorescence. */
  preview: Uint8Array;
  /** The channels under fluorescence, 16 bits, one after the other. */
  channels: { names: readonly string[]; values: Uint16Array } | null;
}
