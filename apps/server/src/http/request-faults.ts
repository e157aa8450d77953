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
