import { open, type FileHandle } from "node:fs/promises";
import { throwIfCancelled } from "../../errors.ts";
import {
  chooseLevel,
  colorsOf,
  compositeOf,
  fullScaleOf,
  requireInside,
  spreadWindows,
  type Range,
} from "./display-ranges.ts";
import { resizePlane } from "./shrink-plane.ts";
import { TiffBlocks } from "@stipple/formats/tiff/blocks";
import type { TiffDescription } from "@stipple/formats/tiff/describe-tiff";
import { damaged, DescribedImage } from "./described-image.ts";
import type { ImageRegion, Pixels, TissueImage } from "./tissue-image.ts";

/** Full scales assumed for stored numbers if they fit: those of 8, 12, and 16 bits, and of fractions. */
const WHOLE_SCALES = [65_535];
const FRACTION_SCALES = [1, 255, 4095, 65_535];

/** Colors of an image resized by cubic interpolation go below black, and up to this many times white. */
const OVERSHOOT = 1.25;

/** Maps stored numbers to 0–255 or 0–65,535: (value − low) · gain. */
interface Mapping {
  low: number;
  gain: number;
}

/**
 * A TIFF whose numbers are unpacked here, because libvips does not support its compression or depth, or changes
 * its values: Zstandard, odd depths, signed and floating-point numbers, CMYK. Numbers that do not fit in 16
 * bits are scaled by the range used in the image. Slower than libvips, but also reads region by region.
 */
export class StoredImage extends DescribedImage implements TissueImage {
  readonly place = null;
  readonly #blocks = new Map<string, Promise<TiffBlocks>>();
  readonly #hasColors: boolean;
  #mappings: Promise<Mapping[]> | null = null;

  /** `colors`: its channels are the colors of one image. */
  constructor(path: string, description: TiffDescription, colors = false) {
    super(path, description);
    this.#hasColors = colors || this.kind === "rgb";
  }

  async getChannel(index: number, region: ImageRegion): Promise<Pixels<Uint16Array>> {
    this.requireChannel(index);
    const { low, gain } = (await this.#mapping())[index];
    const { data, width, height } = await this.#plane(index, region);
    const top = this.bitsPerSample === 16 ? 65_535 : 255;
    const mapped = new Uint16Array(data.length);
    for (let i = 0; i < data.length; i++) {
      const value = Math.round((data[i] - low) * gain);
      mapped[i] = value < 0 ? 0 : value > top ? top : value;
    }
    return { data: mapped, width, height, channels: 1 };
  }

  async getRegion(region: ImageRegion): Promise<Pixels> {
    const read = this.getChannel.bind(this);
    if (this.kind === "channels") return compositeOf(region, await this.displayRanges(), read);
    const full = this.bitsPerSample === 16 ? fullScaleOf(await this.displayRanges()) : 255;
    const first = await this.getChannel(0, region);
    if (this.channels === 1) return colorsOf([first, first, first], full);
    return colorsOf([first, await read(1, region), await read(2, region)], full);
  }

  /** A channel's numbers as stored, with colors resolved (palette, CMYK, white is zero, transparency on white). */
  async #plane(
    index: number,
    region: ImageRegion,
  ): Promise<{ data: Float32Array; width: number; height: number }> {
    throwIfCancelled(region.signal);
    requireInside(region, this);
    const { full, levels } = this.description;
    const { level, left, top, width, height } = chooseLevel(region, full, levels);
    const channelsAsPages = level.pages.length > 1;
    const page = level.pages[channelsAsPages ? index : 0];
    const sample = channelsAsPages ? 0 : index;
    const outWidth = region.outWidth ?? region.width;
    const outHeight = region.outHeight ?? region.height;
    let handle: FileHandle | null = null;
    try {
      const bytes = (handle = await open(this.path, "r"));
      const blocks = await this.#blocksOf(page, level.subifd);
      const rows = async (y: number, count: number): Promise<Float32Array> => {
        throwIfCancelled(region.signal);
        return this.#resolved(bytes, blocks, sample, { x: left, y: top + y, width, height: count });
      };
      const data =
        outWidth === width && outHeight === height
          ? await rows(0, height)
          : await resizePlane(
              { width, height, bandRows: Math.max(16, blocks.blockHeight), rows },
              outWidth,
              outHeight,
            );
      return { data, width: outWidth, height: outHeight };
    } catch (cause) {
      if (cause instanceof Error && ["InputError", "CancelledError"].includes(cause.name)) {
        throw cause;
      }
      throw damaged(this.path, cause);
    } finally {
      await handle?.close();
    }
  }

