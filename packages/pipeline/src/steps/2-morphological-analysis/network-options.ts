import * as z from "zod";
import { VIEW_COUNTS } from "../../nuclei/mean-of-views.ts";

/** Settings for finding nuclei with the network. Lengths in px of half the working resolution (0.7 to 1 µm). */
export const networkOptions = z
  .strictObject({
    views: z
      .literal(VIEW_COUNTS)
      .default(1)
      .describe(
        "Number of turned views of the image over which the network's output is averaged: 1, 2, or 4",
      ),
    voteSmoothingPx: z
      .number()
      .positive()
      .max(4)
      .default(0.5)
      .describe(
        "Smoothing of the pixels' votes for the center of their nucleus, pixels of the network's output",
      ),
    minVotes: z
      .number()
      .positive()
      .default(3)
      .describe("About how many votes the center of a nucleus needs"),
    minScore: z
      .number()
      .min(0)
      .max(1)
      .default(0.3)
      .describe("Detection threshold: score above which a candidate counts as a nucleus"),
    minAreaUm2: z.number().positive().default(8).describe("Area of the smallest nucleus, µm²"),
    maxAreaUm2: z.number().positive().default(500).describe("Area of the largest nucleus, µm²"),
  })
  .refine(({ minAreaUm2, maxAreaUm2 }) => minAreaUm2 < maxAreaUm2, {
    path: ["minAreaUm2"],
    error: "must be less than maxAreaUm2, or no nucleus would be found",
  });
export type NetworkOptions = z.infer<typeof networkOptions>;
