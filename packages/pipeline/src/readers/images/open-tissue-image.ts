import { open } from "node:fs/promises";
import { basename } from "node:path";
import sharp, { type OutputInfo, type Sharp } from "sharp";
import { InputError, throwIfCancelled } from "../../errors.ts";
import { describeTiff, type TiffDescription, type TiffPage } from "./describe-tiff.ts";
import type { ImageRegion, Pixels, TissueImage } from "./tissue-image.ts";

/** Composite colours of fluorescence channels, nuclear stain (blue) first. */
const CHANNEL_COLOURS = [
  [0.25, 0.4, 1],
  [0.1, 1, 0.2],
  [1, 0.15, 0.15],
  [1, 0.85, 0.1],
  [1, 0.2, 1],
  [0.2, 1, 1],
] as const;

/**
 * Opens a tissue image: TIFF or BigTIFF of 1–16 bit unsigned gray, palette, RGB or channels, or PNG/JPEG.
 * Reads only metadata. Each worker thread opens its own. Throws {@link InputError} for what cannot be read.
 */
export async function openTissueImage(path: string): Promise<TissueImage> {
  const format = await sniff(path);
  if (format !== "tiff") return new SharpImage(path, await describeSimple(path, format));
  const description = await describeTiff(path);
  await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw damaged(path, cause);
    });
  return new SharpImage(path, description);
}

const MAGIC: [string, number[]][] = [
  ["tiff", [0x49, 0x49, 42, 0]],
  ["tiff", [0x4d, 0x4d, 0, 42]],
  ["tiff", [0x49, 0x49, 43, 0]],
  ["tiff", [0x4d, 0x4d, 0, 43]],
  ["png", [0x89, 0x50, 0x4e, 0x47]],
  ["jpeg", [0xff, 0xd8, 0xff]],
];

async function sniff(path: string): Promise<string> {
  const file = basename(path);
  const handle = await open(path, "r").catch((cause: NodeJS.ErrnoException) => {
    throw new InputError(
      cause.code === "ENOENT"
        ? `The image ${file} does not exist: check its path.`
        : `The image ${file} cannot be opened (${cause.code ?? "unknown reason"}): check its permissions.`,
      { file, cause },
    );
  });
  try {
    const head = Buffer.alloc(512);
    const { bytesRead } = await handle.read(head, 0, 512, 0).catch((cause: unknown) => {
      throw new InputError(`The image ${file} cannot be read: choose a file, not a folder.`, {
        file,
        cause,
      });
    });
    if (bytesRead === 0) {
      throw new InputError(`${file} is empty: copy or upload the image again.`, { file });
    }
    const found = MAGIC.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte));
    if (found) return found[0];
    const text = head
      .subarray(0, bytesRead)
      .every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
    throw new InputError(
      `${file} is ${text ? "a text file" : "no TIFF, PNG or JPEG"} although it is named like an image: choose the microscope image (.tif, .tiff or .btf).`,
      { file },
    );
  } finally {
    await handle.close();
  }
}

function damaged(path: string, cause: unknown): InputError {
  const file = basename(path);
  const reason = (cause instanceof Error ? cause.message : String(cause)).split("\n")[0]!.trim();
  return new InputError(
    `${file} cannot be decoded and is probably damaged (${reason}): copy or export it again.`,
    { file, cause },
  );
}

async function describeSimple(path: string, format: string): Promise<TiffDescription> {
  if (format === "png") await requirePngEnd(path);
  const metadata = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw damaged(path, cause);
    });
  const colour = metadata.channels >= 3;
  return {
    kind: colour ? "rgb" : "gray",
    widthPx: metadata.width,
    heightPx: metadata.height,
    channels: colour ? 3 : 1,
    channelNames: [],
    bitsPerSample: metadata.depth === "ushort" ? 16 : 8,
    tiled: false,
    alpha: metadata.hasAlpha ? "transparency" : "none",
    channelsAsPages: false,
    levels: [],
    micronsPerPixel: null,
  };
}

/** A PNG that lacks its last chunk was cut off; libpng would deliver the missing rows as black. */
async function requirePngEnd(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, 4096));
    await handle.read(tail, 0, tail.length, size - tail.length);
    if (!tail.includes("IEND", 0, "latin1")) {
      const file = basename(path);
      throw new InputError(
        `${file} is incomplete (it lacks a PNG's end): copy or upload it again.`,
        {
          file,
        },
      );
    }
  } finally {
    await handle.close();
  }
}

/** Reads through libvips in sequential mode: memory stays at a few rows of tiles, whatever the image's size. */
class SharpImage implements TissueImage {
  readonly path: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly kind: TissueImage["kind"];
  readonly channels: number;
  readonly channelNames: readonly string[];
  readonly bitsPerSample: number;
  readonly tiled: boolean;
  readonly metadataMicronsPerPixel: number | null;
  readonly #description: TiffDescription;
  #ranges: Promise<[number, number][]> | null = null;

