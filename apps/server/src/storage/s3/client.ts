import { S3Client } from "@aws-sdk/client-s3";
import type { StorageSettings } from "../open-storage.ts";

/** Timeout for the connection. */
const CONNECT_MS = 5_000;
/** Timeout for the start of a response; uploading a part may take a while over a slow connection. */
const ANSWER_MS = 120_000;
/** Timeout for an idle download, long enough for a reader to pause. */
const IDLE_MS = 300_000;
const ATTEMPTS = 5;
const CONNECTIONS = 100;

export function s3Client(settings: StorageSettings["s3"]): S3Client {
  const { endpoint } = settings;
  return new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    // Servers other than Amazon's take any region, but the signature needs one.
    ...(settings.region === undefined
      ? endpoint === undefined
        ? {}
        : { region: "us-east-1" }
      : { region: settings.region }),
    ...(settings.credentials ? { credentials: settings.credentials } : {}),
    forcePathStyle: settings.pathStyle,
    maxAttempts: ATTEMPTS,
    // The newer checksums are not known to every server; signatures guard what is sent.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_MS,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
  });
}

/** `s3://BUCKET/PREFIX` → bucket, and what is before every key. */
export function bucketOf(address: string): { bucket: string; root: string } {
  const [bucket = "", ...rest] = address.slice("s3://".length).split("/");
  const prefix = rest.filter((segment) => segment !== "").join("/");
  return { bucket, root: prefix === "" ? "" : `${prefix}/` };
}
