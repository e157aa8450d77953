import type * as z from "zod/mini";
import { hash } from "node:crypto";
import { Readable } from "node:stream";
import type { Route } from "@stipple/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import type { ReadWithSession, Session, VerifySession } from "../access/session.ts";
import { UUID } from "../db/uuid.ts";
import { ApiError } from "./api-error.ts";
import { freeSentChunks } from "./free-sent-chunks.ts";
import { matchesEtag } from "./matches-etag.ts";
import type { MountedMethods } from "./mounted-methods.ts";
import { judged, schemaFault } from "./request-faults.ts";
import { sendJson } from "./send-json.ts";
import { whileServing } from "./caller.ts";
import type { OpenedResults, ResultsGate } from "../access/opened-results.ts";

type Parsed<R, K extends "params" | "query" | "body"> =
  R extends Record<K, infer S extends z.ZodMiniType> ? z.output<S> : undefined;

/** A body that is not JSON. Chunks of a stream belong to the answer: their memory is freed once they are sent. */
export interface FileAnswer {
  status: 200 | 206 | 304;
  headers: Record<string, string | number>;
  body: Readable | Uint8Array | null;
}

/** What a handler of route R may answer: a status of the contract with its body. */
export type Answer<R extends Route> = {
  [S in keyof R["answers"]]: R["answers"][S] extends z.ZodMiniType
    ? {
        status: S;
        body: z.input<R["answers"][S]>;
        setCookie?: string;
        /**
         * Whether the response depends only on what was read along with the session: callers that have it get a 304.
         */
        isOfWhatWasRead?: boolean;
      }
    : FileAnswer;
}[keyof R["answers"]];

export interface Call<R extends Route> {
  params: Parsed<R, "params">;
  query: Parsed<R, "query">;
  body: Parsed<R, "body">;
  /** Who calls, on routes with access "session". */
  session: R["access"] extends "session" ? Session : null;
  /** On routes that hand out results: what the caller's plan or link has let it into. */
  results: OpenedResults<R>;
  /** For what is not in the contract: streams, headers, the wildcard of a path. */
  request: FastifyRequest;
}

export interface MountOptions<Beside = unknown> {
  /**
   * What the handler receives as `beside`. It is read in the session's own query, because pages poll often and each
   * query costs time. `projectId` extracts the requested project; without it, there is none.
   */
  beside?: { read: ReadWithSession<Beside>; projectId?: (request: FastifyRequest) => unknown };
  /** Turns a body that does not fit the schema into the sentence that this route promises. */
  explain?: (issues: readonly z.core.$ZodIssue[], body: unknown) => ApiError | undefined;
  rateLimit?: { max: number; timeWindow: string };
  /** If it may be larger than other calls' bodies. */
  largestBodyBytes?: number;
}

/** Mounts contract routes on a fastify instance: session, validation, access to results, typed answers. */
export type Mount = <R extends Route, Beside = undefined>(
  route: R,
  handler: (call: Call<R> & { beside: Beside }) => Promise<Answer<R>> | Answer<R>,
  options?: MountOptions<Beside>,
) => void;

export function routeAdapter(
  app: FastifyInstance,
  { verify, gate, mounted }: { verify: VerifySession; gate: ResultsGate; mounted: MountedMethods },
): Mount {
  return (route, handler, options = {}) => {
    mounted.add(route.method, route.path);
    const settings: RouteShorthandOptions = options.rateLimit
      ? { config: { rateLimit: options.rateLimit } }
      : {};
    if (options.largestBodyBytes !== undefined) settings.bodyLimit = options.largestBodyBytes;
    app.route({
      ...settings,
      method: route.method,
      url: `/api${route.path}`,
      // fastify's own validation is not used: the contract's schemas are zod's.
      handler: (request, reply) =>
        whileServing(request, async () => {
          const known =
            route.access === "session"
              ? await verify(bearerToken(request), besideOf(options, request))
              : null;
          const session = known?.session ?? null;
          request.personId = session?.userId ?? null;
          const read = known?.beside ?? null;
          if (read !== null && matchesEtag(request, tagOf(read))) {
            return reply
              .code(304)
              .headers({ "cache-control": "no-store", etag: tagOf(read) })
              .send();
          }
          const asked = {
            params: parse(route.params, withoutNulls(request.params), options),
            query: parse(route.query, withoutNulls(request.query), options),
            body: parse(route.body, request.body, options),
            session,
          };
          const call = {
            ...asked,
            results: await gate(route, asked),
            request,
            beside: read === null ? undefined : (JSON.parse(read) as unknown),
          } as unknown as Parameters<typeof handler>[0];
          const answer = await handler(call);
          if (read !== null && "isOfWhatWasRead" in answer && answer.isOfWhatWasRead) {
            void reply.header("etag", tagOf(read));
          }
          return send(route, answer, reply);
        }),
    });
  };
}

