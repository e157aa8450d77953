import { resolve } from "node:path";
import ipaddr from "ipaddr.js";

export type SandboxSettings = ReturnType<typeof readSettings>;

/**
 * The settings, read once from the environment. Throws an Error with a readable message if something is missing, or
 * wherever real people could reach the sandbox.
 */
export function readSettings(environment: NodeJS.ProcessEnv) {
  const need = (name: string): string => {
    const value = environment[name];
    if (!value) throw new Error(`The payment sandbox needs ${name}.`);
    return value;
  };
  const secretKey = need("STRIPE_SECRET_KEY");
  const port = Number(need("PORT"));
  const publicUrl = environment["STIPPLE_PAYMENT_SANDBOX_URL"] || `http://localhost:${port}`;
  const refuse = (where: string, remedy: string): never => {
    throw new Error(
      `The payment sandbox does not start ${where}: ${remedy} to take real payments.`,
    );
  };
  const keys = "set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET";
  if (environment["NODE_ENV"] === "production") refuse("in production mode", keys);
  if (/^(sk|rk)_live_/.test(secretKey)) refuse("with a live key", "unset STIPPLE_PAYMENT_SANDBOX");
  for (const url of [publicUrl, environment["STIPPLE_PUBLIC_URL"] || publicUrl]) {
    const where = `at the public address ${url}, where anyone could give themselves a plan`;
    if (isPublic(new URL(url).hostname)) refuse(where, keys);
  }
  return {
    port,
    /** Address at which browsers reach the hosted pages. */
    publicUrl,
    /** The only key the API accepts. */
    secretKey,
    webhookUrl: need("STIPPLE_WEBHOOK_URL"),
    webhookSecret: need("STRIPE_WEBHOOK_SECRET"),
    /** Keeps customers, subscriptions, and undelivered events across restarts. */
    stateFile: resolve(need("STIPPLE_DATA_DIR"), "payment-sandbox.json"),
    /** Opens the outbox and confirms deletions. */
    operatorSecret: need("STIPPLE_OPERATOR_SECRET"),
    /** The operator's permission, given at startup, for the moved clock to delete projects. */
    clockDeletes: environment["STIPPLE_SANDBOX_CLOCK_DELETES"] === "true",
  };
}

/** Names that no public name server resolves (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const PRIVATE_NAME = /^[^.]+$|\.(test|local|localhost|internal|home\.arpa)$/;
const PRIVATE_RANGES = ["loopback", "private", "linkLocal", "uniqueLocal"];

/** Whether a host, as written in URLs, can be reached from the internet by its name or address. */
function isPublic(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(bare)) return !PRIVATE_NAME.test(host);
  return !PRIVATE_RANGES.includes(ipaddr.process(bare).range());
}
