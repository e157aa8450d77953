import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import sharp, { type Metadata } from "sharp";
import { InputError } from "../../errors.ts";
import { contentKind, type ContentKind, faultOfContent, HEAD_BYTES } from "../content-kind.ts";
import { LONGEST_SIDE, maxUnpackedPicture } from "@stipple/formats/limits";
import { TiffBlocks } from "@stipple/formats/tiff/blocks";
import { TiffFault } from "@stipple/formats/tiff/directories";
import { describeTiff, type TiffDescription } from "@stipple/formats/tiff/describe-tiff";
import { orientationOf } from "@stipple/formats/tiff/orientation";
import { StoredImage } from "./stored-image.ts";
import type { TissueImage } from "./tissue-image.ts";
import { damaged } from "./described-image.ts";
import { VipsImage } from "./vips-image.ts";

/**
 * Opens a tissue image: TIFF or BigTIFF in gray, palette, RGB, CMYK, or channels of any common depth, or
 * PNG/JPEG. Reads only metadata. Each worker thread opens its own. `colors`: its channels are colors of one image. Throws
 * {@link InputError} for an image that cannot be read.
 */
export async function openTissueImage(path: string, { colors = false } = {}): Promise<TissueImage> {
  const format = await sniff(path);
  if (format !== "tiff") {
    // JPEG has no checksum: what its decoder warns of is all that shows damage. Of harmless TIFFs, libtiff warns often.
    const failOn = format === "jpeg" ? "warning" : "error";
    return new VipsImage(path, await describeSimple(path, format), failOn);
  }
  const description = await describe(path);
  if (description.stored) return new StoredImage(path, description, colors);
  await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw damaged(path, cause);
    });
  return new VipsImage(path, description);
}

/**
 * Opens a tissue image, unpacked strip by strip without libvips if possible: libvips decodes all rows above a region of
 * an image in strips, which makes reading it from top to bottom quadratic.
 */
export async function openInStrips(path: string, { colors = false } = {}): Promise<TissueImage> {
  if ((await sniff(path)) !== "tiff") return openTissueImage(path);
  const description = await describe(path, { unpackHere: true });
  return description.stored ? new StoredImage(path, description, colors) : openTissueImage(path);
}

/** Throws {@link InputError} for a TIFF with a block whose checksum says that it is damaged. Reads all of a deflated image. */
export async function requireSoundImage(path: string): Promise<void> {
  if ((await sniff(path)) !== "tiff") return;
  const { full } = await describe(path);
  await using file = await open(path, "r");
  for (const page of full.pages) {
    const blocks = await TiffBlocks.open(path, page, full.subifd);
    await blocks.requireSound(file).catch((cause: unknown) => {
      throw damaged(path, cause);
    });
  }
}

async function describe(path: string, how?: { unpackHere: boolean }): Promise<TiffDescription> {
  try {
    return await describeTiff(path, how);
  } catch (cause) {
    if (!(cause instanceof TiffFault)) throw cause;
    const file = basename(path);
    throw new InputError(`${file} ${cause.message}.`, { cause });
  }
}

const WANTED = {
  kinds: ["tiff", "png", "jpeg"],
  what: "a TIFF, PNG, or JPEG image",
  remedy: "choose the microscope image (.tif, .tiff, or .btf), exported as TIFF or OME-TIFF",
} as const;

async function sniff(path: string): Promise<ContentKind> {
  const file = basename(path);
  const handle = await open(path, "r").catch((cause: NodeJS.ErrnoException) => {
    throw new InputError(
      cause.code === "ENOENT"
        ? `The image ${file} does not exist: check its path.`
        : `The image ${file} cannot be opened (${cause.code ?? "unknown reason"}): check its permissions.`,
      { cause },
    );
  });
  try {
    const { buffer, bytesRead } = await handle
      .read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      .catch((cause: unknown) => {
        throw new InputError(`The image ${file} cannot be read: choose a file, not a folder.`, {
          cause,
        });
      });
    const head = buffer.subarray(0, bytesRead);
    const fault = faultOfContent(file, head, WANTED);
    if (fault !== null) throw new InputError(fault);
    return contentKind(head);
  } finally {
    await handle.close();
  }
}

async function describeSimple(path: string, format: string): Promise<TiffDescription> {
  if (format === "png") await requirePngEnd(path);
  const metadata = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw damaged(path, cause);
    });
  await requirePlausibleSize(path, metadata);
  const color = metadata.channels >= 3;
  return {
    kind: color ? "rgb" : "gray",
    widthPx: metadata.width,
    heightPx: metadata.height,
    channels: color ? 3 : 1,
    channelNames: [],
    bitsPerSample: metadata.depth === "ushort" ? 16 : 8,
    tiled: false,
    alpha: metadata.hasAlpha ? "transparency" : "none",
    full: { pages: [0], subifd: -1, widthPx: metadata.width, heightPx: metadata.height },
    levels: [],
    unusedPages: [],
    orientation: orientationOf(metadata.orientation),
    overviewPx: metadata.width * metadata.height,
    stored: null,
    micronsPerPixel: null,
  };
}

/** Rejects an image that would decompress to far more than its size suggests. */
async function requirePlausibleSize(
  path: string,
  { width, height, channels, depth }: Metadata,
): Promise<void> {
  const { size } = await stat(path);
  const unpacked = width * height * channels * (depth === "ushort" ? 2 : 1);
  const longest = Math.max(width, height);
  if (unpacked <= maxUnpackedPicture(size) && longest <= LONGEST_SIDE) return;
  const file = basename(path);
  throw new InputError(
    `${file} would expand from ${size} bytes to ${width} × ${height} px, far more than a real image: export it again.`,
  );
}

/** A PNG without its last chunk was truncated; libpng would return the missing rows as black. */
async function requirePngEnd(path: string): Promise<void> {
  await using handle = await open(path, "r");
  const { size } = await handle.stat();
  const tail = Buffer.alloc(Math.min(size, 4096));
  await handle.read(tail, 0, tail.length, size - tail.length);
  if (!tail.includes("IEND", 0, "latin1")) {
    const file = basename(path);
    throw new InputError(
      `${file} is incomplete (the end of the PNG is missing): copy or upload it again.`,
    );
  }
}
