import { channelFileNames } from "./channel-files.ts";
import { combinedChannels } from "./combined-channels.ts";
import { mergedColors, type ColorChannels } from "./merged-colors.ts";
import { openInStrips, openTissueImage } from "./open-tissue-image.ts";
import type { Orientation } from "@stipple/formats/tiff/orientation";
import type { TissueImage } from "./tissue-image.ts";
import { turnedImage } from "./turned-image.ts";

/** How an image's pixels are to be understood, where that is not as they are stored. */
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
    image = await open(path);
  }
  if (reading.colors) image = mergedColors(image, reading.colors);
  return turnedImage(image, reading.orientation);
}
