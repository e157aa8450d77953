import type * as z from "zod/mini";
import type { core } from "zod/mini";
import { valueFault } from "@stipple/pipeline/parameters";
import { ApiError } from "./api-error.ts";

/**
 * What is wrong with a request that fails before reaching any route, by the codes of fastify and Node's HTTP parser.
 */
const FAULTS: Record<string, string> = {
  FST_ERR_BAD_URL: "its URL is not valid",
  FST_ERR_CTP_INVALID_JSON_BODY: "its body is not JSON",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "its body must be JSON (application/json)",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "the length of its body does not match its content-length",
  FST_INVALID_MULTIPART_CONTENT_TYPE: "it must be a form with a file (multipart/form-data)",
  HPE_HEADER_OVERFLOW: "its URL and headers together exceed 16 KiB",
};

/** The refusal of a malformed request. Library messages are not meant for users. */
export function requestFault(code: string | undefined): ApiError {
  const what = FAULTS[code ?? ""];
  return new ApiError("invalid_request", what && `The request is not valid: ${what}.`);
}

/** Longer than any list that a call takes. */
const LONGEST_LIST = 100_000;

/**
 * Judges a value by a schema of the contract. Refuses one with more faults than can be listed: for each entry of a list
 * that does not fit, the library takes memory and time, and fails above some hundred thousand.
 */
export function judged<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
): z.core.util.SafeParseResult<z.output<S>> {
  for (const [name, part] of Object.entries(Object(value) as object)) {
    if (Array.isArray(part) && part.length > LONGEST_LIST) throw tooMany(`${name} has`);
  }
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (error instanceof RangeError) throw tooMany("its lists have");
    throw error;
  }
}

function tooMany(what: string): ApiError {
  return new ApiError("invalid_request", `The request is not valid: ${what} too many entries.`);
}

/** Says in a sentence what part of a value does not fit the contract's schema, and how. */
export function schemaFault(issue: core.$ZodIssue | undefined, value: unknown): ApiError {
  const place = issue?.path.join(".") ?? "";
  const part = place === "" ? "its content" : place.length > 80 ? `${place.slice(0, 80)}…` : place;
  return new ApiError(
    "invalid_request",
    `The request is not valid: ${part} ${faultOf(issue, value)}.`,
  );
}

function faultOf(issue: core.$ZodIssue | undefined, value: unknown): string {
  if (issue && at(value, issue.path) === undefined) return "is missing";
  return valueFault(issue);
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}
