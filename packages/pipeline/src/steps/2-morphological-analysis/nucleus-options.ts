import * as z from "zod";

/** Settings for separating nuclei from background and from each other. Lengths in px of the working scale (0.5 µm). */
export const nucleusOptions = z.strictObject({
  /** Gaussian smoothing of the nuclear signal. */
  smoothingPx: z.number().positive().max(5).default(1),
  /** Radius of the window whose background and nuclei set the local contrast. */
  contrastRadiusPx: z.number().min(16).max(96).default(48),
  /**
   * Nuclei stand out from the background by at least this fraction of the slide's mean difference; anything less is
   * texture or noise.
   */
  minSpan: z.number().min(0).max(1).default(0.6),
  /** Local contrasts (0 background, 1 nuclei) above which a pixel can belong to a nucleus; all are tried. */
  contrastThresholds: z
    .array(z.number().min(0.05).max(1.5))
    .min(1)
    .max(5)
    .default([0.3, 0.45, 0.6, 0.8]),
  /** Holes up to this many pixels are filled. */
  maxHolePx: z.int().min(0).default(60),
  /** Hills that rise less than this above their pass are merged. */
  minDepth: z.number().positive().default(0.08),
  /** Score above which a candidate counts as a nucleus. */
  minScore: z.number().default(0.38),
  minAreaUm2: z.number().positive().default(12),
  maxAreaUm2: z.number().positive().default(400),
});
export type NucleusOptions = z.infer<typeof nucleusOptions>;
