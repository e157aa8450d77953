import { quantileOf } from "../readers/images/display-ranges.ts";
import { InputError } from "../errors.ts";
import type { TissueImage } from "../readers/images/tissue-image.ts";
import { onBrightBackground } from "./bright-background.ts";

/** A small version of the image, and where the spots are on it. */
export interface SmallView {
  width: number;
  height: number;
  /** RGB8, for color or grayscale images. */
  rgb: Uint8Array | null;
  /** Stored values of each channel, for multichannel images. */
  channels: Uint16Array[];
  /** 1 = filled in by the scanner; null if there is no such area. */
  outside: Uint8Array | null;
  /** Scanned pixels under spots; all scanned pixels if no spot is on the image. */
  spotPixels: Uint32Array;
}

/**
 * Tissue below DARK is darker than any stain leaves it; tissue above BRIGHT is not fluorescence on black; in between,
 * both are possible.
 */
const DARK = 90;
const BRIGHT = 130;
/** In transmitted light hardly any pixel of a field is darker than this; in fluorescence, many are. */
const DARK_FLOOR = 50;
/** Highest saturation of a gray image that was saved as RGB. */
const COLORLESS = 0.02;
/** Quantile at which saturation is compared with it: up to this share of the pixels may be bare glass, which is gray. */
const MAX_BARE = 0.95;
/** Shares of pixels that count as bare glass. */
const GLASS = 0.05;
const HARDLY_ANY_GLASS = 0.02;

/**
 * Compares the look of an image with the chosen staining. Transmitted light leaves glass white and tissue pink to
 * purple; fluorescence is bright on black. Throws {@link InputError} if the image is certainly of the other kind, and
 * returns a warning if it only looks like it.
 */
export function checkStaining(
  view: SmallView,
  image: Pick<TissueImage, "kind" | "channels">,
  file: string,
  staining: "h_and_e" | "if",
): string[] {
  const refuse = (what: string, choose: string): never => {
    throw new InputError(`${file} ${what}: ${choose}.`);
  };
  if (view.rgb === null) {
    if (image.channels === 3 && onBrightBackground(view.channels)) {
      refuse(
        "has three channels on a bright background, like an H&E image whose colors were saved as separate pages",
        "set the staining to H&E",
      );
    }
    return [];
  }
  const look = lookOf(view.rgb, view);
  const asFluorescence = "set the staining to IF";
  const asBrightfield = "set the staining to H&E";
  if (look.peak < 10) {
    refuse("is completely black", "export the image again or choose another one");
  }
  const gray = image.kind === "gray";
  // In 70 real H&E fields, saturation was 0.07–0.64, and green was the lowest of the colors in 57–100 % of the pixels.
  const stained = !gray && look.saturation < 0.7 && look.saturation > 0.04 && look.leastGreen > 0.6;
  if (staining === "h_and_e") {
    const warnings =
      gray || look.highSaturation < COLORLESS
        ? [
            `${file} is grayscale, so hematoxylin and eosin cannot be separated: use the RGB image if there is one.`,
          ]
        : [];
    if (look.glass >= HARDLY_ANY_GLASS) return warnings;
    const glowing = !gray && look.saturation > 0.75 && look.brightness < BRIGHT + 40;
    const dark = look.floor < DARK_FLOOR && look.brightness < (stained ? DARK / 2 : DARK);
    if (dark || (glowing && look.floor < DARK_FLOOR)) {
      refuse(
        "shows bright structures on a dark background, like a fluorescence image, not H&E",
        `${asFluorescence}, or use the H&E image`,
      );
    }
    if (look.brightness < BRIGHT && !stained) {
      warnings.push(
        `${file} is dark for an H&E image; if it is a fluorescence image, set the staining to IF.`,
      );
    }
    return warnings;
  }
  const onGlass = look.brightness >= BRIGHT && look.glass >= GLASS;
  if (!gray && (onGlass || (stained && look.brightness > DARK && look.floor >= DARK_FLOOR))) {
    refuse(
      "shows stained tissue on a bright background, like an H&E image, not fluorescence",
      `${asBrightfield}, or use the fluorescence image`,
    );
  }
  if (onGlass) {
    return [`${file} has a bright background; if it is an H&E image, set the staining to H&E.`];
  }
  return [];
}

interface Look {
  /** Median of the brightest color under spots. */
  brightness: number;
  /** Median saturation under spots, 0–1. */
  saturation: number;
  /** Saturation that the most colorful twentieth of the pixels under spots exceeds, 0–1. */
  highSaturation: number;
  /** Share of the pixels under spots with less green than red and blue, as hematoxylin and eosin leave them. */
  leastGreen: number;
  /** Share of all pixels that are white. */
  glass: number;
  /** 5th percentile of the brightest color anywhere. */
  floor: number;
  /** 99.9 percentile of the brightest color anywhere. */
  peak: number;
}

function lookOf(rgb: Uint8Array, { spotPixels, outside }: SmallView): Look {
  const brightest = new Uint32Array(256);
  const saturation = new Uint32Array(256);
  const everywhere = new Uint32Array(256);
  let [leastGreen, glass] = [0, 0];
  let n = 0;
  for (let i = 0; i < rgb.length / 3; i++) {
    if (outside?.[i]) continue;
    n++;
    const [r, g, b] = [rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]];
    everywhere[Math.max(r, g, b)]++;
    if (Math.min(r, g, b) > 200) glass++;
  }
  for (const i of spotPixels) {
    const [r, g, b] = [rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]];
    const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
    brightest[most]++;
    saturation[most > 0 ? Math.round((255 * (most - least)) / most) : 0]++;
    if (g < r && g < b) leastGreen++;
  }
  return {
    brightness: quantileOf(brightest, 0.5),
    saturation: quantileOf(saturation, 0.5) / 255,
    highSaturation: quantileOf(saturation, MAX_BARE) / 255,
    leastGreen: leastGreen / Math.max(1, spotPixels.length),
    glass: glass / Math.max(1, n),
    floor: quantileOf(everywhere, 0.05),
    peak: quantileOf(everywhere, 0.999),
  };
}
