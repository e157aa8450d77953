import type { TiffDescription } from "@stipple/formats/tiff/describe-tiff";
import type { Orientation } from "@stipple/formats/tiff/orientation";
import type { TissueImage } from "./tissue-image.ts";

/** What a file says of its image. */
export class DescribedImage {
  readonly path: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly kind: TissueImage["kind"];
  readonly channels: number;
  channelNames: readonly string[];
  readonly bitsPerSample: number;
  readonly tiled: boolean;
  readonly overviewPx: number;
  readonly metadataMicronsPerPixel: number | null;
  readonly orientation: Orientation;
  readonly unusedPages: readonly string[];

  constructor(path: string, description: TiffDescription) {
    this.path = path;
    this.widthPx = description.widthPx;
    this.heightPx = description.heightPx;
    this.kind = description.kind;
    this.channels = description.channels;
    this.channelNames = description.channelNames;
    this.bitsPerSample = description.bitsPerSample;
    this.tiled = description.tiled;
    this.overviewPx = description.overviewPx;
    this.metadataMicronsPerPixel = description.micronsPerPixel;
    this.orientation = description.orientation;
    this.unusedPages = description.unusedPages;
  }
}
