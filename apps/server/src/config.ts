import { randomBytes } from "node:crypto";
import { accessSync, constants, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { join, resolve } from "node:path";
import { isLoopback } from "./http/loopback.ts";
import type { TrustedProxies } from "./settings/trusted-proxies.ts";
import { memoryMb } from "./machine-memory.ts";
import type { LogSettings } from "./operations/logger.ts";
import type { MetricsSettings } from "./operations/metrics-server.ts";
import type { TracingSettings } from "./operations/tracing.ts";
import type { StorageSettings } from "./storage/open-storage.ts";
import { makeFolders } from "./settings/make-folders.ts";
import { readSettings, SettingsError } from "./settings/read-settings.ts";

const WEB_BUILD = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** All configuration of the server's two processes. */
export interface Config {
  port: number;
  host: string;
  databaseUrl: string;
  /** Absolute path; holds the sample dataset, the signing secret, and files unless they are elsewhere. */
  dataDir: string;
  storage: StorageSettings;
  /** Whether the API brings the database to the newest schema. */
  migrates: boolean;
  /** Maximum database connections per process. */
  connections: { api: number; worker: number };
  /** URL at which browsers reach the server, without a trailing slash. */
  publicUrl: string;
  /** Folder of the built web app; it need not exist. */
  webDir: string;
  /** Key of session and visualization tokens. */
  jwtSecret: Uint8Array;
  sessionDays: number;
  /** Sign-ups per minute and address. */
  signupsPerMinute: number;
  /** Logins per minute and address. */
  loginsPerMinute: number;
  /** Wrong passwords per 15 minutes and account. */
  loginFailures: number;
  /** Password reset requests per minute and address. */
  resetsPerMinute: number;
  /** Password reset requests per hour and email. */
  resetsPerHour: number;
  mail: {
    /** undefined = mails go to the payment sandbox's outbox. */
    smtpUrl: string | undefined;
    from: string;
    /** Whether owners are told of failed runs, and of long ones that completed. */
    ofRuns: boolean;
    ofPlans: boolean;
    ofSignIns: boolean;
  };
  /** Whose X-Forwarded-For is trusted. */
  trustProxy: TrustedProxies;
  log: LogSettings;
  /** Seconds: how long a stopping API accepts new requests, and how long a process waits for its work. */
  stopping: { delaySeconds: number; drainSeconds: number };
  /** undefined = no metrics. */
  metrics: MetricsSettings | undefined;
  /** undefined = no traces. */
  tracing: TracingSettings | undefined;
  maxUploadBytes: number;
  /** Threads of one pipeline step, or of what is computed for a study. */
  threads: number;
  /** Memory of a step's process. */
  stepMemoryMb: number;
  /** undefined = from the input's size. */
  stepHours: number | undefined;
  /** Whether anyone may view the results of the sample dataset. */
  liveExample: boolean;
  stripe: {
    secretKey: string | undefined;
    webhookSecret: string | undefined;
    /** undefined = Stripe itself. */
    sandboxUrl: string | undefined;
  };
}

/** Reads the environment once. Throws a SettingsError that describes every fault in a sentence. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const value = readSettings(env);
  if (value.DATABASE_URL === undefined) {
    throw new SettingsError(
      "DATABASE_URL is not set: set it to the PostgreSQL database that all processes share, e.g. postgresql://stipple:password@db.example.org/stipple.",
    );
  }
  if (value.STRIPE_SECRET_KEY !== undefined && value.STRIPE_WEBHOOK_SECRET === undefined) {
    throw new SettingsError(
      "STRIPE_WEBHOOK_SECRET is not set: without it, payments can't be confirmed. Find it on the webhook's page in Stripe.",
    );
  }
  if (value.STIPPLE_PAYMENT_SANDBOX_URL && /^(sk|rk)_live_/.test(value.STRIPE_SECRET_KEY ?? "")) {
    throw new SettingsError(
      "STIPPLE_PAYMENT_SANDBOX_URL and a live STRIPE_SECRET_KEY are both set: unset one of them.",
    );
  }
  const dataDir = resolve(value.STIPPLE_DATA_DIR);
  makeWritable(dataDir);
  return {
    port: value.PORT,
    host: value.HOST,
    databaseUrl: value.DATABASE_URL,
    migrates: value.STIPPLE_MIGRATE,
    connections: {
      api: value.STIPPLE_API_CONNECTIONS,
      worker: value.STIPPLE_WORKER_CONNECTIONS,
    },
    dataDir,
    storage: storageSettings(value),
    publicUrl: (value.STIPPLE_PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, ""),
    webDir: resolve(value.STIPPLE_WEB_DIR ?? WEB_BUILD),
    jwtSecret: new TextEncoder().encode(value.STIPPLE_SECRET ?? storedSecret(dataDir)),
    sessionDays: value.STIPPLE_SESSION_DAYS,
    signupsPerMinute: value.STIPPLE_SIGNUPS_PER_MINUTE,
    loginsPerMinute: value.STIPPLE_LOGINS_PER_MINUTE,
    loginFailures: value.STIPPLE_LOGIN_FAILURES,
    resetsPerMinute: value.STIPPLE_RESETS_PER_MINUTE,
    resetsPerHour: value.STIPPLE_RESETS_PER_HOUR,
    mail: {
      smtpUrl: value.SMTP_URL,
      from: value.STIPPLE_MAIL_FROM,
      ofRuns: value.STIPPLE_RUN_MAILS,
      ofPlans: value.STIPPLE_PLAN_MAILS,
      ofSignIns: value.STIPPLE_SIGN_IN_MAILS,
    },
    trustProxy: value.STIPPLE_TRUST_PROXY,
    log: { level: value.STIPPLE_LOG_LEVEL, format: value.STIPPLE_LOG_FORMAT },
    stopping: {
      delaySeconds: value.STIPPLE_STOP_DELAY_SECONDS,
      drainSeconds: value.STIPPLE_DRAIN_SECONDS ?? 20,
    },
    metrics: metricsIn(value),
    tracing:
      value.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT,
            share: value.STIPPLE_TRACE_PERCENT / 100,
          },
    maxUploadBytes: value.STIPPLE_MAX_UPLOAD_GB * 1024 ** 3,
    threads: value.STIPPLE_THREADS ?? availableParallelism(),
    stepMemoryMb: value.STIPPLE_STEP_MEMORY_MB ?? Math.floor(memoryMb() * 0.75),
    stepHours: value.STIPPLE_STEP_HOURS,
    liveExample: value.STIPPLE_LIVE_EXAMPLE,
    stripe: {
      secretKey: value.STRIPE_SECRET_KEY,
      webhookSecret: value.STRIPE_WEBHOOK_SECRET,
      sandboxUrl: value.STIPPLE_PAYMENT_SANDBOX_URL,
    },
  };
}

/** Where the files are; needs no database. */
export function storageSettings(value: ReturnType<typeof readSettings>): StorageSettings {
  return {
    address: storageIn(value.STIPPLE_STORAGE, resolve(value.STIPPLE_DATA_DIR)),
    s3: {
      endpoint: value.STIPPLE_S3_ENDPOINT,
      region: value.STIPPLE_S3_REGION,
      pathStyle: value.STIPPLE_S3_PATH_STYLE,
      encryption: value.STIPPLE_S3_ENCRYPTION,
      credentials: credentialsIn(value),
    },
  };
}

/** The storage's address with an absolute path; files are in the data folder unless configured otherwise. */
function storageIn(address: string | undefined, dataDir: string): string {
  if (address === undefined) return `file:${join(dataDir, "files")}`;
  return address.startsWith("file:") ? `file:${resolve(address.slice("file:".length))}` : address;
}

function credentialsIn(
  value: ReturnType<typeof readSettings>,
): StorageSettings["s3"]["credentials"] {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = value;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) return undefined;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** Throws a SettingsError when anyone could read them. */
function metricsIn(value: ReturnType<typeof readSettings>): Config["metrics"] {
  const { STIPPLE_METRICS_PORT: port, STIPPLE_METRICS_HOST: host } = value;
  const token = value.STIPPLE_METRICS_TOKEN;
  if (port === undefined) return undefined;
  if (token === undefined && !isLoopback(host)) {
    throw new SettingsError(
      `STIPPLE_METRICS_TOKEN is not set: with STIPPLE_METRICS_HOST=${host}, other machines could read the metrics. Set a token, or leave the host at 127.0.0.1.`,
    );
  }
  return { port, host, token };
}

/** Throws a SettingsError when the folder cannot be made or written to. */
export function makeWritable(dataDir: string): void {
  try {
    makeFolders(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `The data folder ${dataDir} cannot be written to (${code}): give this account write permission, or set STIPPLE_DATA_DIR to another folder.`,
    );
  }
}

/** The signing secret of this installation, made on first use and readable by its owner only. */
function storedSecret(dataDir: string): string {
  const path = join(dataDir, "jwt-secret");
  const mine = `${path}.${process.pid}`;
  try {
    return readFileSync(path, "utf8");
  } catch {
    // A link appears completely or not at all: two processes that start at once read the same secret.
    writeFileSync(mine, randomBytes(48).toString("base64url"), { mode: 0o600 });
    try {
      linkSync(mine, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(mine);
    }
    return readFileSync(path, "utf8");
  }
}
