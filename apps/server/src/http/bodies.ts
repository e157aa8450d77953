import { errorCodes, type FastifyInstance } from "fastify";

/**
 * Bodies are JSON. Many clients announce one with every call, also with those that have none (POST
 * /reactivate-subscription, DELETE): an empty body is no body, whatever it is announced as.
 */
export function acceptBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser<string>(
    "application/json",
    { parseAs: "string" },
    (request, body, done) => {
      if (body === "") done(null, undefined);
      // It calls back, and has nothing to be waited for.
      else void parseJson(request, body, done);
    },
  );
  app.addContentTypeParser<string>("*", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers["content-type"]));
  });
}
