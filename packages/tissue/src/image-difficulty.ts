import type { TissueOptions } from "./options.ts";

/**
 * Factor on all that makes images hard, so that the present network finds nuclei at `imageDifficulty` 1 as well as in
 * real sections. Measured with lab/bench/segmentation.ts; a better network needs a higher factor.
 */
const AS_HARD_AS_REAL = 1.25;

/** Options with the difficulty in the units of those who place and paint nuclei. */
export function asPainted(options: TissueOptions): TissueOptions {
  return { ...options, imageDifficulty: AS_HARD_AS_REAL * options.imageDifficulty };
}
