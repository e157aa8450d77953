import { errorCodes, type FastifyInstance } from "fastify";
import { ApiError } from "./api-error.ts";

/** Far deeper than any client nests, far shallower than what overflows a stack, ours or PostgreSQL's. */
const DEEPEST = 100;

/**
 * Bodies are JSON. Many clients announce a JSON body with every call, even calls without one (POST
 * /reactivate-subscription, DELETE), so an empty body counts as no body, whatever its content type.
 */
export function acceptBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser<string>(
    "application/json",
    { parseAs: "string" },
    (request, body, done) => {
      if (body === "") done(null, undefined);
      // It reports its result through the callback; there is nothing to await.
      else void parseJson(request, body, (error, value) => done(error ?? tooDeep(value), value));
    },
  );
  app.addContentTypeParser<string>("*", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers["content-type"]));
  });
}

function tooDeep(value: unknown): ApiError | null {
  if (!isDeeperThan(DEEPEST, value)) return null;
  return new ApiError(
    "invalid_request",
    `The request is not valid: its body is nested more than ${DEEPEST} levels deep.`,
  );
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // A loop, without copies of lists: outlines have hundreds of thousands of corners.
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (isDeeperThan(levels - 1, inner)) return true;
  }
  return false;
}
