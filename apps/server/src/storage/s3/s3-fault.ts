import type { StorageSettings } from "../open-storage.ts";
import { bucketOf } from "./client.ts";

const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPROTO|ERR_TLS.*|CERT_.*|DEPTH_ZERO.*|SELF_SIGNED.*|UNABLE_TO.*)$/;

/** What an error of the SDK means to whoever set the storage up, and what to do about it. */
export function s3Fault({ address, s3 }: StorageSettings, action: string, error: unknown): string {
  const { bucket } = bucketOf(address);
  const server = s3.endpoint ?? "Amazon S3";
  const { name, message, code, $metadata } = error as {
    name: string;
    message: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  if (name === "TimeoutError" || (code !== undefined && UNREACHABLE.test(code))) {
    return `No S3 server responds at ${server} (${code ?? name}): start it, or correct STIPPLE_S3_ENDPOINT.`;
  }
  if (/region is missing/i.test(message)) {
    return "The bucket's region is unknown: set STIPPLE_S3_REGION.";
  }
  if (name === "CredentialsProviderError") {
    return "No credentials for S3 were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.";
  }
  if (/^(InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken)$/.test(name)) {
    return `${server} rejects the credentials (${name}): correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
  }
  if (name === "NoSuchBucket" || name === "InvalidBucketName") {
    return `There is no bucket ${bucket} at ${server}: create it, or correct STIPPLE_STORAGE.`;
  }
  if (/^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraint.*)$/.test(name)) {
    return `The bucket ${bucket} is in a different region than ${s3.region ?? "the one set"}: correct STIPPLE_S3_REGION.`;
  }
  if (name === "AccessDenied" || status === 403) {
    return `The credentials may not ${action} the bucket ${bucket} at ${server}: give them permission to get, put, list, and delete objects and to list and abort multipart uploads.`;
  }
  if (
    (status !== undefined && status < 300) ||
    /^(SyntaxError|UnknownError|Unknown)$/.test(name) ||
    /deserializ|parse/i.test(message)
  ) {
    return `${server} does not respond like an S3 server (${status ? `status ${status}` : name}): correct STIPPLE_S3_ENDPOINT.`;
  }
  return `Stipple cannot ${action} the bucket ${bucket} at ${server}: ${message} (${name}).`;
}
