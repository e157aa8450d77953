import { existsSync } from "node:fs";
import { join } from "node:path";
import { analysis, analysisSettings } from "@stipple/pipeline";
import { openTissueImage } from "@stipple/pipeline/samples";
import type { PlacedSpots } from "@stipple/pipeline/internal/steps/1-optical-decomposition/explained-share";
import { readOverview } from "@stipple/pipeline/internal/optics/read-overview";
import {
  MASK_UM,
  tissueMask,
} from "@stipple/pipeline/internal/steps/1-optical-decomposition/find-tissue";
import { readResult } from "@stipple/pipeline/results";

/** Mask step in pixels of 0.5 µm, which all tissues here have, so that equal sizes give equal planes. */
const STEP_PX = MASK_UM / 0.5;

/**
 * A Visium sample as seen by step 1: spots, the low-resolution image, and Space Ranger's picture in the same pixels.
 */
export interface Sample {
  name: string;
  imagePath: string;
  width: number;
  height: number;
  step: number;
  planes: Float32Array[];
  view: Float32Array;
  tissue: Uint8Array;
  picture: Float32Array;
  spots: PlacedSpots & { pitchPx: number; positionsFile: string };
}

/** Runs step 0 unless already done, and reads the inputs of step 1's checks. */
export async function readSample(name: string, input: string, results: string): Promise<Sample> {
  const { signal } = new AbortController();
  const settings = analysisSettings.parse({});
  if (!existsSync(join(results, "step0_output"))) {
    await analysis.runStep(0, { input, results, settings, threads: 1, signal });
  }
  const { micronsPerPixel } = await readResult(results, "sample/image");
  const scale = await readResult(results, "sample/scale");
  const imagePath = join(input, "image.tif");
  const image = await openTissueImage(imagePath);
  const width = Math.round(image.widthPx / STEP_PX);
  const height = Math.round(image.heightPx / STEP_PX);
  const seen = await readOverview(image, width, height, false, signal);
  const hires = await openTissueImage(join(input, "spatial/tissue_hires_image.png"));
  const picture = await readOverview(hires, width, height, false, signal);
  return {
    name,
    imagePath,
    width,
    height,
    step: image.widthPx / width,
    planes: seen.planes,
    view: seen.signal,
    tissue: tissueMask(seen.signal, width, height, { ...seen, umPerPixel: MASK_UM }),
    picture: picture.signal,
    spots: {
      xy: await readResult(results, "spots/xy"),
      components: await readResult(results, "spots/X_pca"),
      radiusPx: scale.spotSizeUm / 2 / micronsPerPixel,
      pitchPx: scale.pitchUm / micronsPerPixel,
      positionsFile: "tissue_positions.csv",
    },
  };
}
