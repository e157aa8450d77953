import { resolve } from "node:path";
import { isPublic } from "./addresses.ts";

/** Sandbox settings, read once from the environment. */
export interface SandboxSettings {
  port: number;
  /** Address at which browsers reach the hosted pages. */
  publicUrl: string;
  /** The only key the API accepts. */
  secretKey: string;
  webhookUrl: string;
  webhookSecret: string;
  /** File that keeps customers, subscriptions, and undelivered events across restarts. */
  stateFile: string;
  /** Opens the outbox and confirms deletions. */
  operatorSecret: string;
  /** The operator's permission, given at startup, for the shifted clock to delete projects. */
  clockDeletes: boolean;
}

/** Throws an Error with a readable message if something is missing, or wherever real people could reach the sandbox. */
export function readSettings(environment: NodeJS.ProcessEnv): SandboxSettings {
  if (environment["NODE_ENV"] === "production") {
    throw new Error(
      "The payment sandbox does not start in production mode: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to take real payments.",
    );
  }
  const need = (name: string): string => {
    const value = environment[name];
    if (!value) throw new Error(`The payment sandbox needs ${name}.`);
    return value;
  };
  const secretKey = need("STRIPE_SECRET_KEY");
  if (/^(sk|rk)_live_/.test(secretKey)) {
    throw new Error(
      "The payment sandbox does not start with a live key: unset STIPPLE_PAYMENT_SANDBOX to take real payments.",
    );
  }
  const port = Number(need("PORT"));
  const publicUrl = environment["STIPPLE_PAYMENT_SANDBOX_URL"] || `http://localhost:${port}`;
  for (const address of [publicUrl, environment["STIPPLE_PUBLIC_URL"] || publicUrl]) {
    if (isPublic(new URL(address).hostname)) {
      throw new Error(
        `The payment sandbox does not start at the public address ${address}, where anyone could give themselves a plan. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.`,
      );
    }
  }
  return {
    port,
    publicUrl,
    secretKey,
    webhookUrl: need("STIPPLE_WEBHOOK_URL"),
    webhookSecret: need("STRIPE_WEBHOOK_SECRET"),
    stateFile: resolve(need("STIPPLE_DATA_DIR"), "payment-sandbox.json"),
    operatorSecret: need("STIPPLE_OPERATOR_SECRET"),
    clockDeletes: environment["STIPPLE_SANDBOX_CLOCK_DELETES"] === "true",
  };
}
