import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

export const health = defineRoute({
  method: "GET",
  path: "/health",
  access: "public",
  summary: "Whether the API, its database and at least one worker are up.",
  answers: {
    200: z.object({
      status: z.enum(["ok", "degraded"]),
      version: z.string(),
      database: z.boolean(),
      workers: z.int(),
    }),
  },
});
