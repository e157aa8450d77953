import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isLoopback } from "@stipple/server/http/loopback";
import type { TrustedProxies } from "@stipple/server/settings/trusted-proxies";
import type { LogFiles } from "./log-file.ts";
import { readSettings as readAllSettings } from "@stipple/server/settings/read-settings";

/** Root of the checkout, which contains package.json, .env, and the default data folder. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");

export interface ServeSettings {
  port: number;
  host: string;
  dataDir: string;
  publicUrl: string;
  /** A PostgreSQL server to use instead of the embedded one. */
  databaseUrl: string | undefined;
  /**
   * Who takes payments: the provider if its keys are set; the sandbox if requested or on a local default installation;
   * or nobody.
   */
  payments: "stripe" | "sandbox" | "none";
  /** Proxies in front that are trusted to report a caller's address. */
  trustProxy: TrustedProxies;
  /** When log files are rotated, and how many are kept. */
  logFiles: LogFiles;
  /** How long an API that is asked to stop takes new requests. */
  stopDelaySeconds: number;
  /** Port of the API's metrics; the worker's is the next. */
  metricsPort: number | undefined;
  /** Environment handed on to the services. */
  environment: NodeJS.ProcessEnv;
}

/**
 * The environment, plus settings from .env that it does not set. Folders are relative to the checkout, whatever the
 * working directory.
 */
export function loadEnvironment(): NodeJS.ProcessEnv {
  const file = join(ROOT, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  process.env["STIPPLE_DATA_DIR"] = resolve(ROOT, process.env["STIPPLE_DATA_DIR"] || ".stipple");
  return process.env;
}

/** Reads the settings that `serve` itself needs. Throws an Error with a sentence for each invalid value. */
export function readSettings(): ServeSettings {
  const environment = loadEnvironment();
  const values = readAllSettings(environment);
  const port = values.PORT;
  if (port === 0) throw new Error("PORT must be a whole number from 1 to 65535, not 0.");
  const host = values.HOST;
  const publicUrl = values.STIPPLE_PUBLIC_URL ?? `http://localhost:${port}`;
  return {
    port,
    host,
    dataDir: resolve(ROOT, environment["STIPPLE_DATA_DIR"] || ".stipple"),
    publicUrl,
    databaseUrl: environment["DATABASE_URL"] || undefined,
    payments: paymentsOf(environment, host, publicUrl),
    trustProxy: values.STIPPLE_TRUST_PROXY,
    logFiles: { megabytes: values.STIPPLE_LOG_FILE_MB, kept: values.STIPPLE_LOG_FILES },
    stopDelaySeconds: values.STIPPLE_STOP_DELAY_SECONDS,
    metricsPort: values.STIPPLE_METRICS_PORT,
    environment,
  };
}

/** Throws an Error with a sentence if the sandbox is requested where it must not run. */
export function paymentsOf(
  environment: NodeJS.ProcessEnv,
  host: string,
  publicUrl: string,
): ServeSettings["payments"] {
  const asked = environment["STIPPLE_PAYMENT_SANDBOX"] || undefined;
  if (asked !== undefined && asked !== "true" && asked !== "false") {
    throw new Error(`STIPPLE_PAYMENT_SANDBOX must be true or false, not "${asked}".`);
  }
  if (environment["STRIPE_SECRET_KEY"]) {
    if (asked !== "true") return "stripe";
    throw new Error(
      "STIPPLE_PAYMENT_SANDBOX and STRIPE_SECRET_KEY are both set: unset one of them so it is clear whether cards are charged.",
    );
  }
  if (asked === "false") return "none";
  // In production mode, the sandbox itself reports why it does not start.
  if (asked === "true") return "sandbox";
  const isLocal = isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
  return isLocal && environment["NODE_ENV"] !== "production" ? "sandbox" : "none";
}