  constructor(path: string, description: TiffDescription) {
    this.path = path;
    this.#description = description;
    this.widthPx = description.widthPx;
    this.heightPx = description.heightPx;
    this.kind = description.kind;
    this.channels = description.channels;
    this.channelNames = description.channelNames;
    this.bitsPerSample = description.bitsPerSample;
    this.tiled = description.tiled;
    this.metadataMicronsPerPixel = description.micronsPerPixel;
  }

  async getRegion(region: ImageRegion): Promise<Pixels> {
    if (this.kind === "channels") return this.#composite(region);
    if (this.bitsPerSample === 16) return this.#scaled(region);
    const { data, info } = await this.#read(region, "srgb");
    return { data, width: info.width, height: info.height, channels: info.channels };
  }

  async getChannel(index: number, region: ImageRegion): Promise<Pixels<Uint16Array>> {
    if (!Number.isInteger(index) || index < 0 || index >= this.channels) {
      throw new RangeError(`Channel ${index} of ${this.channels}`);
    }
    const wide = this.bitsPerSample === 16;
    const colour = this.kind === "rgb";
    const space = colour ? (wide ? "rgb16" : "srgb") : wide ? "grey16" : "b-w";
    const { channelsAsPages } = this.#description;
    const sideBySide = this.kind === "channels" && !channelsAsPages;
    const { data, info } = await this.#read(region, space, {
      page: channelsAsPages ? index : 0,
      band: sideBySide ? index : null,
    });
    return pick(data, info.width, info.height, info.channels, colour ? index : 0, wide);
  }

  close(): void {
    this.#ranges = null;
  }

  /**
   * Reads a region in a colour space: one 8- or 16-bit value a sample, by the image's depth.
   * `band` picks one of several samples that lie side by side and are no colours.
   */
  async #read(
    region: ImageRegion,
    space: "srgb" | "b-w" | "rgb16" | "grey16",
    { page, band }: { page: number; band: number | null } = { page: 0, band: null },
  ): Promise<{ data: Buffer; info: OutputInfo }> {
    const depth = space === "rgb16" || space === "grey16" ? "ushort" : "uchar";
    const { pipeline, resizeTo } = this.#select(region, page);
    if (this.#description.alpha === "transparency") pipeline.flatten({ background: "#ffffff" });
    const odd = band !== null || this.#description.alpha === "ignored";
    if (!odd) {
      if (resizeTo) pipeline.resize(resizeTo.width, resizeTo.height, { fit: "fill" });
      return this.#run(pipeline.toColourspace(space).raw({ depth }), region);
    }
    // The last of several samples would pass for transparency and weigh the others when resizing: it goes first.
    pipeline.pipelineColourspace(space).toColourspace(space);
    if (band === null) pipeline.removeAlpha();
    // The declared type stops at four channels; libvips does not.
    else pipeline.extractChannel(band as 0);
    const cut = await this.#run(pipeline.raw({ depth }), region);
    if (!resizeTo) return cut;
    const { width, height, channels } = cut.info;
    const values =
      depth === "ushort"
        ? new Uint16Array(cut.data.buffer, cut.data.byteOffset, cut.data.length / 2)
        : cut.data;
    const small = sharp(values, { raw: { width, height, channels }, limitInputPixels: false })
      .resize(resizeTo.width, resizeTo.height, { fit: "fill" })
      .toColourspace(space)
      .raw({ depth });
    return this.#run(small, region);
  }

  /** A pipeline that cuts the region out of the smallest pyramid level that is still fine enough. */
  #select(
    region: ImageRegion,
    page: number,
  ): { pipeline: Sharp; resizeTo: { width: number; height: number } | null } {
    const { x, y, width, height } = region;
    const inside =
      [x, y, width, height].every(Number.isInteger) &&
      x >= 0 &&
      y >= 0 &&
      width > 0 &&
      height > 0 &&
      x + width <= this.widthPx &&
      y + height <= this.heightPx;
    if (!inside) {
      throw new RangeError(
        `Region ${x},${y} ${width}×${height} is not inside ${this.widthPx}×${this.heightPx} px`,
      );
    }
    const outWidth = region.outWidth ?? width;
    const outHeight = region.outHeight ?? height;
    const shrink = Math.min(width / outWidth, height / outHeight);
    const full: TiffPage = {
      page,
      subifd: -1,
      widthPx: this.widthPx,
      heightPx: this.heightPx,
    };
    const level =
      page === 0
        ? (this.#description.levels.findLast(
            (candidate) => this.widthPx / candidate.widthPx <= shrink * 1.001,
          ) ?? full)
        : full;
    const factorX = level.widthPx / this.widthPx;
    const factorY = level.heightPx / this.heightPx;
    const left = Math.min(level.widthPx - 1, Math.round(x * factorX));
    const top = Math.min(level.heightPx - 1, Math.round(y * factorY));
    const right = Math.max(left + 1, Math.min(level.widthPx, Math.round((x + width) * factorX)));
    const bottom = Math.max(top + 1, Math.min(level.heightPx, Math.round((y + height) * factorY)));
    const pipeline = sharp(this.path, {
      limitInputPixels: false,
      failOn: "error",
      page: level.page,
      subifd: level.subifd,
    }).extract({ left, top, width: right - left, height: bottom - top });
    const same = right - left === outWidth && bottom - top === outHeight;
    return { pipeline, resizeTo: same ? null : { width: outWidth, height: outHeight } };
  }

  async #run(pipeline: Sharp, region: ImageRegion): Promise<{ data: Buffer; info: OutputInfo }> {
    throwIfCancelled(region.signal);
    const result = await pipeline.toBuffer({ resolveWithObject: true }).catch((cause: unknown) => {
      throw damaged(this.path, cause);
    });
    throwIfCancelled(region.signal);
    return result;
  }

  async #scaled(region: ImageRegion): Promise<Pixels> {
    const ranges = await this.#displayRanges();
    // Colours keep their balance: all channels are scaled alike, by the number of bits the camera used.
    const top = Math.max(...ranges.map(([, high]) => high));
    const full = [10, 12, 14, 16].map((bits) => 2 ** bits - 1).find((limit) => top <= limit)!;
    const space = this.kind === "rgb" ? "rgb16" : "grey16";
    const { data, info } = await this.#read(region, space);
    const values = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
    const nPixels = info.width * info.height;
    const out = new Uint8Array(nPixels * 3);
    for (let i = 0; i < nPixels; i++) {
      for (let c = 0; c < 3; c++) {
        const value = values[i * info.channels + (info.channels >= 3 ? c : 0)]!;
        out[i * 3 + c] = Math.min(255, Math.round((value * 255) / full));
      }
    }
    return { data: out, width: info.width, height: info.height, channels: 3 };
  }

  async #composite(region: ImageRegion): Promise<Pixels> {
    const ranges = await this.#displayRanges();
    const nShown = Math.min(this.channels, CHANNEL_COLOURS.length);
    let sums: Float32Array | null = null;
    let width = 0;
    let height = 0;
    for (let c = 0; c < nShown; c++) {
      const channel = await this.getChannel(c, region);
      ({ width, height } = channel);
      sums ??= new Float32Array(width * height * 3);
      const [low, high] = ranges[c]!;
      const [red, green, blue] = CHANNEL_COLOURS[c]!;
      for (let i = 0; i < channel.data.length; i++) {
        const value = Math.min(1, Math.max(0, (channel.data[i]! - low) / (high - low)));
        sums[3 * i]! += value * red;
        sums[3 * i + 1]! += value * green;
        sums[3 * i + 2]! += value * blue;
      }
    }
    const data = Uint8Array.from(sums!, (value) => Math.min(255, Math.round(value * 255)));
    return { data, width, height, channels: 3 };
  }

  /** 0.1 and 99.9 percentile of each channel (for colour: the range used), from windows spread over the image. */
  #displayRanges(): Promise<[number, number][]> {
    this.#ranges ??= (async () => {
      const ranges: [number, number][] = [];
      for (let c = 0; c < this.channels; c++) {
        const values: Uint16Array[] = [];
        for (const window of spreadWindows(this.widthPx, this.heightPx)) {
          values.push((await this.getChannel(c, window)).data);
        }
        ranges.push(percentileRange(values));
      }
      return ranges;
    })();
    return this.#ranges;
  }
}

