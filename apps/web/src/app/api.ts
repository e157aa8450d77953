import type { Problem, Route } from "@stipple/contract";
import type * as z from "zod/mini";
import { announceSessionExpired } from "./session-events.ts";
import { storedToken } from "./token.ts";

export { announceSessionExpired };

/** The API refused: `error` is the sentence to show, `code` the stable reason (see the contract's error catalog). */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly error: string;
  constructor(status: number, code: string, error: string) {
    super(error);
    this.status = status;
    this.code = code;
    this.error = error;
  }
}

/** No response arrived: offline, refused, or interrupted. Browsers word this differently, so it has its own class. */
export class NetworkError extends Error {
  override name = "NetworkError";
}

type Values = Record<string, string | number | undefined>;
type Part<R extends Route, K extends "params" | "query" | "body"> = R[K] extends z.ZodMiniType
  ? { [P in K]: z.input<R[K]> }
  : { [P in K]?: never };
type PathPart<R extends Route> = R["path"] extends `${string}*`
  ? {
      params: { "*": string } & (R["params"] extends z.ZodMiniType ? z.input<R["params"]> : object);
    }
  : Part<R, "params">;

/** What a call needs, derived from the route; a route without a body schema may carry FormData. */
export type Call<R extends Route> = PathPart<R> &
  Part<R, "query"> &
  (R["body"] extends z.ZodMiniType ? Part<R, "body"> : { body?: FormData }) & {
    signal?: AbortSignal;
    headers?: Readonly<Record<string, string>>;
  };

/** The JSON in a route's success responses. */
export type Answer<R extends Route> = {
  [S in keyof R["answers"]]: R["answers"][S] extends z.ZodMiniType
    ? z.output<R["answers"][S]>
    : never;
}[keyof R["answers"]];

interface LooseCall {
  params?: Values;
  query?: Values;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

/** Address of a call below /api; `*` in a path takes a file path, encoded segment by segment. */
export function apiUrl(
  route: Pick<Route, "path">,
  { params = {}, query = {} }: { params?: Values; query?: Values } = {},
): string {
  const path = route.path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? "")))
    .replace("*", () =>
      String(params["*"] ?? "")
        .split("/")
        .map(encodeURIComponent)
        .join("/"),
    );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const suffix = search.size > 0 ? `?${search}` : "";
  return `/api${path}${suffix}`;
}

/** The bearer header of the signed-in person, or none: for calls that cannot go through `api` (upload progress). */
export function bearerHeader(): Record<string, string> {
  const token = storedToken();
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Turns a refusal into an ApiError: the response's `error` sentence, or `HTTP n`. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
  const sentence = problem?.error ?? problem?.detail ?? "";
  return new ApiError(response.status, problem?.code ?? "", sentence);
}

/**
 * Makes a call and returns the whole response, for files and images and when the status matters (202). Throws ApiError
 * on a refusal, NetworkError without a response, and the signal's reason when aborted.
 */
export async function apiResponse<R extends Route>(
  route: R,
  ...[call]: object extends Call<R> ? [call?: Call<R>] : [call: Call<R>]
): Promise<Response> {
  const { params, query, body, signal, ...more } = (call ?? {}) as LooseCall;
  const token = route.access === "session" ? storedToken() : null;
  const headers: Record<string, string> = {
    ...more.headers,
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  if (route.accept) headers.Accept = route.accept;
  const init: RequestInit = { method: route.method, headers };
  if (signal) init.signal = signal;
  if (body instanceof FormData) init.body = body;
  else if (body !== undefined) {
    init.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  let response: Response;
  try {
    response = await fetch(
      apiUrl(route, { ...(params && { params }), ...(query && { query }) }),
      init,
    );
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new NetworkError("No connection to the server.", { cause });
  }
  if (response.ok) return response;
  // The session refresh handles its own 401; any other one means that the session ended while a page was open.
  if (response.status === 401 && token && route.path !== "/verify-subscription") {
    if (token === storedToken()) announceSessionExpired();
  }
  throw await apiErrorOf(response);
}

/** Makes a call of the contract and returns its JSON response. Errors as `apiResponse`. */
export async function api<R extends Route>(
  route: R,
  ...call: object extends Call<R> ? [call?: Call<R>] : [call: Call<R>]
): Promise<Answer<R>> {
  const response = await apiResponse(route, ...call);
  return (await response.json()) as Answer<R>;
}

/** What to say of a failure that the server says nothing about. */
export const CONNECTION_ERROR = "Connection error. Please try again.";

/** The sentence to show for any failure: the server's, or `fallback`. */
export function errorText(error: unknown, fallback = CONNECTION_ERROR): string {
  return error instanceof ApiError && error.error ? error.error : fallback;
}
