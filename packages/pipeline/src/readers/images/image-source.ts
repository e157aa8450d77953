import { basename } from "node:path";
import { mergedColors, type ColorChannels } from "./merged-colors.ts";
import { openInStrips, openTissueImage } from "./open-tissue-image.ts";
import type { Orientation } from "@stipple/formats/tiff/orientation";
import type { TissueImage } from "./tissue-image.ts";
import { turnedImage } from "./turned-image.ts";
import { InputError } from "../../errors.ts";
import { compositeOf, displayRanges, type Range } from "./display-ranges.ts";

/** How to interpret an image's pixels, if not as they are stored. */
export interface ImageReading {
  /** How to turn the stored pixels; 1 = not at all. */
  orientation: Orientation;
  /** The channels that are red, green, and blue of an H&E image; null if the file says itself what it is. */
  colors: ColorChannels | null;
}

export const AS_STORED: ImageReading = { orientation: 1, colors: null };

/** The user's image: one file, or one per channel, and how to read it. */
export interface ImageSource {
  path: string;
  /** All files, including `path`, if each has one channel. */
  channelFiles?: readonly string[] | null | undefined;
  reading: ImageReading;
}

/** Whether reading the file alone, as it is, gives the image. */
export function isPlain({ channelFiles, reading }: ImageSource): boolean {
  return !channelFiles && reading.orientation === 1 && reading.colors === null;
}

/**
 * Opens the user's image as it is to be understood: its channels combined, its colors merged, turned upright.
 * `inStrips`: see `openInStrips`. Throws InputError.
 */
export async function openImageSource(
  { path, channelFiles, reading }: ImageSource,
  { inStrips = false } = {},
): Promise<TissueImage> {
  const open = inStrips ? openInStrips : openTissueImage;
  let image: TissueImage;
  if (channelFiles) {
    const images: TissueImage[] = [];
    for (const file of channelFiles) images.push(await open(file));
    image = combinedChannels(images, channelFileNames(channelFiles));
  } else {
    image = await open(path, { colors: reading.colors !== null });
  }
  if (reading.colors) image = mergedColors(image, reading.colors);
  return turnedImage(image, reading.orientation);
}

/**
 * Names of channels that are files of their own: the words in which the files' names differ ("DAPI" of S1_DAPI.ome.tif
 * beside S1_CD3.ome.tif), or whole names where nothing is shared.
 */
export function channelFileNames(paths: readonly string[]): string[] {
  const plain = paths.map((path) => basename(path).replace(/(\.ome)?\.[a-z]+$/i, ""));
  const words = plain.map((name) => name.split(/[\s_.()[\]-]+/).filter((word) => word !== ""));
  const length = words[0]?.length ?? 0;
  if (words.some((each) => each.length !== length)) return plain;
  const differing = [...Array(length).keys()].filter(
    (at) => new Set(words.map((each) => each[at])).size > 1,
  );
  return words.map((each, i) => differing.map((at) => each[at]).join(" ") || plain[i]);
}

/**
 * Several images of one field, a channel each, as one image: `images` in the order of their `names`. Pixels stay in
 * their files until a region is read. Throws {@link InputError} if an image has several channels or another size.
 */
function combinedChannels(images: readonly TissueImage[], names: readonly string[]): TissueImage {
  const first = images[0];
  for (const image of images) {
    const file = basename(image.path);
    if (image.kind !== "gray") {
      throw new InputError(
        `${file} is ${image.kind === "rgb" ? "a color image" : `an image of ${image.channels} channels`}, not a single channel: remove it, or choose it alone.`,
      );
    }
    if (image.widthPx !== first.widthPx || image.heightPx !== first.heightPx) {
      throw new InputError(
        `${file} (${image.widthPx} × ${image.heightPx} px) and ${basename(first.path)} (${first.widthPx} × ${first.heightPx} px) differ in size, so they are not channels of one image: choose one of them.`,
      );
    }
  }
  const size = { widthPx: first.widthPx, heightPx: first.heightPx, channels: images.length };
  let ranges: Promise<Range[]> | null = null;
  const getChannel: TissueImage["getChannel"] = (index, region) => {
    const image = images[index];
    if (!image) throw new RangeError(`Channel ${index} of ${images.length}`);
    return image.getChannel(0, region);
  };
  return {
    path: first.path,
    ...size,
    kind: "channels",
    channelNames: names,
    bitsPerSample: Math.max(...images.map((image) => image.bitsPerSample)),
    tiled: images.every((image) => image.tiled),
    overviewPx: Math.max(...images.map((image) => image.overviewPx)),
    metadataMicronsPerPixel: first.metadataMicronsPerPixel,
    orientation: first.orientation,
    unusedPages: images.flatMap((image) => image.unusedPages),
    place: null,
    getChannel,
    async getRegion(region) {
      ranges ??= displayRanges(size, getChannel);
      return compositeOf(region, await ranges, getChannel);
    },
  };
}
