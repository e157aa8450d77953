import { gaussianBlur } from "../../numerics/gaussian-blur.ts";
import type { FinderParams } from "./finder-params.ts";
import type { NucleusFinder } from "./find-nuclei.ts";
import { brightnessRange } from "../../nuclei/network-input.ts";
import {
  NETWORK_MULTIPLE_PX,
  NETWORK_WEIGHTS,
  openNucleusNetwork,
} from "../../nuclei/nucleus-network.ts";
import type { CellSource } from "./space-ranger-cells.ts";
import { signalRange } from "./signal-range.ts";
import type { StainPlanes } from "./stain-planes.ts";

/**
 * Returns the requested nucleus finder, or the classical one with a warning if the network cannot run on this machine.
 * `ownPixel` is the side of an image pixel in working pixels; `sample` returns values sampled from the slide.
 */
export async function chooseFinder(
  params: FinderParams,
  slide: {
    fluorescent: boolean;
    ownPixel: number;
    sample(
      pick: (stains: StainPlanes, width: number, height: number) => Float32Array,
    ): Promise<Float32Array>;
  },
  weights = NETWORK_WEIGHTS,
): Promise<{ finder: NucleusFinder; warning: string | null }> {
  let warning: string | null = null;
  if (params.method === "network") {
    const reason = await whyUnusable(weights);
    if (reason === null) {
      const brightness = slide.fluorescent
        ? brightnessRange(await slide.sample((stains) => stains.planes[0]))
        : { low: 0, high: 1 };
      const finder = { method: "network", weights, brightness, options: params.network } as const;
      return { finder, warning: null };
    }
    warning = `The trained nucleus network could not be used (${reason}): nuclei were found without it, which is less accurate.`;
  }
  // Upsampling enlarges the noise too, so smooth by at least one original pixel.
  const smoothingPx = Math.max(params.classical.smoothingPx, slide.ownPixel);
  const smooth = await slide.sample((stains, width, height) =>
    gaussianBlur(stains.signal, width, height, smoothingPx),
  );
  const range = signalRange(smooth);
  const options = { ...params.classical, smoothingPx };
  return { finder: { method: "classical", range, options }, warning };
}

/** Opens the network and runs it on a blank square; null if that works. */
async function whyUnusable(weights: string): Promise<string | null> {
  try {
    const network = await openNucleusNetwork(weights);
    const side = NETWORK_MULTIPLE_PX;
    await network.run(new Float32Array(3 * side * side), side, side);
    await network.close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.split("\n")[0] : String(error);
  }
}

/** Wording of each method for use in a sentence. */
export const METHOD_WORDS: Readonly<Record<CellSource["method"], string>> = {
  network: "found by the neural network",
  classical: "found by the classical method",
  space_ranger: "outlined by Space Ranger",
};
