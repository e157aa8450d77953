import { isUtf8 } from "node:buffer";
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
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    (request, body, done) => {
      if (body.length === 0) return done(null, undefined);
      // Names in another encoding would be stored with other letters, and passwords would be other ones.
      if (!isUtf8(body)) return done(notValid("must be in UTF-8 and not compressed"));
      // It reports its result through the callback; there is nothing to await.
      void parseJson(request, body.toString(), (error, value) =>
        done(error ?? tooDeep(value), value),
      );
    },
  );
  app.addContentTypeParser<string>("*", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers["content-type"]));
  });
}

function tooDeep(value: unknown): ApiError | null {
  return isDeeperThan(DEEPEST, value)
    ? notValid(`is nested more than ${DEEPEST} levels deep`)
    : null;
}

function notValid(what: string): ApiError {
  return new ApiError("invalid_request", `The request is not valid: its body ${what}.`);
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