  #blocksOf(page: number, subifd: number): Promise<TiffBlocks> {
    const key = `${page}/${subifd}`;
    let blocks = this.#blocks.get(key);
    if (!blocks) {
      blocks = TiffBlocks.open(this.path, page, subifd);
      this.#blocks.set(key, blocks);
    }
    return blocks;
  }

  async #resolved(
    file: FileHandle,
    blocks: TiffBlocks,
    sample: number,
    rect: { x: number; y: number; width: number; height: number },
  ): Promise<Float32Array> {
    const { stored } = this.description;
    if (stored?.palette) {
      const colors = stored.palette;
      const n = colors.length / 3;
      const indices = await blocks.read(file, 0, rect);
      return indices.map((value) => colors[sample * n + value] / 257);
    }
    const data = await blocks.read(file, sample, rect);
    if (stored?.ink) {
      const ink = sample < 3 && stored.samples >= 4 ? await blocks.read(file, 3, rect) : null;
      const { lowest, highest } = stored.ink;
      const range = highest - lowest;
      for (let i = 0; i < data.length; i++) {
        const black = ink ? (highest - ink[i]) / range : 1;
        data[i] = lowest + (highest - data[i]) * black;
      }
    } else if (stored?.whiteIsZero) {
      const { highest } = stored;
      for (let i = 0; i < data.length; i++) data[i] = highest - data[i];
    }
    if (stored?.transparency) {
      const { highest } = stored;
      const opacity = await blocks.read(file, stored.transparency.sample, rect);
      for (let i = 0; i < data.length; i++) {
        const share = opacity[i] / highest;
        const color = stored.transparency.isAssociated ? data[i] : data[i] * share;
        data[i] = color + highest * (1 - share);
      }
    }
    return data;
  }

  /**
   * Based on depth for unsigned numbers up to 16 bits, else on the numbers in windows spread over the image.
   */
  #mapping(): Promise<Mapping[]> {
    this.#mappings ??= (async () => {
      const { stored } = this.description;
      const bits = stored?.bits ?? 8;
      if (stored?.palette) return this.#alike({ low: 0, gain: 1 });
      if (stored?.format === "unsigned" && bits <= 16) {
        return this.#alike({ low: 0, gain: bits < 8 ? 255 / (2 ** bits - 1) : 1 });
      }
      const extents: Range[] = [];
      for (let c = 0; c < this.channels; c++) extents.push(await this.#extent(c));
      const all: Range = [
        Math.min(...extents.map(([low]) => low)),
        Math.max(...extents.map(([, high]) => high)),
      ];
      // All colors get the same scale; each fluorescence channel is scaled by its own range.
      return this.#hasColors
        ? this.#alike(mappingOf([Math.max(0, all[0]), all[1]], stored!, OVERSHOOT))
        : extents.map((extent) => mappingOf(extent, stored!));
    })();
    return this.#mappings;
  }

  #alike(mapping: Mapping): Mapping[] {
    return new Array<Mapping>(this.channels).fill(mapping);
  }

  async #extent(channel: number): Promise<Range> {
    let [low, high] = [Infinity, -Infinity];
    for (const window of spreadWindows(this.widthPx, this.heightPx)) {
      for (const value of (await this.#plane(channel, window)).data) {
        if (value < low && value > -Infinity) low = value;
        if (value > high && value < Infinity) high = value;
      }
    }
    return low <= high ? [low, high] : [0, 1];
  }
}

function mappingOf(
  [low, high]: Range,
  { bits, format }: { bits: number; format: "unsigned" | "signed" | "float" },
  overshoot = 1,
): Mapping {
  if (format === "signed" && bits <= 16) {
    // If there are negative numbers, zero moves to the middle of the range, as in the unsigned format of the
    // same camera.
    return { low: low < 0 ? -(2 ** (bits - 1)) : 0, gain: 1 };
  }
  const bottom = Math.min(0, low);
  const scales = format === "float" ? FRACTION_SCALES : WHOLE_SCALES;
  const top = scales.find((scale) => high <= overshoot * scale) ?? high;
  // Integers that fit keep their values.
  const gain = format !== "float" && top <= 65_535 && bottom === 0 ? 1 : 65_535 / (top - bottom);
  return { low: bottom, gain };
}
