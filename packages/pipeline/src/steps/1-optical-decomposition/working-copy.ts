import { fork } from "node:child_process";
import { isDiskFull, throwIfCancelled } from "../../errors.ts";
import { displayRanges, fullScaleOf } from "../../readers/images/display-ranges.ts";
import { openInStrips } from "../../readers/images/open-tissue-image.ts";
import { StoredImage } from "../../readers/images/stored-image.ts";
import type { ImageRegion, TissueImage } from "../../readers/images/tissue-image.ts";
import { damaged } from "../../readers/images/vips-image.ts";
import { writeTiledTiff } from "../../readers/images/write-tiled-tiff.ts";
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
 * Copies an image into a tiled pyramid of the same size: colors as JPEG 95 without chroma subsampling (lossless
 * if libvips does not read the file), fluorescence channels with their original values. O(pixels), a few rows
 * of tiles in memory. Stops soon after `signal` is aborted.
 */
export async function makeWorkingCopy(
  image: TissueImage,
  path: string,
  staining: "h_and_e" | "if",
  signal: AbortSignal,
): Promise<void> {
  if (image.kind === "channels" || (image.kind === "gray" && staining === "if")) {
    await copyRows(image.path, path, signal);
    return;
  }
  if (image instanceof StoredImage) {
    await copyRows(image.path, path, signal, "colors");
    return;
  }
  const wide = image.bitsPerSample > 8;
  await copyInProcess(
    {
      from: image.path,
      to: path,
      gain: wide ? 65_535 / (await fullScale(image)) : null,
      gray: image.kind === "gray",
    },
    signal,
  );
}

/** Copies an image row by row, without libvips if possible: as channels, or as red, green, and blue. */
async function copyRows(
  from: string,
  to: string,
  signal: AbortSignal,
  as: "channels" | "colors" = "channels",
): Promise<void> {
  const image = await openInStrips(from);
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
  } finally {
    image.close();
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
