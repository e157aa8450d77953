import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { compositeOf, displayRanges, type Range } from "./display-ranges.ts";
import type { TissueImage } from "./tissue-image.ts";

/**
 * Several images of one field, a channel each, as one image: `images` in the order of their `names`. Pixels stay in
 * their files until a region is read. Throws {@link InputError} if an image has several channels or another size.
 */
export function combinedChannels(
  images: readonly TissueImage[],
  names: readonly string[],
): TissueImage {
  const first = images[0];
  for (const image of images) {
    const file = basename(image.path);
    if (image.kind !== "gray") {
      throw new InputError(
        `${file} is ${image.kind === "rgb" ? "a color image" : `an image of ${image.channels} channels`}, not a single channel: remove it, or choose it alone.`,
        { file },
      );
    }
    if (image.widthPx !== first.widthPx || image.heightPx !== first.heightPx) {
      throw new InputError(
        `${file} (${image.widthPx} × ${image.heightPx} px) and ${basename(first.path)} (${first.widthPx} × ${first.heightPx} px) differ in size, so they are not channels of one image: choose one of them.`,
        { file },
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
    close() {
      ranges = null;
      for (const image of images) image.close();
    },
  };
}
