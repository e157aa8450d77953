import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

export const activityEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** One of ACTIVITIES; a newer server may have more. */
  what: z.string(),
  /** One of ACTORS. */
  by: z.string(),
  /** Names at the time: project, file, plan, amount, device … */
  about: z.record(z.string(), z.string()),
  /** IP address; null if it was not the user's own request. */
  address: z.nullable(z.string()),
  /** In plain words: "Firefox on Linux". */
  device: z.nullable(z.string()),
});
export type ActivityEntry = z.infer<typeof activityEntry>;

export const accountActivity = defineRoute("GET", "/account/activity", "session", {
  summary:
    "The audit log of the caller's account, newest first: sign-ins, payments, deletions, downloads, and shares.",
  query: z.object({
    /** `next` from the previous response. */
    before: z.optional(z.string()),
  }),
  answers: {
    200: z.object({
      entries: z.array(activityEntry),
      /** What to send as `before` for older entries; null when there are none. */
      next: z.nullable(z.string()),
      kept_days: z.int(),
    }),
  },
});
