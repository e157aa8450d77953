import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { join, resolve } from "node:path";
import * as z from "zod";
import { trustedProxies, type TrustedProxies } from "./http/trusted-proxies.ts";
import type { StorageSettings } from "./storage/open-storage.ts";

const WEB_BUILD = fileURLToPath(new URL("../../web/dist", import.meta.url));

const flag = (fallback: boolean) =>
  z
    .enum(["true", "false", "1", "0", ""])
    .default("")
    .transform((text) => (text === "" ? fallback : text === "true" || text === "1"));
/** An unset variable and an empty one mean the same, so that `.env` files may keep blank lines. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());
const number = (fallback: number, minimum = 1) =>
  z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.coerce.number().int().min(minimum).default(fallback),
  );
const httpAddress = z.url({
  protocol: /^https?$/,
  error: "must be an http:// or https:// address",
});
const storageAddress = z
  .string()
  .regex(/^(file:.+|s3:\/\/[^/]+(\/.*)?)$/, "must be file:DIR or s3://BUCKET/PREFIX");

const environment = z.object({
  NODE_ENV: z.string().default("production"),
  PORT: number(3000, 0),
  /** "localhost" listens on the loopback addresses only; 0.0.0.0 on every interface. */
  HOST: z.string().default("localhost"),
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must be a postgresql:// address"),
  STIPPLE_DATA_DIR: z.string().default(".stipple"),
  STIPPLE_STORAGE: optional(storageAddress),
  STIPPLE_S3_ENDPOINT: optional(httpAddress),
  STIPPLE_S3_REGION: optional(z.string()),
  STIPPLE_S3_PATH_STYLE: flag(false),
  STIPPLE_S3_ENCRYPTION: optional(
    z.string().regex(/^(AES256|aws:kms(:.+)?)$/, "must be AES256, aws:kms or aws:kms:KEY"),
  ),
  STIPPLE_S3_PUBLIC_ENDPOINT: optional(httpAddress),
  AWS_ACCESS_KEY_ID: optional(z.string()),
  AWS_SECRET_ACCESS_KEY: optional(z.string()),
  AWS_SESSION_TOKEN: optional(z.string()),
  STIPPLE_PUBLIC_URL: optional(z.url()),
  STIPPLE_WEB_DIR: z.string().default(WEB_BUILD),
  STIPPLE_JWT_SECRET: optional(z.string().min(32)),
  STIPPLE_SESSION_DAYS: number(7),
  STIPPLE_SIGNUPS_PER_MINUTE: number(60),
  STIPPLE_LOGINS_PER_MINUTE: number(120),
  STIPPLE_LOGIN_FAILURES: number(10),
  STIPPLE_RESETS_PER_MINUTE: number(20),
  STIPPLE_RESETS_PER_HOUR: number(5),
  SMTP_URL: optional(z.string().regex(/^smtps?:\/\//, "must be an smtp:// or smtps:// address")),
  STIPPLE_MAIL_FROM: z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.string().default("Stipple <no-reply@localhost>"),
  ),
  STIPPLE_RUN_MAILS: flag(true),
  STIPPLE_TRUST_PROXY: z.string().default("").transform(trustedProxies),
  STIPPLE_LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info"),
  STIPPLE_MAX_UPLOAD_GB: number(64),
  STIPPLE_WORKER_SLOT: optional(z.string().regex(/^[A-Za-z0-9_-]{1,40}$/)),
  STIPPLE_THREADS: optional(z.coerce.number().int().min(1)),
  STIPPLE_STEP_MEMORY_MB: optional(z.coerce.number().int().min(256)),
  STRIPE_SECRET_KEY: optional(z.string()),
  STRIPE_WEBHOOK_SECRET: optional(z.string()),
  /** Address of a Stripe-compatible provider that takes the place of Stripe. */
  STIPPLE_PAYMENT_SANDBOX_URL: optional(z.url()),
});

