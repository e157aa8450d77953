import { resolve } from "node:path";

/** Environment of the sandbox, read once. */
export interface SandboxSettings {
  port: number;
  /** Address under which browsers reach the hosted pages. */
  publicUrl: string;
  /** The only key the API accepts. */
  secretKey: string;
  webhookUrl: string;
  webhookSecret: string;
  /** File that keeps customers, subscriptions and undelivered events over restarts. */
  stateFile: string;
}

/** Throws an Error with a sentence when something is missing, and always in production. */
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
  const port = Number(need("PORT"));
  return {
    port,
    publicUrl: environment["STIPPLE_PAYMENT_SANDBOX_URL"] ?? `http://localhost:${port}`,
    secretKey: need("STRIPE_SECRET_KEY"),
    webhookUrl: need("STIPPLE_WEBHOOK_URL"),
    webhookSecret: need("STRIPE_WEBHOOK_SECRET"),
    stateFile: resolve(need("STIPPLE_DATA_DIR"), "payment-sandbox.json"),
  };
}
