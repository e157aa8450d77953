import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

const ring = z.array(z.tuple([z.number(), z.number()]));
/** Each an outline followed by its holes, pixels of the full-resolution image. */
export const tracedPolygons = z.array(z.array(ring));

export const piecesAnswer = z.object({
  /** Pieces of tissue that lie apart on the slide; none if there is only one. */
  pieces: z.array(
    z.object({
      name: z.string(),
      /** Those in tissue. */
      n_spots: z.int(),
      polygons: tracedPolygons,
    }),
  ),
  /** What the platform captures in. */
  noun: z.enum(["spot", "bin"]),
  /** Why they cannot be looked for, in one sentence. */
  fault: z.nullable(z.string()),
});
export type PiecesAnswer = z.infer<typeof piecesAnswer>;

/** Additive. */
export const pieces = defineRoute("GET", "/projects/:id/pieces", "session", {
  summary:
    "Pieces of tissue that lie apart on a project's slide, by the gaps between its spots; none until its files are complete.",
  answers: { 200: piecesAnswer },
});

/** Additive. Each project's first run counts as an analysis, as of any other project. */
export const splitProject = defineRoute("POST", "/projects/:id/split", "session", {
  summary:
    "Create a project for each piece of tissue on a project's slide. Each has the same files and analyzes only its piece.",
  answers: {
    201: z.object({
      projects: z.array(z.object({ id: z.string(), name: z.string() })),
      message: z.string(),
    }),
  },
});
