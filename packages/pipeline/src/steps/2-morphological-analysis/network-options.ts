import * as z from "zod";

/** How nuclei are read from what the network says. Lengths in px of half the working resolution (1 µm). */
export const networkOptions = z.strictObject({
  /** Smoothing of the votes for centroids. */
  voteSmoothingPx: z.number().positive().max(4).default(0.5),
  /** A centroid needs about as many votes as this. */
  minVotes: z.number().positive().default(3),
  /** Score from which a candidate counts as a nucleus. */
  minScore: z.number().min(0).max(1).default(0.35),
  minAreaUm2: z.number().positive().default(8),
  maxAreaUm2: z.number().positive().default(500),
});
export type NetworkOptions = z.infer<typeof networkOptions>;