/** Everything the server's two processes can be told from outside. */
export interface Config {
  production: boolean;
  port: number;
  host: string;
  databaseUrl: string;
  /** Absolute path; holds the sample dataset, the signing secret, and files unless they lie elsewhere. */
  dataDir: string;
  storage: StorageSettings;
  /** Address under which browsers reach the server, without a trailing slash. */
  publicUrl: string;
  /** Folder of the built web app; it need not exist. */
  webDir: string;
  /** Key of session and visualization tokens. */
  jwtSecret: Uint8Array;
  sessionDays: number;
  /** Sign-ups a minute and address. */
  signupsPerMinute: number;
  /** Logins a minute and address. */
  loginsPerMinute: number;
  /** Wrong passwords a quarter of an hour and account. */
  loginFailures: number;
  /** Requests for a new password a minute and address. */
  resetsPerMinute: number;
  /** Requests for a new password an hour and e-mail. */
  resetsPerHour: number;
  mail: {
    /** undefined = mails go to the payment sandbox's outbox. */
    smtpUrl: string | undefined;
    from: string;
    /** Whether a long run's owner is told when it has ended. */
    ofRuns: boolean;
  };
  /** Whose X-Forwarded-For is believed. */
  trustProxy: TrustedProxies;
  logLevel: string;
  maxUploadBytes: number;
  /** Stable name of this worker; undefined = the first free one of w0, w1, … */
  workerSlot: string | undefined;
  /** Threads of one pipeline step. */
  threads: number;
  /** Heap limit of a step's process. */
  stepMemoryMb: number;
  stripe: {
    secretKey: string | undefined;
    webhookSecret: string | undefined;
    /** undefined = Stripe itself. */
    sandboxUrl: string | undefined;
  };
}

/** Reads the environment once. Throws an error that names every variable at fault. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is not valid. ${faults.join("; ")}`);
  }
  const value = parsed.data;
  if (value.STIPPLE_PAYMENT_SANDBOX_URL && /^(sk|rk)_live_/.test(value.STRIPE_SECRET_KEY ?? "")) {
    throw new Error(
      "The environment is not valid. STIPPLE_PAYMENT_SANDBOX_URL is set beside a live STRIPE_SECRET_KEY: unset one of them.",
    );
  }
  const dataDir = resolve(value.STIPPLE_DATA_DIR);
  mkdirSync(dataDir, { recursive: true });
  return {
    production: value.NODE_ENV === "production",
    port: value.PORT,
    host: value.HOST,
    databaseUrl: value.DATABASE_URL,
    dataDir,
    storage: {
      address: storageIn(value.STIPPLE_STORAGE, dataDir),
      s3: {
        endpoint: value.STIPPLE_S3_ENDPOINT,
        region: value.STIPPLE_S3_REGION,
        pathStyle: value.STIPPLE_S3_PATH_STYLE,
        encryption: value.STIPPLE_S3_ENCRYPTION,
        publicEndpoint: value.STIPPLE_S3_PUBLIC_ENDPOINT,
        credentials: credentialsIn(value),
      },
    },
    publicUrl: (value.STIPPLE_PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, ""),
    webDir: resolve(value.STIPPLE_WEB_DIR),
    jwtSecret: new TextEncoder().encode(value.STIPPLE_JWT_SECRET ?? storedSecret(dataDir)),
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
    },
    trustProxy: value.STIPPLE_TRUST_PROXY,
    logLevel: value.STIPPLE_LOG_LEVEL,
    maxUploadBytes: value.STIPPLE_MAX_UPLOAD_GB * 1024 ** 3,
    workerSlot: value.STIPPLE_WORKER_SLOT,
    threads: value.STIPPLE_THREADS ?? availableParallelism(),
    stepMemoryMb: value.STIPPLE_STEP_MEMORY_MB ?? Math.floor((totalmem() / 1024 ** 2) * 0.75),
    stripe: {
      secretKey: value.STRIPE_SECRET_KEY,
      webhookSecret: value.STRIPE_WEBHOOK_SECRET,
      sandboxUrl: value.STIPPLE_PAYMENT_SANDBOX_URL,
    },
  };
}

/** The storage's address with an absolute path; files lie in the data folder unless they are told to lie elsewhere. */
function storageIn(address: string | undefined, dataDir: string): string {
  if (address === undefined) return `file:${join(dataDir, "files")}`;
  return address.startsWith("file:") ? `file:${resolve(address.slice("file:".length))}` : address;
}

function credentialsIn(value: z.infer<typeof environment>): StorageSettings["s3"]["credentials"] {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = value;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) return undefined;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** The signing secret of this installation, made on first use and readable by its owner only. */
function storedSecret(dataDir: string): string {
  const path = join(dataDir, "jwt-secret");
  const mine = `${path}.${process.pid}`;
  try {
    return readFileSync(path, "utf8");
  } catch {
    // A link appears whole or not at all: of two processes that start at once, both read the same secret.
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
