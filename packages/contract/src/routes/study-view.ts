import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

/** Most sections that a page shows at once: browsers draw about twice as many. */
export const MAX_SECTIONS = 8;
export const MAX_SECTION_LANDMARKS = 100;
const LONGEST_SIDE_PX = 10_000_000;

const at = z.number().check(z.minimum(-LONGEST_SIDE_PX), z.maximum(LONGEST_SIDE_PX));
/** The same place on two sections: x, y on the first, then on the second, in pixels of the full-resolution images. */
const point = z.tuple([at, at, at, at]);

const between = z.tuple([z.string(), z.string()]);

export const sectionMatch = z.object({
  /** The projects of both sections. */
  between,
  points: z.array(point),
});
export type SectionMatch = z.infer<typeof sectionMatch>;

const sectionLandmarks = z.extend(sectionMatch, { author: z.string(), at: z.string() });
export type SectionLandmarkSet = z.infer<typeof sectionLandmarks>;

export const studyViews = defineRoute("GET", "/studies/:id/views", "session", {
  summary:
    "Links to the interactive views of a study's samples, and landmarks that say which places of two of them match.",
  answers: {
    200: z.object({
      /** Of samples with results, in the order of the design. */
      views: z.array(z.object({ project_id: z.string(), url: z.string() })),
      landmarks: z.array(sectionLandmarks),
    }),
  },
});

export const saveSectionLandmarks = defineRoute("POST", "/studies/:id/landmarks", "session", {
  summary:
    "Keep landmarks between two sections of a study, in place of those there were; none removes them.",
  body: z.object({
    between,
    points: z.array(point).check(z.maxLength(MAX_SECTION_LANDMARKS)),
  }),
  answers: { 200: z.object({ landmarks: z.array(sectionLandmarks) }) },
});
