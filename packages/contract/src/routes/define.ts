import type * as z from "zod/mini";

/** Who may call: anyone, a signed-in person, or the holder of a signed link to a view or a download. */
export type Access = "public" | "session" | "visualization" | "study_link" | "download";

/** One call of the API. Server handlers, the web client and docs/openapi.json all derive from these objects. */
export interface Route {
  method: "GET" | "POST" | "DELETE";
  /** Path below /api, with `:name` parameters. */
  path: string;
  access: Access;
  summary: string;
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** Media type of a success response that is not JSON, if callers must request it by name. */
  accept?: string;
  /** Success responses by status; null = the body is not JSON (a file, an image). */
  answers: Record<number, z.ZodMiniType | null>;
}

export function defineRoute<const R extends Route>(route: R): R {
  return route;
}
