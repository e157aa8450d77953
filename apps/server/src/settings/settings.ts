import { proxies } from "./trusted-proxies.ts";
import { LOG_FORMATS, type LogFormat } from "./log-formats.ts";
import { anyText, flag, oneOf, textOf, webAddress, wholeNumber, type Kind } from "./kinds.ts";

/** Commands that read a setting; `serve` also passes everything on to the API and the worker it starts. */
export type Reader = "serve" | "api" | "worker";

export interface Setting<T, F> {
  kind: Kind<T>;
  /** Default. If undefined, `otherwise` says what happens. */
  fallback: F;
  otherwise?: string;
  readBy: readonly Reader[];
  meaning: string;
  /** Never printed. */
  secret?: boolean;
}

function setting<T>(of: Setting<T, T>): Setting<T, T>;
function setting<T>(of: Omit<Setting<T, undefined>, "fallback">): Setting<T, undefined>;
function setting<T>(of: Omit<Setting<T, T | undefined>, "fallback"> & { fallback?: T }): unknown {
  return { fallback: undefined, ...of };
}

const ALL: readonly Reader[] = ["serve", "api", "worker"];
const WEB: readonly Reader[] = ["serve", "api"];
const WORK: readonly Reader[] = ["serve", "worker"];
const perMinute = (fallback: number, what: string): Setting<number, number> =>
  setting({
    kind: wholeNumber(1),
    fallback,
    readBy: WEB,
    meaning: `${what} per minute and address, across all API processes.`,
  });

