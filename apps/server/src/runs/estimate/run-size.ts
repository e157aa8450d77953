import { isOwnFile } from "@stipple/contract/platforms/own-files";
import type { Outputs } from "../../outputs/read.ts";

/** How large a run is: what is known before anything of its inputs is read, and what its steps have found since. */
export interface RunSize {
  /** MB of each kind of input. */
  counts: number;
  image: number;
  fineBins: number;
  /** Each is missing until the step that finds it is done. */
  genes?: number;
  megapixels?: number;
  areaMm2?: number;
  cells?: number;
}

/** An input file, by its upload slot. */
export interface SizedInput {
  slot: string;
  /** Bytes. */
  size: number;
}

/** The steps after which more is known. */
export const INFORMATIVE_STEPS: readonly number[] = [0, 2];

/** MB of each kind of input. */
export function sizeOf(inputs: readonly SizedInput[]): RunSize {
  const sizes = { counts: 0, image: 0, fineBins: 0 };
  for (const { slot, size } of inputs) {
    if (isOwnFile(slot)) continue;
    const kind = /image|histology/.test(slot)
      ? "image"
      : slot === "fine_bins"
        ? "fineBins"
        : "counts";
    sizes[kind] += size / 1e6;
  }
  return sizes;
}

/** What the finished steps of a project have found out about its sample. */
export async function foundSize(outputs: Outputs, projectId: string): Promise<Partial<RunSize>> {
  const [quality, image, segmentation] = (await Promise.all(
    [
      "step0_output/sample.quality.json",
      "step0_output/sample.image.json",
      "step2_output/sample.segmentation.json",
    ].map((path) => outputs.json(projectId, path)),
  )) as [
    { nGenes: number } | null,
    { widthPx: number; heightPx: number; micronsPerPixel: number } | null,
    { nNuclei: number } | null,
  ];
  const megapixels = image ? (image.widthPx * image.heightPx) / 1e6 : 0;
  return {
    ...(quality ? { genes: quality.nGenes } : {}),
    ...(image && megapixels > 0
      ? { megapixels, areaMm2: megapixels * image.micronsPerPixel ** 2 }
      : {}),
    ...(segmentation ? { cells: segmentation.nNuclei } : {}),
  };
}
