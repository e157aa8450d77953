import { colorsOf, displayRanges, fullScaleOf } from "./display-ranges.ts";
import type { ImageRegion, Pixels, TissueImage } from "./tissue-image.ts";

/** Indices of an image's red, green, and blue channel. */
export type ColorChannels = readonly [red: number, green: number, blue: number];

const COLOR_NAMES = [/^(r|red)$/i, /^(g|green)$/i, /^(b|blue)$/i] as const;
const ALPHA = /^(a|alpha|transparency|opacity)$/i;

/**
 * The channels that are called red, green, and blue; null if any is missing, or if there is another channel than an
 * alpha channel.
 */
export function colorsByName(names: readonly string[]): ColorChannels | null {
  const plain = names.map((name) => name.trim());
  const [red, green, blue] = COLOR_NAMES.map((pattern) =>
    plain.findIndex((name) => pattern.test(name)),
  );
  const others = plain.filter((_, at) => at !== red && at !== green && at !== blue);
  if (red < 0 || green < 0 || blue < 0 || !others.every((name) => ALPHA.test(name))) return null;
  return [red, green, blue];
}

/** A color image whose red, green, and blue were saved as separate channels. */
export function mergedColors(separate: TissueImage, colors: ColorChannels): TissueImage {
  let scale: Promise<number> | null = null;
  const getChannel: TissueImage["getChannel"] = (index, region) => {
    const channel = colors[index];
    if (channel === undefined) throw new RangeError(`Channel ${index} of 3`);
    return separate.getChannel(channel, region);
  };
  const size = { widthPx: separate.widthPx, heightPx: separate.heightPx, channels: 3 };
  const fullScale = (): Promise<number> =>
    (scale ??=
      separate.bitsPerSample > 8
        ? displayRanges(size, getChannel).then(fullScaleOf)
        : Promise.resolve(255));
  return {
    ...separate,
    ...size,
    kind: "rgb",
    channelNames: [],
    place: null,
    getChannel,
    async getRegion(region: ImageRegion): Promise<Pixels> {
      const full = await fullScale();
      const planes: Pixels<Uint16Array>[] = [];
      for (const c of [0, 1, 2]) planes.push(await getChannel(c, region));
      return colorsOf(planes, full);
    },
  };
}
