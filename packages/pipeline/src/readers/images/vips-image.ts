import sharp, { type OutputInfo, type Sharp } from "sharp";
import { throwIfCancelled } from "../../errors.ts";
import type { TiffDescription } from "@stipple/formats/tiff/describe-tiff";
import { chooseLevel, compositeOf, fullScaleOf, requireInside } from "./display-ranges.ts";
import { damaged, DescribedImage } from "./described-image.ts";
import type { ImageRegion, Pixels, TissueImage } from "./tissue-image.ts";

/** Reads through libvips in sequential mode: memory stays at a few rows of tiles, whatever the image size. */
export class VipsImage extends DescribedImage implements TissueImage {
  readonly place: TissueImage["place"];
  readonly #failOn: "error" | "warning";

  /** With "warning", decoding also fails for data that the decoder can only guess. */
  constructor(path: string, description: TiffDescription, failOn: "error" | "warning" = "error") {
    super(path, description);
    this.#failOn = failOn;
    const { pages, subifd } = description.full;
    const isWhole = pages.length === 1 && description.alpha !== "ignored";
    this.place = isWhole ? { page: pages[0], subifd } : null;
  }

  async getRegion(region: ImageRegion): Promise<Pixels> {
    if (this.kind === "channels") {
      return compositeOf(region, await this.displayRanges(), this.getChannel.bind(this));
    }
    if (this.bitsPerSample === 16) return this.#scaled(region);
    const { data, info } = await this.#read(region, "srgb");
    return { data, width: info.width, height: info.height, channels: info.channels };
  }

  async getChannel(index: number, region: ImageRegion): Promise<Pixels<Uint16Array>> {
    this.requireChannel(index);
    const wide = this.bitsPerSample === 16;
    const color = this.kind === "rgb";
    const space = color ? (wide ? "rgb16" : "srgb") : wide ? "grey16" : "b-w";
    const channelsAsPages = this.description.full.pages.length > 1;
    const sideBySide = this.kind === "channels" && !channelsAsPages;
    const { data, info } = await this.#read(region, space, {
      channel: channelsAsPages ? index : 0,
      band: sideBySide ? index : null,
    });
    return pick(data, info.width, info.height, info.channels, color ? index : 0, wide);
  }

  /**
   * Reads a region in a color space: one 8- or 16-bit value per sample, depending on the image's depth. `band`
   * selects one of several interleaved samples that are not colors.
   */
  async #read(
    region: ImageRegion,
    space: "srgb" | "b-w" | "rgb16" | "grey16",
    { channel, band }: { channel: number; band: number | null } = { channel: 0, band: null },
  ): Promise<{ data: Buffer; info: OutputInfo }> {
    const depth = space === "rgb16" || space === "grey16" ? "ushort" : "uchar";
    const { pipeline, resizeTo } = this.#select(region, channel);
    if (this.description.alpha === "transparency") pipeline.flatten({ background: "#ffffff" });
    const odd = band !== null || this.description.alpha === "ignored";
    if (!odd) {
      if (resizeTo) pipeline.resize(resizeTo.width, resizeTo.height, { fit: "fill" });
      return this.#run(pipeline.toColourspace(space).raw({ depth }), region);
    }
    // The last of several samples would be taken as transparency and weight the others when resizing, so it is
    // removed first.
    pipeline.pipelineColourspace(space).toColourspace(space);
    if (band === null) pipeline.removeAlpha();
    // The declared type only allows four channels; libvips has no such limit.
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

  /** A pipeline that cuts the region out of the smallest pyramid level that is fine enough. */
  #select(
    region: ImageRegion,
    channel: number,
  ): { pipeline: Sharp; resizeTo: { width: number; height: number } | null } {
    requireInside(region, this);
    const chosen = chooseLevel(region, this.description.full, this.description.levels);
    const { level, left, top, width, height } = chosen;
    const outWidth = region.outWidth ?? region.width;
    const outHeight = region.outHeight ?? region.height;
    const pipeline = sharp(this.path, {
      limitInputPixels: false,
      failOn: this.#failOn,
      page: level.pages[channel],
      subifd: level.subifd,
    }).extract({ left, top, width, height });
    const same = width === outWidth && height === outHeight;
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
    const full = fullScaleOf(await this.displayRanges());
    const space = this.kind === "rgb" ? "rgb16" : "grey16";
    const { data, info } = await this.#read(region, space);
    const values = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
    const nPixels = info.width * info.height;
    const out = new Uint8Array(nPixels * 3);
    for (let i = 0; i < nPixels; i++) {
      for (let c = 0; c < 3; c++) {
        const value = values[i * info.channels + (info.channels >= 3 ? c : 0)];
        out[i * 3 + c] = Math.min(255, Math.round((value * 255) / full));
      }
    }
    return { data: out, width: info.width, height: info.height, channels: 3 };
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
  if (bands === 1 && values instanceof Uint16Array) {
    return { data: values, width, height, channels: 1 };
  }
  const data = new Uint16Array(width * height);
  for (let i = 0; i < data.length; i++) data[i] = values[i * bands + band]!;
  return { data, width, height, channels: 1 };
}
