import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import { HELP_PAGE_NAMES } from "@stipple/contract/help-pages";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../http/api-error.ts";
import type { MountedMethods } from "../http/mounted-methods.ts";
import { errorHandler } from "../http/problems.ts";

/**
 * Addresses of the pages; capitals are accepted, as by the router of the pages. Everything else that is not a file is the
 * not-found page, with status 404.
 */
const PAGES = new Set([
  "/",
  "/about",
  "/services",
  "/contact",
  "/login",
  "/register",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/terms",
  "/privacy",
  "/success",
  "/validation",
  "/dashboard",
  "/profile",
  "/pricing",
  "/projects",
  "/studies",
  "/analysis",
  "/analysis/step1",
  "/analysis/step2",
  "/analysis/step3",
  "/analysis/step4",
  "/report",
  "/help",
  ...HELP_PAGE_NAMES.map((name) => `/help/${name}`),
]);
const NAMED_PAGE =
  /^\/((visualization|stud(y|ies))\/[^/]+|studies\/[^/]+\/samples|stud(y|ies)\/[^/]+\/view)$/i;

/** Serves the built pages. Without a build the API works all the same and pages answer with a hint. */
export async function serveWebApp(
  app: FastifyInstance,
  webDir: string,
  mounted: MountedMethods,
): Promise<void> {
  const index = join(webDir, "index.html");
  const assets = join(webDir, "assets") + sep;
  await app.register(fastifyStatic, {
    root: webDir,
    // The build may come (or come again) while the server runs, so files are looked up at each request.
    wildcard: true,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Names in assets/ carry a hash of their content.
      const hashed = path.startsWith(assets);
      void reply.header(
        "cache-control",
        hashed ? "public, max-age=31536000, immutable" : "no-cache",
      );
    },
  });

  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = request.url.split("?", 1)[0] ?? "/";
    if (path === "/api" || path.startsWith("/api/") || !isRead(request.method)) {
      errorHandler(unknownCall(request.method, path, mounted.at(path)), request, reply);
      return reply;
    }
    if (!existsSync(index)) {
      return reply
        .code(404)
        .type("text/plain; charset=utf-8")
        .send("The pages have not been built: run npm run build. The API is at /api.\n");
    }
    const trimmed = path.length > 1 ? path.replace(/\/$/, "") : path;
    const known = PAGES.has(trimmed.toLowerCase()) || NAMED_PAGE.test(trimmed);
    return reply
      .code(known ? 200 : 404)
      .header("cache-control", "no-cache")
      .headers(known ? {} : { "x-robots-tag": "noindex" })
      .type("text/html; charset=utf-8")
      .send(await readFile(index));
  };
  app.get("/", page);
  app.setNotFoundHandler(page);
}

function unknownCall(method: string, path: string, allowed: string[]): ApiError {
  const what = `${method} ${shortened(path)}`;
  // An address that looks like one that is there may have a part that is too long for any.
  if (allowed.length === 0 || allowed.includes(method)) {
    return new ApiError("not_found", `There is no ${what}.`);
  }
  return new ApiError(
    "method_not_allowed",
    `There is no ${what}: this address supports ${allowed.join(" and ")}.`,
    { allowed },
  );
}

function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
