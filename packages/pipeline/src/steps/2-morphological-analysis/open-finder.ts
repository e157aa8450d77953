import { RuntimeMissingError } from "@stipple/numerics/onnx-session";
import { InputError } from "../../errors.ts";
import { brightnessRange } from "../../nuclei/network-input.ts";
import {
  NETWORK_MULTIPLE_PX,
  NETWORK_WEIGHTS,
  openNucleusNetwork,
} from "../../nuclei/nucleus-network.ts";
import type { NucleusFinder } from "./find-nuclei.ts";
import type { NetworkOptions } from "./network-options.ts";
import type { CellSource } from "./space-ranger-cells.ts";
import type { StainPlanes } from "./stain-planes.ts";

/**
 * The network and the slide's brightness. `sample` returns values sampled from the slide. Throws {@link InputError} if
 * the network cannot run on this machine.
 */
export async function openFinder(
  options: NetworkOptions,
  slide: {
    fluorescent: boolean;
    sample(pick: (stains: StainPlanes) => Float32Array): Promise<Float32Array>;
  },
  weights = NETWORK_WEIGHTS,
): Promise<NucleusFinder> {
  const reason = await whyUnusable(weights);
  if (reason !== null) {
    throw new InputError(
      `The network that finds nuclei can't run on this machine (${reason}): install Stipple again with npm ci.`,
    );
  }
  const brightness = slide.fluorescent
    ? brightnessRange(await slide.sample((stains) => stains.planes[0]))
    : { low: 0, high: 1 };
  return { method: "network", weights, brightness, options };
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
    if (error instanceof RuntimeMissingError) throw error;
    const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
    return line.replace(/\.$/, "");
  }
}

/** Wording of each method for use in a sentence. */
export const METHOD_WORDS: Readonly<Record<CellSource["method"], string>> = {
  network: "found by the neural network",
  space_ranger: "outlined by Space Ranger",
  given: "outlined by another program",
};
