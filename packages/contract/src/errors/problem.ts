import * as z from "zod/mini";

/** RFC 9457 problem details with the product's `error` sentence and a stable `code` as extension members. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  error: z.string(),
  code: z.string(),
  detail: z.optional(z.string()),
});
export type Problem = z.infer<typeof problem>;
