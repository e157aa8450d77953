import { basename } from "node:path";
import type { TiffDescription } from "@stipple/formats/tiff/describe-tiff";
import type { Orientation } from "@stipple/formats/tiff/orientation";
import { InputError } from "../../errors.ts";
import { displayRanges, type Range } from "./display-ranges.ts";
import type { ImageRegion, Pixels, TissueImage } from "./tissue-image.ts";

/** Error for a file that cannot be decoded. */
export function damaged(path: string, cause: unknown): InputError {
  const file = basename(path);
  const reason = (cause instanceof Error ? cause.message : String(cause)).split("\n")[0].trim();
  return new InputError(
    `${file} cannot be decoded and is probably damaged (${reason}): copy or export it again.`,
    { cause },
  );
}

/** What a file says of its image. */
export abstract class DescribedImage {
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
  protected readonly description: TiffDescription;
  #ranges: Promise<Range[]> | null = null;

  constructor(path: string, description: TiffDescription) {
    this.description = description;
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

  abstract getChannel(index: number, region: ImageRegion): Promise<Pixels<Uint16Array>>;

  /** Throws RangeError unless the image has this channel. */
  protected requireChannel(index: number): void {
    if (!Number.isInteger(index) || index < 0 || index >= this.channels) {
      throw new RangeError(`Channel ${index} of ${this.channels}`);
    }
  }

  protected displayRanges(): Promise<Range[]> {
    this.#ranges ??= displayRanges(this, this.getChannel.bind(this));
    return this.#ranges;
  }
}
