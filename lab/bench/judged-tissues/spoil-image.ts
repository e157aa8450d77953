import { rm } from "node:fs/promises";
import { join } from "node:path";
import { simulateTissue, type TissueOptions } from "@stipple/tissue";
import { writeImage } from "@stipple/tissue/write/spatial";
import sharp from "sharp";

/** What is wrong with an image: it shows another section, is offset from the spots, or is out of focus. */
export type Spoiled = "wrong" | "shifted" | "blurred";

const SHIFT_UM = 200;
const BLUR_UM = 3;
/** Seed offset of the section whose image is used instead. */
const OTHER_SECTION = 1000;

type OfImage = Pick<TissueOptions, "seed" | "species" | "sizeUm" | "cellDensity" | "umPerPx"> &
  Partial<Pick<TissueOptions, "imageDifficulty">>;

/** Replaces the image of a simulated H&E tissue. */
export async function spoilImage(
  folder: string,
  spoiled: Spoiled,
  options: OfImage,
): Promise<void> {
  const path = join(folder, "image.tif");
  const source = spoiled === "wrong" ? await imageOfOtherSection(folder, options) : path;
  const { data, info } = await sharp(source)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const raw = { width, height, channels: 3 as const };
  let preview: Uint8Array = data;
  if (spoiled === "shifted") preview = rolled(data, width, Math.round(SHIFT_UM / options.umPerPx));
  if (spoiled === "blurred") {
    preview = await sharp(data, { raw })
      .blur(BLUR_UM / options.umPerPx)
      .raw()
      .toBuffer();
  }
  await writeImage(path, { width, height, preview, channels: null }, options.umPerPx);
}

async function imageOfOtherSection(folder: string, { seed, ...options }: OfImage): Promise<string> {
  const out = join(folder, "other-section");
  const { image } = await simulateTissue({
    ...options,
    out,
    nGenes: 200,
    seed: seed + OTHER_SECTION,
  });
  const kept = join(folder, "other-section.tif");
  await sharp(image).toFile(kept);
  await rm(out, { recursive: true });
  return kept;
}

/** Shifts every row right by `px` pixels, with wraparound. */
function rolled(data: Uint8Array, width: number, px: number): Uint8Array {
  const result = new Uint8Array(data.length);
  const stride = 3 * width;
  for (let row = 0; row < data.length; row += stride) {
    const cut = row + stride - 3 * px;
    result.set(data.subarray(cut, row + stride), row);
    result.set(data.subarray(row, cut), row + 3 * px);
  }
  return result;
}
