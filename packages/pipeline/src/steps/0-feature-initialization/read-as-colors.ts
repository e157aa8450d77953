import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { onBrightBackground } from "../../optics/bright-background.ts";
import { spreadWindows } from "../../readers/images/display-ranges.ts";
import { colorsByName, type ColorChannels } from "../../readers/images/merged-colors.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";

/**
 * The channels that are the red, green, and blue of an H&E image saved as separate grayscale pages: by their names, or
 * three on a bright background. Throws {@link InputError} for any other image with several channels.
 */
export async function readAsColors(
  image: TissueImage,
  signal: AbortSignal,
): Promise<{ colors: ColorChannels; note: string }> {
  const name = basename(image.path);
  const named = colorsByName(image.channelNames);
  if (named) {
    const names = named.map((channel) => image.channelNames[channel].trim());
    return {
      colors: named,
      note: `${name}: its separate channels ${names.join(", ")} are read as the colors of an H&E image.`,
    };
  }
  if (image.channels === 3 && (await isBright(image, signal))) {
    return {
      colors: [0, 1, 2],
      note: `${name}: its three separate channels have a bright background, so they are read as the red, green, and blue of an H&E image.`,
    };
  }
  throw new InputError(
    `${name} has ${image.channels} separate channels, so it is not an H&E image: set the staining to IF, or save its colors as one RGB image.`,
  );
}

async function isBright(image: TissueImage, signal: AbortSignal): Promise<boolean> {
  const channels: Uint16Array[] = [];
  for (let c = 0; c < image.channels; c++) {
    const windows: Uint16Array[] = [];
    for (const window of spreadWindows(image.widthPx, image.heightPx)) {
      windows.push((await image.getChannel(c, { ...window, signal })).data);
    }
    const all = new Uint16Array(windows.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const window of windows) {
      all.set(window, at);
      at += window.length;
    }
    channels.push(all);
  }
  return onBrightBackground(channels);
}