/** What is read along with the session of a request; nothing about a project if its id is not valid. */
function besideOf(
  { beside }: MountOptions,
  request: FastifyRequest,
): { read: ReadWithSession<unknown>; projectId: string | null } | undefined {
  if (!beside) return undefined;
  const id = beside.projectId?.(request);
  return { read: beside.read, projectId: typeof id === "string" && UUID.test(id) ? id : null };
}

/**
 * Only responses that depend on nothing but what was read get a tag: a caller that sends it has exactly that response.
 */
function tagOf(read: string): string {
  return `"${hash("sha256", read, "base64url")}"`;
}

/**
 * Parameters as PostgreSQL can compare them: it refuses null characters, which no id or name contains. Their replacement
 * is not in any id either.
 */
function withoutNulls(params: unknown): unknown {
  if (typeof params !== "object" || params === null) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" ? value.replaceAll("\0", "\ufffd") : (value as unknown),
    ]),
  );
}

function parse(
  schema: z.ZodMiniType | undefined,
  value: unknown,
  options: Pick<MountOptions, "explain">,
): unknown {
  if (!schema) return undefined;
  const parsed = judged(schema, value ?? undefined);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const given = withoutUnset(value, issues);
  if (given !== value) return parse(schema, given, options);
  throw options.explain?.(issues, value) ?? schemaFault(issues[0], value);
}

/**
 * A value without its parts that are null and may not be: what is not set, many clients write as null. A null in place
 * of a number stays, because JSON has no other word for NaN.
 */
function withoutUnset(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const others = issues.filter((issue) => !("expected" in issue && issue.expected === "number"));
  const faulty = new Set(others.map(({ path }) => path.join(".")));
  const parts = Object.entries(Object(value) as object);
  const given = parts.filter(([name, part]) => part !== null || !faulty.has(name));
  return given.length < parts.length ? Object.fromEntries(given) : value;
}

function send(
  route: Route,
  answer: FileAnswer | { status: unknown; body: unknown; setCookie?: string },
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const status = Number(answer.status);
  if ("headers" in answer) {
    if (answer.body instanceof Readable) {
      // Only its headers are wanted; fastify would read it to its end.
      if (reply.request.method === "HEAD") answer.body.destroy();
      else freeSentChunks(answer.body, reply.raw);
    }
    return reply
      .code(status)
      .headers(answer.headers)
      .send(answer.body ?? undefined);
  }
  const schema = route.answers[status];
  if (!schema) throw new Error(`${route.path} does not declare the answer ${status}`);
  if (answer.setCookie !== undefined) void reply.header("set-cookie", answer.setCookie);
  // Parsing strips whatever the contract does not name, so nothing internal leaks.
  void reply.code(status).header("cache-control", "no-store");
  return sendJson(reply, schema.parse(answer.body));
}

function bearerToken(request: FastifyRequest): string {
  const match = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "");
  if (!match?.[1]) throw new ApiError("unauthenticated");
  return match[1];
}

/** The answer 200 with a body, which may still be on its way. */
export async function ok<B>(body: B | Promise<B>): Promise<{ status: 200; body: B }> {
  return { status: 200, body: await body };
}
