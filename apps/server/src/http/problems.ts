import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { isDiskFull } from "@stipple/pipeline/errors";
import { DatabaseAwayError, missingParent } from "../db/database.ts";
import { DamagedFileError, FileReplacedError } from "../storage/damage-errors.ts";
import { isStorageAway } from "../storage/storage-away.ts";
import { ApiError, problemOf } from "./api-error.ts";
import { requestFault } from "./request-faults.ts";

/** Turns an error that a handler threw into problem details. */
export function errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = refusalOf(error, request);
  if (answer.retryAfter !== undefined) void reply.header("retry-after", answer.retryAfter);
  if (answer.fileSize !== undefined) {
    void reply.header("content-range", `bytes */${answer.fileSize}`);
  }
  if (answer.allowed !== undefined) void reply.header("allow", answer.allowed.join(", "));
  void reply
    .code(answer.status)
    .header("cache-control", "no-store")
    .type("application/problem+json")
    .send(JSON.stringify(problemOf(answer)));
}

/** What the caller sees of an error. What is wrong on our side is logged and never shown. */
export function refusalOf(error: unknown, request: FastifyRequest): ApiError {
  const refusal = expected(error) ?? new ApiError("internal", undefined, { cause: error });
  if (refusal.status >= 500 && refusal.cause !== undefined) {
    request.log.error({ err: refusal.cause }, "request failed");
  }
  return refusal;
}

function expected(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // Also where it is the database that has no space left.
  if (isDiskFull(error)) return new ApiError("storage_full", undefined, { cause: error });
  if (error instanceof DatabaseAwayError) {
    return new ApiError("database_away", undefined, { cause: error, retryAfter: 5 });
  }
  if (isStorageAway(error)) {
    return new ApiError("storage_away", undefined, { cause: error, retryAfter: 5 });
  }
  if (error instanceof DamagedFileError) {
    return new ApiError("file_damaged", error.message, { cause: error });
  }
  if (error instanceof FileReplacedError) {
    return new ApiError("results_not_ready", undefined, { cause: error });
  }
  const vanished = missingParent(error);
  if (vanished) return new ApiError(vanished, undefined, { cause: error });
  const { statusCode, code } = error as Partial<FastifyError>;
  if (statusCode === 429) return new ApiError("rate_limited");
  if (statusCode === 413 || code === "FST_REQ_FILE_TOO_LARGE") {
    return new ApiError("upload_too_large", "The request is larger than this address accepts.");
  }
  // A path that leads out of the folder of the pages.
  if (statusCode === 403) return new ApiError("not_found");
  if (statusCode === 416) {
    // Of a file of the pages: "bytes */1234".
    const range = (error as { headers?: Record<string, string> }).headers?.["Content-Range"];
    return new ApiError("range_beyond_end", undefined, { fileSize: Number(range?.split("/")[1]) });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return requestFault(code);
  return undefined;
}
