import * as z from "zod";
import { VIEW_COUNTS } from "../../nuclei/mean-of-views.ts";

/** Settings for finding nuclei with the network. Lengths in px of half the working resolution (1 µm). */
export const networkOptions = z.strictObject({
  /** Number of turned views of the image over which the network's output is averaged. */
  views: z.literal(VIEW_COUNTS).default(1),
  /** Smoothing of the centroid votes. */
  voteSmoothingPx: z.number().positive().max(4).default(0.5),
  /** A centroid needs about this many votes. */
  minVotes: z.number().positive().default(3),
  minScore: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .describe("Detection threshold: score above which a candidate counts as a nucleus"),
  minAreaUm2: z.number().positive().default(8),
  maxAreaUm2: z.number().positive().default(500),
});
export type NetworkOptions = z.infer<typeof networkOptions>;