/** Every setting of the product, by section and environment variable. */
export const SECTIONS = {
  Addresses: {
    PORT: setting({
      kind: wholeNumber(0, 65_535),
      fallback: 3000,
      readBy: WEB,
      meaning: "Port for the web pages and the API.",
    }),
    HOST: setting({
      kind: anyText,
      fallback: "localhost",
      readBy: WEB,
      meaning: "Address to listen on; `0.0.0.0` for all interfaces.",
    }),
    STIPPLE_PUBLIC_URL: setting({
      kind: webAddress,
      otherwise: "`http://localhost:PORT`",
      readBy: ALL,
      meaning: "URL at which browsers reach the platform; used for links in emails.",
    }),
    STIPPLE_TRUST_PROXY: setting({
      kind: proxies,
      fallback: false,
      readBy: WEB,
      meaning:
        "Trusted proxies in front, whose `X-Forwarded-For` is used: their number or their addresses. With a number, only the proxies may reach the port. Without it, everyone behind a proxy counts as one address and shares the per-minute limits.",
    }),
    STIPPLE_WEB_DIR: setting({
      kind: anyText,
      otherwise: "`apps/web/dist`",
      readBy: WEB,
      meaning: "Folder with the built web pages.",
    }),
  },
  Database: {
    DATABASE_URL: setting({
      kind: textOf("a postgresql:// address", /^postgres(ql)?:\/\//),
      otherwise: "`serve` starts its own PostgreSQL; `api` and `worker` require it",
      readBy: ALL,
      meaning:
        "PostgreSQL server and database. Must be the same for every process of an installation.",
      secret: true,
    }),
    STIPPLE_MIGRATE: setting({
      kind: flag,
      fallback: true,
      readBy: WEB,
      meaning:
        "Whether the API migrates the database to the newest schema when it starts. With `false`, its account does not need permission to change tables; run `stipple migrate` instead.",
    }),
    STIPPLE_API_CONNECTIONS: setting({
      kind: wholeNumber(4, 500),
      fallback: 20,
      readBy: WEB,
      meaning: "Maximum database connections per API process.",
    }),
    STIPPLE_WORKER_CONNECTIONS: setting({
      kind: wholeNumber(8, 500),
      fallback: 10,
      readBy: WORK,
      meaning: "Maximum database connections per worker.",
    }),
  },
  Files: {
    STIPPLE_DATA_DIR: setting({
      kind: anyText,
      fallback: ".stipple",
      readBy: ALL,
      meaning:
        "Folder for `serve`'s database, logs, the generated secret and, without `STIPPLE_STORAGE`, uploads and results. With S3, only for temporary files.",
    }),
    STIPPLE_STORAGE: setting({
      kind: textOf("file:DIR or s3://BUCKET/PREFIX", /^(file:.+|s3:\/\/[^/]+(\/.*)?)$/),
      otherwise: "`file:` with the folder `files` in the data folder",
      readBy: ALL,
      meaning:
        "Where uploads and results are stored: `file:DIR` or `s3://BUCKET/PREFIX`. Must be the same for every process; a folder must be shared between machines.",
    }),
    STIPPLE_S3_ENDPOINT: setting({
      kind: webAddress,
      otherwise: "Amazon's",
      readBy: ALL,
      meaning: "URL of an S3-compatible server.",
    }),
    STIPPLE_S3_REGION: setting({
      kind: anyText,
      otherwise: "from the SDK's default sources (`AWS_REGION`)",
      readBy: ALL,
      meaning: "Region of the bucket.",
    }),
    STIPPLE_S3_PATH_STYLE: setting({
      kind: flag,
      fallback: false,
      readBy: ALL,
      meaning: "Whether URLs have the form `endpoint/bucket/key` instead of `bucket.endpoint/key`.",
    }),
    STIPPLE_S3_ENCRYPTION: setting({
      kind: textOf("AES256, aws:kms or aws:kms:KEY", /^(AES256|aws:kms(:.+)?)$/),
      otherwise: "the bucket's default",
      readBy: ALL,
      meaning: "Server-side encryption: `AES256`, `aws:kms` or `aws:kms:KEY`.",
    }),
    AWS_ACCESS_KEY_ID: setting({
      kind: anyText,
      otherwise: "from the SDK's default sources",
      readBy: ALL,
      meaning:
        "Access key for the bucket. Without it, the SDK uses its default sources: profile or machine role.",
    }),
    AWS_SECRET_ACCESS_KEY: setting({
      kind: anyText,
      otherwise: "from the SDK's default sources",
      secret: true,
      readBy: ALL,
      meaning: "Secret of the access key.",
    }),
    AWS_SESSION_TOKEN: setting({
      kind: anyText,
      otherwise: "none",
      secret: true,
      readBy: ALL,
      meaning: "Session token of a temporary key.",
    }),
    STIPPLE_MAX_UPLOAD_GB: setting({
      kind: wholeNumber(1),
      fallback: 64,
      readBy: WEB,
      meaning: "Largest file that can be uploaded, in GB.",
    }),
  },
  Access: {
    STIPPLE_SECRET: setting({
      kind: textOf("at least 32 characters", /^.{32,}$/s),
      otherwise: "generated once and kept in the data folder",
      readBy: ALL,
      meaning:
        "Signs sessions and links. Must be the same for every process of an installation; required on more than one machine.",
      secret: true,
    }),
    STIPPLE_SESSION_DAYS: setting({
      kind: wholeNumber(1),
      fallback: 7,
      readBy: WEB,
      meaning: "Days until users must sign in again.",
    }),
    STIPPLE_SIGNUPS_PER_MINUTE: perMinute(60, "Sign-ups"),
    STIPPLE_LOGINS_PER_MINUTE: perMinute(120, "Logins"),
    STIPPLE_RESETS_PER_MINUTE: perMinute(20, "Password reset requests"),
    STIPPLE_LOGIN_FAILURES: setting({
      kind: wholeNumber(1),
      fallback: 10,
      readBy: WEB,
      meaning:
        "Wrong passwords per 15 minutes and account; known devices and addresses are counted separately.",
    }),
    STIPPLE_RESETS_PER_HOUR: setting({
      kind: wholeNumber(1),
      fallback: 5,
      readBy: WEB,
      meaning: "Password reset requests per hour and email address.",
    }),
  },
  Analyses: {
    STIPPLE_THREADS: setting({
      kind: wholeNumber(1),
      otherwise: "all cores",
      readBy: ALL,
      meaning: "Threads per analysis step, and for studies.",
    }),
    STIPPLE_STEP_MEMORY_MB: setting({
      kind: wholeNumber(256),
      otherwise: "three quarters of the memory of the machine or its control group",
      readBy: WORK,
      meaning:
        "Memory that one analysis step may use. A step estimated to need more is refused before it starts.",
    }),
    STIPPLE_LIVE_EXAMPLE: setting({
      kind: flag,
      fallback: true,
      readBy: WEB,
      meaning:
        "Whether the landing page offers the results of the sample dataset to anyone. The first visitor who asks for them starts their analysis, which waits behind everyone else's.",
    }),
    STIPPLE_STEP_HOURS: setting({
      kind: wholeNumber(1),
      otherwise: "based on the input size, at least one hour",
      readBy: WORK,
      meaning: "Hours after which a step is stopped.",
    }),
  },
  Mail: {
    SMTP_URL: setting({
      kind: textOf("an smtp:// or smtps:// address", /^smtps?:\/\//),
      otherwise: "emails go to the payment sandbox's outbox page",
      readBy: ALL,
      meaning: "Mail server, e.g. `smtp://user:password@mail.example.org:587`.",
      secret: true,
    }),
    STIPPLE_MAIL_FROM: setting({
      kind: anyText,
      fallback: "Stipple <no-reply@localhost>",
      readBy: ALL,
      meaning: "Sender of emails.",
    }),
    STIPPLE_RUN_MAILS: setting({
      kind: flag,
      fallback: true,
      readBy: WORK,
      meaning:
        "Whether owners get an email when a run fails, and when a run of more than three minutes completes.",
    }),
    STIPPLE_PLAN_MAILS: setting({
      kind: flag,
      fallback: true,
      readBy: WEB,
      meaning: "Whether people get an email about payments, failed renewals, and cancellations.",
    }),
    STIPPLE_SIGN_IN_MAILS: setting({
      kind: flag,
      fallback: true,
      readBy: WEB,
      meaning: "Whether people get an email about a sign-in from a browser not used before.",
    }),
  },
  Payments: {
    STRIPE_SECRET_KEY: setting({
      kind: anyText,
      otherwise: "the payment sandbox, if it may run; otherwise nothing is sold",
      readBy: ALL,
      meaning: "Stripe's secret key, for real card payments.",
      secret: true,
    }),
    STRIPE_WEBHOOK_SECRET: setting({
      kind: anyText,
      otherwise: "required with the key",
      readBy: ALL,
      meaning: "Secret for the signatures of Stripe's webhooks.",
      secret: true,
    }),
    STIPPLE_PAYMENT_SANDBOX: setting({
      kind: flag,
      otherwise: "only if the platform can be reached only from this machine",
      readBy: ["serve"],
      meaning: "Whether `serve` starts the payment sandbox, which charges nothing.",
    }),
    STIPPLE_PAYMENT_SANDBOX_URL: setting({
      kind: webAddress,
      otherwise: "set by `serve`",
      readBy: ALL,
      meaning: "A Stripe-compatible provider to use instead of Stripe.",
    }),
    STIPPLE_OPERATOR_SECRET: setting({
      kind: anyText,
      otherwise: "generated once and kept in the data folder",
      readBy: ["serve"],
      meaning: "Opens the payment sandbox's outbox.",
      secret: true,
    }),
    STIPPLE_SANDBOX_CLOCK_DELETES: setting({
      kind: flag,
      fallback: false,
      readBy: ["serve"],
      meaning: "Whether moving the payment sandbox's clock may delete projects.",
    }),
  },
  Running: {
    NODE_ENV: setting({
      kind: anyText,
      otherwise: "`production` in `api` and `worker`",
      readBy: ALL,
      meaning: "`production` disables the payment sandbox.",
    }),
    STIPPLE_LOG_LEVEL: setting({
      kind: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
      fallback: "info",
      readBy: ALL,
      meaning: "Lowest level that is logged.",
    }),
    STIPPLE_LOG_FORMAT: setting<LogFormat>({
      kind: oneOf(...LOG_FORMATS),
      fallback: "auto",
      readBy: ALL,
      meaning:
        "Log format: `json` for programs, `text` for people, `auto` for text on a terminal and JSON elsewhere.",
    }),
    STIPPLE_LOG_FILE_MB: setting({
      kind: wholeNumber(1, 10_000),
      fallback: 20,
      readBy: ["serve"],
      meaning: "Size in MB at which log files in the data folder are rotated.",
    }),
    STIPPLE_LOG_FILES: setting({
      kind: wholeNumber(1, 1000),
      fallback: 5,
      readBy: ["serve"],
      meaning: "Rotated log files to keep per process.",
    }),
    STIPPLE_STOP_DELAY_SECONDS: setting({
      kind: wholeNumber(0, 600),
      fallback: 0,
      readBy: WEB,
      meaning:
        "Seconds a stopping API still accepts new requests while `/api/ready` returns 503, so that a load balancer can route them elsewhere.",
    }),
    STIPPLE_DRAIN_SECONDS: setting({
      kind: wholeNumber(0, 86_400),
      otherwise: "20; with `serve` 30 for the API, 2 for the worker",
      readBy: ALL,
      meaning:
        "Maximum seconds a stopping process waits for its work: an API for open requests, a worker for the current step. A worker then hands its run to another worker.",
    }),
  },
  Observing: {
    STIPPLE_METRICS_PORT: setting({
      kind: wholeNumber(1, 65_535),
      otherwise: "no metrics",
      readBy: ALL,
      meaning:
        "Port of the Prometheus metrics at `/metrics`. With `serve`, the API uses this port and the worker the next one.",
    }),
    STIPPLE_METRICS_HOST: setting({
      kind: anyText,
      fallback: "127.0.0.1",
      readBy: ALL,
      meaning:
        "Address the metrics listen on. If other machines can reach it, `STIPPLE_METRICS_TOKEN` is required.",
    }),
    STIPPLE_METRICS_TOKEN: setting({
      kind: textOf("at least 16 characters without spaces", /^\S{16,}$/),
      otherwise: "none; only this machine can read the metrics",
      secret: true,
      readBy: ALL,
      meaning: "Bearer token that Prometheus sends.",
    }),
    OTEL_EXPORTER_OTLP_ENDPOINT: setting({
      kind: webAddress,
      otherwise: "no traces",
      readBy: ALL,
      meaning: "URL of an OpenTelemetry collector (OTLP over HTTP), e.g. `http://127.0.0.1:4318`.",
    }),
    OTEL_EXPORTER_OTLP_HEADERS: setting({
      kind: anyText,
      otherwise: "none",
      secret: true,
      readBy: ALL,
      meaning: "Headers for the collector, e.g. `authorization=Bearer%20…`.",
    }),
    STIPPLE_TRACE_PERCENT: setting({
      kind: wholeNumber(0, 100),
      fallback: 100,
      readBy: ALL,
      meaning: "Percent of requests to trace, including the runs they start.",
    }),
  },
} as const;

/** Set by our own tests, tools and processes; not for operators. */
export const INTERNAL: readonly string[] = [
  "STIPPLE_API",
  "STIPPLE_BILLING_RUNS",
  "STIPPLE_BILLING_SEED",
  "STIPPLE_CHROMIUM",
  "STIPPLE_CI_CACHE",
  "STIPPLE_JOURNEYS_DATA",
  "STIPPLE_SLOW_PAGES",
  "STIPPLE_TEST_S3_SERVER",
  "STIPPLE_TEST_STORAGE",
  "STIPPLE_THROWAWAY_DATABASE",
  "STIPPLE_WEBHOOK_URL",
];
