import { ERRORS, type ErrorCode, type Problem } from "@stipple/contract";
import { presentable } from "@stipple/pipeline/errors";

/** An expected refusal. `message` is meant for users: the error catalog's own sentence, or a more specific one. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined;
  /** Size of the file whose requested range is past its end. */
  readonly fileSize: number | undefined;
  /** The methods an address supports, if it was called with another. */
  readonly allowed: readonly string[] | undefined;
  constructor(
    code: ErrorCode,
    message?: string,
    options: ErrorOptions & {
      retryAfter?: number;
      fileSize?: number;
      allowed?: readonly string[];
    } = {},
  ) {
    super(message ?? ERRORS[code].error, options);
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.fileSize = options.fileSize;
    this.allowed = options.allowed;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** For a user whose row is missing: the account was deleted during one of its calls. */
export function accountGone(): ApiError {
  return new ApiError("session_expired");
}

/** The RFC 9457 body of an error. */
export function problemOf(error: ApiError): Problem {
  return {
    type: `urn:stipple:error:${error.code}`,
    title: ERRORS[error.code].error,
    status: error.status,
    error: presentable(error.message),
    code: error.code,
  };
}
