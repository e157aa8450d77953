import { access } from "node:fs/promises";
import { basename } from "node:path";
import sharp from "sharp";
import { InputError, isDiskFull } from "../../errors.ts";
import type { ImageFacts } from "../../facts.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";
import type { StepContext } from "../../step.ts";

export const WORKING_IMAGE = "working_image.tif";

/** Above this an image without tiles is copied once, because every region of it means decoding all rows above. */
const LARGE_PIXELS = 50e6;

/** Path of the image that `sample/image` describes, as the user gave it; null when the sample has none. */
export function sourceImagePath(facts: ImageFacts, files: SampleFiles): string | null {
  const paths = {
    microscope: files.image,
    hires: files.hires,
    lowres: files.lowres,
    none: null,
  };
  return paths[facts.source];
}

/**
 * Path of the image to read regions from, for the steps after this one: the tiled copy where step 1 made one, else the
 * image itself; null when the sample has none. Both have the same size in pixels. The step must declare `sample/image`.
 */
export async function workingImagePath(
  context: Pick<StepContext, "files" | "earlier" | "read">,
): Promise<string | null> {
  const copy = context.earlier(1, WORKING_IMAGE);
  const hasCopy = await access(copy).then(
    () => true,
    () => false,
  );
  return hasCopy ? copy : sourceImagePath(await context.read("sample/image"), context.files);
}

/** Whether reading many regions of an image is only practical from a tiled copy that can be made. */
export function needsWorkingCopy(image: TissueImage): boolean {
  return (
    !image.tiled &&
    image.widthPx * image.heightPx > LARGE_PIXELS &&
    image.kind !== "channels" &&
    image.bitsPerSample <= 8
  );
}

/** Copies an image into a tiled pyramid (JPEG 95 without colour subsampling). O(pixels), a few rows of tiles in memory. */
export async function makeWorkingCopy(image: TissueImage, path: string): Promise<void> {
  await sharp(image.path, { limitInputPixels: false, failOn: "error" })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .tiff({
      tile: true,
      tileWidth: 512,
      tileHeight: 512,
      pyramid: true,
      bigtiff: true,
      compression: "jpeg",
      quality: 95,
    })
    .toFile(path)
    .catch((cause: unknown) => {
      if (isDiskFull(cause) || /no space|write failed/i.test(String(cause))) {
        throw Object.assign(
          new Error("No space left for the working copy of the image", { cause }),
          {
            code: "ENOSPC",
          },
        );
      }
      const file = basename(image.path);
      throw new InputError(
        `${file} cannot be decoded and is probably damaged: copy or export it again.`,
        {
          file,
          cause,
        },
      );
    });
}
