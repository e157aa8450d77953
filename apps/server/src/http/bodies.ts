import { errorCodes, type FastifyInstance } from "fastify";

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
      else void parseJson(request, body, done);
    },
  );
  app.addContentTypeParser<string>("*", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers["content-type"]));
  });
}
