import * as z from "zod";

/** How nuclei are read from what the network says. Lengths in px of half the working resolution (1 µm). */
export const networkOptions = z.strictObject({
  /** Pixels of at least this probability belong to a nucleus. */
  minProbability: z.number().min(0.05).max(0.95).default(0.5),
  /** Smoothing of the votes for centroids. */
  voteSmoothingPx: z.number().positive().max(4).default(1),
  /** A centroid needs about as many votes as this. */
  minVotes: z.number().positive().default(6),
  /** A nucleus whose pixels have a lower mean probability is texture. */
  minMeanProbability: z.number().min(0).max(1).default(0.75),
  minAreaUm2: z.number().positive().default(8),
  maxAreaUm2: z.number().positive().default(500),
});
export type NetworkOptions = z.infer<typeof networkOptions>;
