import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

export const health = defineRoute("GET", "/health", "public", {
  summary:
    "Whether the API is alive. Responds within a second, even if the database does not. Also reports on database and workers.",
  answers: {
    200: z.object({
      status: z.enum(["ok", "degraded"]),
      version: z.string(),
      database: z.boolean(),
      workers: z.int(),
    }),
  },
});

/** What an API needs to accept requests. */
export const READINESS_PARTS = ["database", "migrations", "storage"] as const;
export type ReadinessPart = (typeof READINESS_PARTS)[number];

const readiness = z.object({
  status: z.enum(["ready", "not_ready", "stopping"]),
  version: z.string(),
  /** What keeps it from accepting requests. */
  failing: z.array(z.enum(READINESS_PARTS)),
});

export const ready = defineRoute("GET", "/ready", "public", {
  summary:
    "Whether the API can accept requests: its database responds and has this version's tables, and its storage is readable and writable. 503 says what fails, or that the API is stopping.",
  answers: { 200: readiness, 503: readiness },
});
