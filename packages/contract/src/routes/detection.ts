import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

/** Lengths and positions in pixels of the full-resolution image. */
export const detectionLook = z.object({
  image_width_px: z.number(),
  image_height_px: z.number(),
  microns_per_pixel: z.number(),
  /** The tile. */
  x: z.number(),
  y: z.number(),
  width_px: z.number(),
  height_px: z.number(),
  /** The tile, and the whole image (null if it is slow to see), WebP in base64. */
  picture: z.string(),
  overview: z.nullable(z.string()),
  /** Increasing. */
  thresholds: z.array(z.number()),
  /** Outlines, and the first and last threshold at which each is found; corners from the tile's, x and y alternating. */
  outlines: z.array(z.object({ from: z.int(), to: z.int(), xy: z.array(z.number()) })),
});
export type DetectionLook = z.infer<typeof detectionLook>;

export const detectionAnswer = z.object({
  look: z.nullable(detectionLook),
  /** Why there is nothing to see, in one sentence. */
  fault: z.nullable(z.string()),
});
export type DetectionAnswer = z.infer<typeof detectionAnswer>;

/** Additive. */
export const detection = defineRoute("GET", "/projects/:id/detection", "session", {
  summary:
    "The nuclei that are found in one tile of a project's image at each of several detection thresholds. The first two steps must have run.",
  query: z.object({
    /** Middle of the tile as "x,y", px; by default the densest tissue. */
    at: z.optional(z.string().check(z.regex(/^\d{1,7}(\.\d{1,3})?,\d{1,7}(\.\d{1,3})?$/))),
  }),
  answers: { 200: detectionAnswer },
});
