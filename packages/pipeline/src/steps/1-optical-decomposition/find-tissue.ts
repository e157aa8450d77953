import { readOverview, type Overview } from "../../optics/read-overview.ts";
import type { MaskOnImage } from "../../optics/sample-windows.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { MASK_UM, tissueMask } from "./tissue-mask.ts";

/** An image at mask resolution, and where it shows tissue. */
export interface SeenTissue {
  overview: Overview;
  tissue: MaskOnImage;
  /** Share of the image that is tissue. */
  fraction: number;
  fluorescent: boolean;
}

/** Finds the tissue on an image with `umPerPixel`. O(pixels of the mask), and reading the image at that resolution. */
export async function findTissue(
  image: TissueImage,
  options: { umPerPixel: number; staining: "h_and_e" | "if"; signal: AbortSignal },
): Promise<SeenTissue> {
  const factor = Math.max(1, MASK_UM / options.umPerPixel);
  const width = Math.max(1, Math.round(image.widthPx / factor));
  const height = Math.max(1, Math.round(image.heightPx / factor));
  const fluorescent = options.staining === "if";
  const overview = await readOverview(image, width, height, fluorescent, options.signal);
  const umPerPixel = (options.umPerPixel * image.widthPx) / width;
  const mask = tissueMask(overview.signal, width, height, { ...overview, umPerPixel });
  const [stepX, stepY] = [image.widthPx / width, image.heightPx / height];
  const tissue = { mask, width, height, stepX, stepY };
  return { overview, tissue, fraction: shareOf(mask), fluorescent };
}

/** Share of a mask's pixels that are 1. */
export function shareOf(mask: Uint8Array): number {
  return mask.reduce((sum, value) => sum + value, 0) / mask.length;
}
