import { open } from "node:fs/promises";
import { basename } from "node:path";
import sharp from "sharp";
import { NPY_KINDS, readNpyHeader, type NpyKind } from "@stipple/formats/npy";
import { TiffBlocks } from "@stipple/formats/tiff/blocks";
import { sourceOf, TiffDirectories, TiffFault } from "@stipple/formats/tiff/directories";
import { readShape } from "@stipple/formats/tiff/layout";
import { InputError } from "../../errors.ts";
import { damaged } from "../images/described-image.ts";
import type { LabelRaster } from "./label-raster.ts";

/** Opens a label image in TIFF: one channel of whole numbers, also those that ImageJ stores as floats. Throws {@link InputError}. */
export async function openLabelTiff(path: string): Promise<LabelRaster> {
  const file = basename(path);
  const fail = (what: string, cause?: unknown): never => {
    throw new InputError(`${file} ${what}.`, { cause });
  };
  if (await isBeyondVips(path)) return openStoredLabels(path);
  const { width, height, channels, depth } = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => fail("cannot be read as a TIFF: save the label image again", cause));
  if (channels !== 1 || !["uchar", "ushort", "short", "uint", "int", "float"].includes(depth)) {
    fail(
      `is a picture with ${channels === 1 ? `numbers of the kind ${depth}` : `${channels} channels`}, not a label image: save the objects' numbers as one channel of whole numbers`,
    );
  }
  // Other color spaces round 16-bit or 32-bit values to 8 or 16 bits.
  const space = depth.endsWith("short") ? "grey16" : "b-w";
  return {
    width,
    height,
    async rows(top, count) {
      const { data } = await sharp(path, { limitInputPixels: false })
        .extract({ left: 0, top, width, height: count })
        .toColourspace(space)
        .raw({ depth: depth === "float" || depth === "uint" ? depth : "int" })
        .toBuffer({ resolveWithObject: true })
        .catch((cause: unknown) => {
          throw damaged(path, cause);
        });
      const Kind = depth === "float" ? Float32Array : depth === "uint" ? Uint32Array : Int32Array;
      return wholeLabels(file, new Kind(data.buffer, data.byteOffset, width * count));
    },
  };
}

const ZSTANDARD = 50_000;
const FLOATS = 3;
/** Kinds of colors for which libvips changes the numbers: gray with white as 0, and a palette, as ImageJ's lookup tables. */
const [WHITE_IS_ZERO, PALETTE] = [0, 3];

/** Whether libvips cannot read a TIFF's numbers as stored: others are those of 64 bits, floats of 16, and Zstandard. */
async function isBeyondVips(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { images } = await TiffDirectories.read(await sourceOf(handle));
    const { samples, bits, compression } = await readShape(images[0]);
    const isHalf = bits === 16 && (await images[0].one("SampleFormat", 1)) === FLOATS;
    const color = await images[0].one("PhotometricInterpretation", 1);
    const isChanged = color === WHITE_IS_ZERO || color === PALETTE;
    return samples === 1 && (bits === 64 || isHalf || isChanged || compression === ZSTANDARD);
  } catch (error) {
    // libvips says what else is wrong with the file.
    if (error instanceof TiffFault) return false;
    throw error;
  } finally {
    await handle.close();
  }
}

async function openStoredLabels(path: string): Promise<LabelRaster> {
  const file = basename(path);
  const blocks = await TiffBlocks.open(path, 0, -1).catch((cause: unknown) => {
    throw damaged(path, cause);
  });
  const { widthPx: width, heightPx: height } = blocks;
  return {
    width,
    height,
    async rows(top, count) {
      const handle = await open(path, "r");
      try {
        return wholeLabels(
          file,
          await blocks.read(handle, 0, { x: 0, y: top, width, height: count }),
        );
      } catch (cause) {
        throw cause instanceof InputError ? cause : damaged(path, cause);
      } finally {
        await handle.close();
      }
    },
  };
}

/** Above this, 32-bit floats, and so what reads them as floats, cannot hold every whole number. */
const LARGEST_OF_FLOATS = 2 ** 24;
const LARGEST_LABEL = 2 ** 31 - 1;

/** Throws {@link InputError} for labels that are no whole numbers or too large to be told apart. */
function wholeLabels(
  file: string,
  values: Int32Array | Uint32Array | Float32Array | Float64Array,
): Int32Array {
  if (values instanceof Int32Array) return values;
  const largest = values instanceof Float32Array ? LARGEST_OF_FLOATS : LARGEST_LABEL;
  const odd = values.find((value) => !(Number.isInteger(value) && Math.abs(value) <= largest));
  if (odd === undefined) return Int32Array.from(values);
  throw new InputError(
    Number.isInteger(odd)
      ? `${file} has labels above ${largest.toLocaleString("en-US")}: number the objects from 1.`
      : `${file} holds fractions (such as ${odd.toPrecision(3)}), not labels: save the objects' numbers as one channel of whole numbers.`,
  );
}

/** Opens an array of labels saved by NumPy (`numpy.save`). Throws {@link InputError}. */
export async function openNpy(path: string): Promise<LabelRaster> {
  const file = basename(path);
  const fail = (what: string, masks = "masks"): never => {
    throw new InputError(
      `${file} ${what}: save the masks themselves, with numpy.save("masks.npy", ${masks}).`,
    );
  };
  await using handle = await open(path, "r");
  const header = await readNpyHeader(handle);
  if (!header) return fail("is not a NumPy array");
  const { kind, shape, start } = header;
  if (kind.includes("O")) fail("holds Python objects, as Cellpose's _seg.npy does");
  if (kind === "|b1") {
    fail("tells only where objects are, not which is which", "skimage.measure.label(masks)");
  }
  if (!(kind in NPY_KINDS)) {
    fail(`holds values of the kind ${kind || "unknown"}`, 'masks.astype("int32")');
  }
  const Kind = NPY_KINDS[kind as NpyKind];
  const bytes = Kind.BYTES_PER_ELEMENT;
  if (shape.length !== 2) fail(`has ${shape.length} dimensions instead of two`);
  if (header.isByColumn) {
    fail("is stored column by column", "numpy.ascontiguousarray(masks)");
  }
  const [height, width] = shape as [number, number];
  if ((await handle.stat()).size < start + height * width * bytes) fail("is cut off");
  return {
    width,
    height,
    async rows(top, count) {
      const { buffer } = await bytesOf(path, start + top * width * bytes, count * width * bytes);
      const values = new Kind(buffer, 0, count * width);
      if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
        return wholeLabels(file, Float64Array.from(values as BigInt64Array, Number));
      }
      return values.BYTES_PER_ELEMENT < 4
        ? Int32Array.from(values)
        : wholeLabels(file, values as Parameters<typeof wholeLabels>[1]);
    },
  };
}

async function bytesOf(path: string, from: number, count: number): Promise<Buffer<ArrayBuffer>> {
  await using handle = await open(path, "r");
  const bytes = Buffer.from(new ArrayBuffer(count));
  let filled = 0;
  while (filled < count) {
    const { bytesRead } = await handle.read(bytes, filled, count - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