function pick(
  bytes: Buffer,
  width: number,
  height: number,
  bands: number,
  band: number,
  wide: boolean,
): Pixels<Uint16Array> {
  const values = wide ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) : bytes;
  const data = new Uint16Array(width * height);
  for (let i = 0; i < data.length; i++) data[i] = values[i * bands + band]!;
  return { data, width, height, channels: 1 };
}

/** The whole of a small image; of a large one nine windows of 512 px in a 3 × 3 pattern. */
function spreadWindows(widthPx: number, heightPx: number): ImageRegion[] {
  if (widthPx * heightPx <= 4_000_000) return [{ x: 0, y: 0, width: widthPx, height: heightPx }];
  const width = Math.min(512, widthPx);
  const height = Math.min(512, heightPx);
  return [0.2, 0.5, 0.8].flatMap((fy) =>
    [0.2, 0.5, 0.8].map((fx) => ({
      x: Math.round((widthPx - width) * fx),
      y: Math.round((heightPx - height) * fy),
      width,
      height,
    })),
  );
}

function percentileRange(pieces: Uint16Array[]): [number, number] {
  const histogram = new Uint32Array(65_536);
  let total = 0;
  for (const piece of pieces) {
    total += piece.length;
    for (let i = 0; i < piece.length; i++) histogram[piece[i]!]!++;
  }
  const at = (fraction: number): number => {
    let seen = 0;
    for (let value = 0; value < histogram.length; value++) {
      seen += histogram[value]!;
      if (seen > fraction * total) return value;
    }
    return 65_535;
  };
  const low = at(0.001);
  return [low, Math.max(low + 1, at(0.999))];
}
