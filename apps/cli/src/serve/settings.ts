import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the checkout: where package.json, .env and the default data folder lie. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");

export interface ServeSettings {
  port: number;
  host: string;
  dataDir: string;
  publicUrl: string;
  /** A PostgreSQL server to use instead of the embedded one. */
  databaseUrl: string | undefined;
  /** What takes payments: the provider whose keys are set, else the sandbox, which production mode does without. */
  payments: "stripe" | "sandbox" | "none";
  /** Environment handed on to the services. */
  environment: NodeJS.ProcessEnv;
}

/** Reads .env and the environment (the environment wins). Throws an Error with a sentence for a value that makes no sense. */
export function readSettings(): ServeSettings {
  const file = join(ROOT, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  const environment = process.env;
  const port = Number(environment["PORT"] || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT must be a whole number from 1 to 65535, not "${environment["PORT"]}".`);
  }
  return {
    port,
    host: environment["HOST"] || "localhost",
    dataDir: resolve(ROOT, environment["STIPPLE_DATA_DIR"] || ".stipple"),
    publicUrl: environment["STIPPLE_PUBLIC_URL"] || `http://localhost:${port}`,
    databaseUrl: environment["DATABASE_URL"] || undefined,
    payments: environment["STRIPE_SECRET_KEY"]
      ? "stripe"
      : environment["NODE_ENV"] === "production"
        ? "none"
        : "sandbox",
    environment,
  };
}
