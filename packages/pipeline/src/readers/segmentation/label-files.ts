import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import sharp from "sharp";
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
        .raw({ depth: depth === "float" ? "float" : "int" })
        .toBuffer({ resolveWithObject: true })
        .catch((cause: unknown) => {
          throw damaged(path, cause);
        });
      if (depth !== "float") return new Int32Array(data.buffer, data.byteOffset, width * count);
      return wholeLabels(file, new Float32Array(data.buffer, data.byteOffset, width * count));
    },
  };
}

const ZSTANDARD = 50_000;

/** Whether libvips cannot read a TIFF's numbers: those of 64 bits, as NumPy's labels are, and those in Zstandard. */
async function isBeyondVips(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { images } = await TiffDirectories.read(await sourceOf(handle));
    const { samples, bits, compression } = await readShape(images[0]);
    return samples === 1 && (bits === 64 || compression === ZSTANDARD);
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

/** Above this, 32-bit floats cannot hold every whole number. */
const LARGEST_LABEL = 2 ** 24;

function wholeLabels(file: string, values: Float32Array): Int32Array {
  const odd = values.find((value) => !(Number.isInteger(value) && value <= LARGEST_LABEL));
  if (odd === undefined) return Int32Array.from(values);
  throw new InputError(
    Number.isInteger(odd)
      ? `${file} has labels above ${LARGEST_LABEL.toLocaleString("en-US")}: number the objects from 1.`
      : `${file} holds fractions (such as ${odd.toPrecision(3)}), not labels: save the objects' numbers as one channel of whole numbers.`,
  );
}

const MAGIC = "\x93NUMPY";
/** Bytes of a whole number by NumPy's name of its kind. */
const NPY_KINDS: Readonly<Record<string, number>> = {
  ...{ "|u1": 1, "|i1": 1, "<u2": 2, "<i2": 2 },
  ...{ "<u4": 4, "<i4": 4, "<u8": 8, "<i8": 8 },
};

/** Opens an array of labels saved by NumPy (`numpy.save`). Throws {@link InputError}. */
export async function openNpy(path: string): Promise<LabelRaster> {
  const file = basename(path);
  const fail = (what: string): never => {
    throw new InputError(
      `${file} ${what}: save the masks themselves, with numpy.save("masks.npy", masks).`,
    );
  };
  const head = await bytesOf(path, 0, 4096);
  if (head.toString("latin1", 0, 6) !== MAGIC) fail("is not a NumPy array");
  const wide = head[6] >= 2;
  const length = wide ? head.readUInt32LE(8) : head.readUInt16LE(8);
  const start = (wide ? 12 : 10) + length;
  const header = head.toString("latin1", wide ? 12 : 10, Math.min(4096, start));
  const kind = /'descr'\s*:\s*'([^']+)'/.exec(header)?.[1] ?? "";
  if (kind.includes("O")) fail("holds Python objects, as Cellpose's _seg.npy does");
  const bytes =
    NPY_KINDS[kind] ?? fail(`holds ${kind || "unknown"} values instead of whole numbers`);
  const shape = (/'shape'\s*:\s*\(([^)]*)\)/.exec(header)?.[1] ?? "")
    .split(",")
    .filter((part) => part.trim() !== "")
    .map(Number);
  if (shape.length !== 2) fail(`has ${shape.length} dimensions instead of two`);
  if (/'fortran_order'\s*:\s*True/.test(header)) fail("is stored column by column");
  const [height, width] = shape as [number, number];
  if ((await stat(path)).size < start + height * width * bytes) fail("is cut off");
  return {
    width,
    height,
    async rows(top, count) {
      const data = await bytesOf(path, start + top * width * bytes, count * width * bytes);
      const labels = new Int32Array(count * width);
      const isSigned = kind[1] === "i";
      for (let i = 0; i < labels.length; i++) {
        // The upper half of eight bytes is zero in labels.
        labels[i] =
          bytes === 1
            ? data[i]
            : bytes === 2
              ? isSigned
                ? data.readInt16LE(2 * i)
                : data.readUInt16LE(2 * i)
              : data.readInt32LE(bytes * i);
      }
      return labels;
    },
  };
}

async function bytesOf(path: string, from: number, count: number): Promise<Buffer> {
  await using handle = await open(path, "r");
  const buffer = Buffer.alloc(count);
  let filled = 0;
  while (filled < count) {
    const { bytesRead } = await handle.read(buffer, filled, count - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
