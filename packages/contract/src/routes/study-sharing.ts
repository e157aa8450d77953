import * as z from "zod/mini";
import { defineRoute } from "./define.ts";
import { compareStudy, studyFile, studyQuality, studySpace, studySpacePoints } from "./studies.ts";
import { sectionMatch } from "./study-view.ts";
import { SHARE_DAYS, shareLink } from "./visualization.ts";

export const listStudyShares = defineRoute("GET", "/studies/:id/shares", "session", {
  summary: "A study's active share links, newest first.",
  answers: { 200: z.array(shareLink) },
});

export const createStudyShare = defineRoute("POST", "/studies/:id/shares", "session", {
  summary:
    "Create a read-only link to a study and to the views of its samples, valid for a number of days.",
  body: z.object({
    days: z.literal(SHARE_DAYS),
    note: z._default(z.string(), ""),
  }),
  answers: { 201: shareLink },
});

export const revokeStudyShare = defineRoute("DELETE", "/studies/:id/shares/:share", "session", {
  summary: "Revoke a share link of a study immediately, with the views that it opened.",
  answers: { 200: z.object({ message: z.string() }) },
});

export const sharedStudy = defineRoute("GET", "/shared_study/:token", "study_link", {
  summary: "What a share link shows of a study: its samples, their quality, and their views.",
  answers: {
    200: z.object({
      name: z.string(),
      columns: z.array(z.string()),
      samples: z.array(
        z.object({
          project_id: z.nullable(z.string()),
          name: z.string(),
          condition: z.string(),
          patient: z.string(),
          batch: z.string(),
          more: z.record(z.string(), z.string()),
          /** The sample's view; null without results. */
          view: z.nullable(z.string()),
        }),
      ),
      quality: studyQuality.answers[200],
      landmarks: z.array(sectionMatch),
      /** Whether files may be saved: not those of a trial. */
      may_export: z.boolean(),
      expires_at: z.string(),
    }),
  },
});
export type SharedStudy = z.infer<(typeof sharedStudy)["answers"][200]>;

export const sharedComparison = defineRoute(
  "GET",
  "/shared_study/:token/comparison",
  "study_link",
  {
    summary: "A comparison of a shared study, as for its owner. While it is computed: 202.",
    query: compareStudy.query,
    answers: compareStudy.answers,
  },
);

export const sharedSpace = defineRoute("GET", "/shared_study/:token/space", "study_link", {
  summary: "A joint space of a shared study, as for its owner. While it is computed: 202.",
  query: studySpace.query,
  answers: studySpace.answers,
});

export const sharedSpacePoints = defineRoute(
  "GET",
  "/shared_study/:token/space_points",
  "study_link",
  {
    summary: "The points of a joint space of a shared study, as for its owner.",
    query: studySpacePoints.query,
    answers: studySpacePoints.answers,
  },
);

export const sharedStudyFile = defineRoute("GET", "/shared_study/:token/file", "study_link", {
  summary: "A table, the report, or the R code of a shared study, as for its owner.",
  query: studyFile.query,
  answers: studyFile.answers,
});
