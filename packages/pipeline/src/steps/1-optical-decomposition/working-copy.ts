import { fork } from "node:child_process";
import { rm } from "node:fs/promises";
import { isDiskFull, throwIfCancelled } from "../../errors.ts";
import { displayRanges, fullScaleOf } from "../../readers/images/display-ranges.ts";
import { isPlain, openImageSource, type ImageSource } from "../../readers/images/image-source.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import type { ImageRegion, TissueImage } from "../../readers/images/tissue-image.ts";
import { turnedImage } from "../../readers/images/turned-image.ts";
import { damaged } from "../../readers/images/described-image.ts";
import { writeTiledTiff } from "@stipple/formats/tiff/write-tiled-tiff";
import type { CopyTask } from "./copy-process.ts";

export const WORKING_IMAGE = "working_image.tif";

/**
 * Untiled images larger than this are copied once, because reading any region requires decoding all rows above
 * it.
 */
const LARGE_PIXELS = 50e6;

/** Whether reading many regions of an image is practical only from a tiled copy. */
export function needsWorkingCopy(image: TissueImage): boolean {
  return !image.tiled && image.widthPx * image.heightPx > LARGE_PIXELS;
}

/**
 * Copies the user's image into a tiled pyramid of the same size, as it is to be read: colors as JPEG 95 without chroma
 * subsampling (lossless if they are not read by libvips alone), fluorescence channels with their original values. A
 * large image without tiles that must be turned is copied first as it is stored, since its rows can only be read from
 * top to bottom. O(pixels), a few rows of tiles in memory. Stops soon after `signal` is aborted.
 */
export async function makeWorkingCopy(
  image: TissueImage,
  source: ImageSource,
  path: string,
  staining: "h_and_e" | "if",
  signal: AbortSignal,
): Promise<void> {
  const { orientation } = source.reading;
  const isFluorescent = image.kind === "channels" || (image.kind === "gray" && staining === "if");
  const as = isFluorescent ? "channels" : "colors";
  if (orientation !== 1 && needsWorkingCopy(image)) {
    const asStored = { ...source, reading: { ...source.reading, orientation: 1 } } as const;
    const between = `${path}.stored`;
    const stored = await openImageSource(asStored);
    try {
      await makeWorkingCopy(stored, asStored, between, staining, signal);
      await copyRows(turnedImage(await openTissueImage(between), orientation), path, as, signal);
    } finally {
      await rm(between, { force: true });
    }
    return;
  }
  if (isFluorescent || image.place === null || !isPlain(source)) {
    const rows = await openImageSource(source, { inStrips: true });
    rows.channelNames = image.channelNames;
    await copyRows(rows, path, as, signal);
    return;
  }
  const wide = image.bitsPerSample > 8;
  await copyInProcess(
    {
      from: image.path,
      place: image.place,
      to: path,
      gain: wide ? 65_535 / (await fullScale(image)) : null,
      gray: image.kind === "gray",
    },
    signal,
  );
}

/** Copies an image row by row, without libvips if possible: as channels, or as red, green, and blue. */
async function copyRows(
  image: TissueImage,
  to: string,
  as: "channels" | "colors",
  signal: AbortSignal,
): Promise<void> {
  const band = (y: number, height: number): ImageRegion => ({
    x: 0,
    y,
    width: image.widthPx,
    height,
    signal,
  });
  const colors = as === "colors";
  try {
    await writeTiledTiff(
      to,
      {
        widthPx: image.widthPx,
        heightPx: image.heightPx,
        bits: image.bitsPerSample > 8 && !colors ? 16 : 8,
        samples: colors ? 3 : 1,
        channelNames: colors ? [] : image.channelNames,
        pages: colors
          ? [{ rows: async (y, height) => (await image.getRegion(band(y, height))).data }]
          : Array.from({ length: image.channels }, (_, channel) => ({
              rows: async (y, height) => (await image.getChannel(channel, band(y, height))).data,
            })),
      },
      signal,
    );
  } catch (cause) {
    throw isDiskFull(cause) ? noSpace(cause) : cause;
  }
}

async function fullScale(image: TissueImage): Promise<number> {
  return fullScaleOf(await displayRanges(image, image.getChannel.bind(image)));
}

/** Runs the libvips copy in a separate process, which is killed when `signal` is aborted. */
async function copyInProcess(task: CopyTask, signal: AbortSignal): Promise<void> {
  throwIfCancelled(signal);
  const child = fork(new URL("./copy-process.ts", import.meta.url), [], { execArgv: [] });
  const stop = (): void => void child.kill("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  try {
    const failure = await new Promise<string | null>((resolve, reject) => {
      let answer: { done?: true; error?: string } | null = null;
      child.on("message", (message) => (answer = message as typeof answer));
      child.on("error", reject);
      child.on("exit", (code, by) => {
        if (answer) resolve(answer.error ?? null);
        else reject(new Error(`The copy of the image ended without an answer (${by ?? code})`));
      });
      child.send(task);
    });
    if (failure === null) return;
    if (isDiskFull({ message: failure }) || /no space|write failed/i.test(failure)) {
      throw noSpace(failure);
    }
    throw damaged(task.from, new Error(failure));
  } catch (cause) {
    throwIfCancelled(signal);
    throw cause;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function noSpace(cause: unknown): Error {
  return Object.assign(new Error("No space left for the working copy of the image", { cause }), {
    code: "ENOSPC",
  });
}
