import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

export const health = defineRoute({
  method: "GET",
  path: "/health",
  access: "public",
  summary:
    "Whether the API is alive: it answers within a second, whatever its database does. Also tells of its database and workers.",
  answers: {
    200: z.object({
      status: z.enum(["ok", "degraded"]),
      version: z.string(),
      database: z.boolean(),
      workers: z.int(),
    }),
  },
});

/** What an API needs to take requests. */
export const READINESS_PARTS = ["database", "migrations", "storage"] as const;
export type ReadinessPart = (typeof READINESS_PARTS)[number];

const readiness = z.object({
  status: z.enum(["ready", "not_ready", "stopping"]),
  version: z.string(),
  /** What keeps it from taking requests. */
  failing: z.array(z.enum(READINESS_PARTS)),
});

export const ready = defineRoute({
  method: "GET",
  path: "/ready",
  access: "public",
  summary:
    "Whether the API can take requests: its database answers, has the tables of this version, and its storage can be written and read. 503 names what fails, or that the API is being stopped.",
  answers: { 200: readiness, 503: readiness },
});
