import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

/** A pair of numbers, x and y, in pixels of the full-resolution image. */
const place = z.tuple([z.number(), z.number()]);
/** A spot's position in the files, and its place on the image. */
export const landmark = z.object({ from: place, to: place });
export type Landmark = z.infer<typeof landmark>;
export const MAX_LANDMARKS = 100;

export const registrationLook = z.object({
  /** Size of the image that the positions refer to. */
  width_px: z.number(),
  height_px: z.number(),
  /** The reduced image, WebP in base64, and the file it is of. */
  picture: z.string(),
  picture_file: z.string(),
  microns_per_pixel: z.number(),
  spot_size_um: z.number(),
  n_spots: z.int(),
  /** Places of some spots in tissue as the files have them, x and y alternating. */
  spots: z.array(z.number()),
  /** The affine map a, b, c, d, e, f of the project's alignment, if it has one. */
  map: z.nullable(z.array(z.number())),
  /** The landmarks of that alignment, if it has any. */
  landmarks: z.nullable(z.array(landmark)),
  /** Whether the spots belong where they are, as far as it shows before a run. */
  tone: z.enum(["ok", "warn", "bad"]),
  sentence: z.string(),
});
export type RegistrationLook = z.infer<typeof registrationLook>;

export const registrationAnswer = z.object({
  look: z.nullable(registrationLook),
  /** Why there is nothing to see, in one sentence. */
  fault: z.nullable(z.string()),
});
export type RegistrationAnswer = z.infer<typeof registrationAnswer>;

/** Additive. */
export const registration = defineRoute("GET", "/projects/:id/registration", "session", {
  summary:
    "Where a project's spots lie on its image, before a run: a reduced image, places of spots, and whether they fit.",
  answers: { 200: registrationAnswer },
});

/** Additive. */
export const saveLandmarks = defineRoute("POST", "/projects/:id/landmarks", "session", {
  summary: "Keep landmarks as a project's alignment, in place of a file that was uploaded.",
  body: z.object({ landmarks: z.array(landmark).check(z.maxLength(MAX_LANDMARKS)) }),
  answers: { 200: z.object({ message: z.string() }) },
});
