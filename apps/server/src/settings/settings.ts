import { proxies } from "../http/trusted-proxies.ts";
import { LOG_FORMATS, type LogFormat } from "../operations/log-formats.ts";
import { anyText, flag, oneOf, textOf, webAddress, wholeNumber, type Kind } from "./kinds.ts";

/** Commands that read a setting; `serve` also hands everything on to the API and the worker that it starts. */
export type Reader = "serve" | "api" | "worker";

export interface Setting<T, F> {
  kind: Kind<T>;
  /** Value without the setting. undefined = `otherwise` says what happens. */
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
    meaning: `${what} a minute and address, over all API processes.`,
  });

/** Every setting of the product, by section and by the name of its environment variable. */
export const SECTIONS = {
  Addresses: {
    PORT: setting({
      kind: wholeNumber(0, 65_535),
      fallback: 3000,
      readBy: WEB,
      meaning: "Port of the pages and the API.",
    }),
    HOST: setting({
      kind: anyText,
      fallback: "localhost",
      readBy: WEB,
      meaning: "Address to listen on; `0.0.0.0` for every interface.",
    }),
    STIPPLE_PUBLIC_URL: setting({
      kind: webAddress,
      otherwise: "`http://localhost:PORT`",
      readBy: ALL,
      meaning: "Address under which browsers reach the platform; links in mails carry it.",
    }),
    STIPPLE_TRUST_PROXY: setting({
      kind: proxies,
      fallback: false,
      readBy: WEB,
      meaning:
        "Proxies in front whose `X-Forwarded-For` is believed: how many there are, or their addresses. With a number the port must be open to the proxies only. Without it everybody behind a proxy counts as one address, and the limits a minute hold for all together.",
    }),
    STIPPLE_WEB_DIR: setting({
      kind: anyText,
      otherwise: "`apps/web/dist`",
      readBy: WEB,
      meaning: "Folder of the built pages.",
    }),
  },
  Database: {
    DATABASE_URL: setting({
      kind: textOf("a postgresql:// address", /^postgres(ql)?:\/\//),
      otherwise: "`serve` starts a PostgreSQL of its own; `api` and `worker` need it",
      readBy: ALL,
      meaning: "PostgreSQL server and database. The same for every process of an installation.",
      secret: true,
    }),
    STIPPLE_MIGRATE: setting({
      kind: flag,
      fallback: true,
      readBy: WEB,
      meaning:
        "Whether the API brings the database to the newest schema when it starts. With `false` its account needs no right to change tables; `stipple migrate` does it.",
    }),
    STIPPLE_API_CONNECTIONS: setting({
      kind: wholeNumber(4, 500),
      fallback: 20,
      readBy: WEB,
      meaning: "Connections to the database that an API process opens at most.",
    }),
    STIPPLE_WORKER_CONNECTIONS: setting({
      kind: wholeNumber(8, 500),
      fallback: 10,
      readBy: WORK,
      meaning: "Connections to the database that a worker opens at most.",
    }),
  },
  Files: {
    STIPPLE_DATA_DIR: setting({
      kind: anyText,
      fallback: ".stipple",
      readBy: ALL,
      meaning:
        "Folder for `serve`'s database, logs, the made secret and, without `STIPPLE_STORAGE`, uploads and results. With S3 it is scratch only.",
    }),
    STIPPLE_STORAGE: setting({
      kind: textOf("file:DIR or s3://BUCKET/PREFIX", /^(file:.+|s3:\/\/[^/]+(\/.*)?)$/),
      otherwise: "`file:` the folder `files` in the data folder",
      readBy: ALL,
      meaning:
        "Where uploads and results lie: `file:DIR` or `s3://BUCKET/PREFIX`. The same for every process; a folder must be shared between machines.",
    }),
    STIPPLE_S3_ENDPOINT: setting({
      kind: webAddress,
      otherwise: "Amazon's",
      readBy: ALL,
      meaning: "Address of an S3-compatible server.",
    }),
    STIPPLE_S3_REGION: setting({
      kind: anyText,
      otherwise: "as the SDK finds it (`AWS_REGION`)",
      readBy: ALL,
      meaning: "Region of the bucket.",
    }),
    STIPPLE_S3_PATH_STYLE: setting({
      kind: flag,
      fallback: false,
      readBy: ALL,
      meaning: "Whether addresses are `endpoint/bucket/key` in place of `bucket.endpoint/key`.",
    }),
    STIPPLE_S3_ENCRYPTION: setting({
      kind: textOf("AES256, aws:kms or aws:kms:KEY", /^(AES256|aws:kms(:.+)?)$/),
      otherwise: "as the bucket says",
      readBy: ALL,
      meaning: "Server-side encryption: `AES256`, `aws:kms` or `aws:kms:KEY`.",
    }),
    AWS_ACCESS_KEY_ID: setting({
      kind: anyText,
      otherwise: "as the SDK finds it",
      readBy: ALL,
      meaning:
        "Key for the bucket. Without it the SDK looks in its own places: profile, role of the machine.",
    }),
    AWS_SECRET_ACCESS_KEY: setting({
      kind: anyText,
      otherwise: "as the SDK finds it",
      secret: true,
      readBy: ALL,
      meaning: "The key's secret.",
    }),
    AWS_SESSION_TOKEN: setting({
      kind: anyText,
      otherwise: "none",
      secret: true,
      readBy: ALL,
      meaning: "Session of a temporary key.",
    }),
    STIPPLE_MAX_UPLOAD_GB: setting({
      kind: wholeNumber(1),
      fallback: 64,
      readBy: WEB,
      meaning: "Largest file that may be uploaded.",
    }),
  },
  Access: {
    STIPPLE_SECRET: setting({
      kind: textOf("at least 32 characters", /^.{32,}$/s),
      otherwise: "made once and kept in the data folder",
      readBy: ALL,
      meaning:
        "Signs sessions and links. The same for every process of an installation: on more than one machine it must be set.",
      secret: true,
    }),
    STIPPLE_SESSION_DAYS: setting({
      kind: wholeNumber(1),
      fallback: 7,
      readBy: WEB,
      meaning: "Days after which people sign in again.",
    }),
    STIPPLE_SIGNUPS_PER_MINUTE: perMinute(60, "Sign-ups"),
    STIPPLE_LOGINS_PER_MINUTE: perMinute(120, "Logins"),
    STIPPLE_RESETS_PER_MINUTE: perMinute(20, "Requests for a new password"),
    STIPPLE_LOGIN_FAILURES: setting({
      kind: wholeNumber(1),
      fallback: 10,
      readBy: WEB,
      meaning:
        "Wrong passwords a quarter of an hour and account; known devices and addresses count apart.",
    }),
    STIPPLE_RESETS_PER_HOUR: setting({
      kind: wholeNumber(1),
      fallback: 5,
      readBy: WEB,
      meaning: "Requests for a new password an hour and email.",
    }),
  },
  Analyses: {
    STIPPLE_THREADS: setting({
      kind: wholeNumber(1),
      otherwise: "all cores",
      readBy: WORK,
      meaning: "Threads of one analysis step.",
    }),
    STIPPLE_STEP_MEMORY_MB: setting({
      kind: wholeNumber(256),
      otherwise: "three quarters of the machine's memory, or of the control group's",
      readBy: WORK,
      meaning:
        "Memory that one analysis step may use. A step that is estimated to need more is refused before it starts.",
    }),
    STIPPLE_SHARE_SECONDS: setting({
      kind: wholeNumber(0),
      fallback: 4,
      readBy: WORK,
      meaning:
        "Seconds of work left in a step from which on idle workers help with its tiles and gene blocks.",
    }),
    STIPPLE_STEP_HOURS: setting({
      kind: wholeNumber(1),
      otherwise: "from the input's size, at least one hour",
      readBy: WORK,
      meaning: "Hours after which a step is stopped.",
    }),
  },
  Mail: {
    SMTP_URL: setting({
      kind: textOf("an smtp:// or smtps:// address", /^smtps?:\/\//),
      otherwise: "mails go to the payment sandbox's outbox page",
      readBy: ALL,
      meaning: "Mail server, e.g. `smtp://user:password@mail.example.org:587`.",
      secret: true,
    }),
    STIPPLE_MAIL_FROM: setting({
      kind: anyText,
      fallback: "Stipple <no-reply@localhost>",
      readBy: ALL,
      meaning: "Sender of mails.",
    }),
    STIPPLE_RUN_MAILS: setting({
      kind: flag,
      fallback: true,
      readBy: WORK,
      meaning: "Whether owners get a mail when a run has ended that took more than three minutes.",
    }),
  },
  Payments: {
    STRIPE_SECRET_KEY: setting({
      kind: anyText,
      otherwise: "the payment sandbox, where it may run; else nothing is sold",
      readBy: ALL,
      meaning: "Stripe's secret key, for real card payments.",
      secret: true,
    }),
    STRIPE_WEBHOOK_SECRET: setting({
      kind: anyText,
      otherwise: "needed beside the key",
      readBy: ALL,
      meaning: "Secret that Stripe signs its webhooks with.",
      secret: true,
    }),
    STIPPLE_PAYMENT_SANDBOX: setting({
      kind: flag,
      otherwise: "only where the platform is reached from this machine alone",
      readBy: ["serve"],
      meaning: "Whether `serve` starts the payment sandbox, which charges nothing.",
    }),
    STIPPLE_PAYMENT_SANDBOX_URL: setting({
      kind: webAddress,
      otherwise: "set by `serve`",
      readBy: ALL,
      meaning: "A Stripe-compatible provider in the place of Stripe.",
    }),
    STIPPLE_OPERATOR_SECRET: setting({
      kind: anyText,
      otherwise: "made once and kept in the data folder",
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
      meaning: "`production` refuses the payment sandbox.",
    }),
    STIPPLE_LOG_LEVEL: setting({
      kind: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
      fallback: "info",
      readBy: ALL,
      meaning: "How much is logged.",
    }),
    STIPPLE_LOG_FORMAT: setting<LogFormat>({
      kind: oneOf(...LOG_FORMATS),
      fallback: "auto",
      readBy: ALL,
      meaning:
        "How lines of the log look: `json` for programs, `text` for people, `auto` for people on a terminal and for programs elsewhere.",
    }),
    STIPPLE_LOG_FILE_MB: setting({
      kind: wholeNumber(1, 10_000),
      fallback: 20,
      readBy: ["serve"],
      meaning:
        "Size in MB at which a log file in the data folder is put aside and a new one begun.",
    }),
    STIPPLE_LOG_FILES: setting({
      kind: wholeNumber(1, 1000),
      fallback: 5,
      readBy: ["serve"],
      meaning: "Log files of each process that are kept beside the one being written.",
    }),
    STIPPLE_STOP_DELAY_SECONDS: setting({
      kind: wholeNumber(0, 600),
      fallback: 0,
      readBy: WEB,
      meaning:
        "Seconds for which an API that is asked to stop still takes new requests while `/api/ready` answers 503, so that a load balancer can send them elsewhere.",
    }),
    STIPPLE_DRAIN_SECONDS: setting({
      kind: wholeNumber(0, 86_400),
      otherwise: "20; with `serve` 30 for the API, 2 for the worker",
      readBy: ALL,
      meaning:
        "Longest time that a process which is asked to stop waits for its work: an API for requests under way, a worker for the step under way. A worker then hands its run to another one.",
    }),
  },
  Observing: {
    STIPPLE_METRICS_PORT: setting({
      kind: wholeNumber(1, 65_535),
      otherwise: "no metrics",
      readBy: ALL,
      meaning:
        "Port of the metrics for Prometheus, at `/metrics`. With `serve` the API has this port and the worker the next one.",
    }),
    STIPPLE_METRICS_HOST: setting({
      kind: anyText,
      fallback: "127.0.0.1",
      readBy: ALL,
      meaning:
        "Address that the metrics listen on. One that other machines reach needs `STIPPLE_METRICS_TOKEN`.",
    }),
    STIPPLE_METRICS_TOKEN: setting({
      kind: textOf("at least 16 characters without blanks", /^\S{16,}$/),
      otherwise: "none; the metrics are for this machine only",
      secret: true,
      readBy: ALL,
      meaning: "What Prometheus sends as its bearer token.",
    }),
    OTEL_EXPORTER_OTLP_ENDPOINT: setting({
      kind: webAddress,
      otherwise: "no traces",
      readBy: ALL,
      meaning:
        "Address of an OpenTelemetry collector (OTLP over HTTP), e.g. `http://127.0.0.1:4318`.",
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
      meaning: "Percent of requests that are traced, with the runs that they start.",
    }),
  },
} as const;

/** Set by our own tests, tools and processes for each other; no business of an operator. */
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
