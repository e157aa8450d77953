import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { createTransport } from "nodemailer";
import Stripe from "stripe";
import type { Config } from "../config.ts";
import { isLoopback } from "../http/loopback.ts";
import { memoryMb } from "../machine-memory.ts";
import { openStorage } from "../storage/open-storage.ts";
import { doubtful, well, wrong, type Finding } from "./finding.ts";

const TIMEOUT_MS = 10_000;
/** Steps of a whole slide were measured to need this much. */
const MIN_MEMORY_MB = 4_000;

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Writes, reads and removes a small object. */
export async function storageFindings({ storage: settings }: Config): Promise<Finding> {
  const { address } = settings;
  const what = "storage";
  const key = `doctor/${randomUUID()}`;
  try {
    const storage = await openStorage(settings);
    await storage.put(key, key);
    const back = await text(await storage.get(key));
    await storage.remove([key]);
    storage.close();
    if (back !== key) throw new Error("the file read back differs from the one written");
    return well(what, `can write, read, and remove files in ${address}`);
  } catch (error) {
    return wrong(
      what,
      `${address} cannot be used (${reason(error)}): check STIPPLE_STORAGE and this account's permissions`,
    );
  }
}

/** Whether the payment sandbox runs: it is set, or `stipple serve` starts it where only this machine reaches it. */
function hasSandbox({ stripe, host, publicUrl }: Config): boolean {
  if (stripe.sandboxUrl !== undefined || stripe.secretKey !== undefined) return !!stripe.sandboxUrl;
  return isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
}

export async function mailFindings(config: Config): Promise<Finding> {
  const what = "mail";
  const { mail } = config;
  if (!mail.smtpUrl) {
    return hasSandbox(config)
      ? well(what, "goes to the payment sandbox's outbox page")
      : doubtful(what, "SMTP_URL is not set: nobody can get a password reset link");
  }
  const transport = createTransport({
    url: mail.smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return well(what, `the server accepts mail from ${mail.from}`);
  } catch (error) {
    return wrong(what, `the mail server rejects us (${reason(error)}): check SMTP_URL`);
  } finally {
    transport.close();
  }
}

export async function paymentFindings(config: Config): Promise<Finding> {
  const what = "payments";
  const { stripe } = config;
  if (hasSandbox(config)) return well(what, "the payment sandbox, which charges nothing");
  if (!stripe.secretKey) {
    return doubtful(what, "STRIPE_SECRET_KEY is not set: nobody can buy a plan");
  }
  if (!stripe.webhookSecret?.startsWith("whsec_")) {
    return wrong(
      what,
      "STRIPE_WEBHOOK_SECRET is not a webhook secret, which starts with whsec_: payments would not be confirmed",
    );
  }
  try {
    // Selling needs it too, so a restricted key that lacks this right is to be refused.
    await new Stripe(stripe.secretKey, {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 0,
    }).prices.list({ limit: 1 });
    return well(what, "Stripe accepts the key");
  } catch (error) {
    return wrong(what, `Stripe rejects the key (${reason(error)}): check STRIPE_SECRET_KEY`);
  }
}

export async function diskFindings({ dataDir }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = (bavail * bsize) / 1e9;
  const says = `${free.toFixed(1)} GB free at ${dataDir}`;
  if (free >= 20) return well("disk", says);
  const state = free < 1 ? wrong : doubtful;
  return state("disk", `${says}: analyzing one whole slide takes about 10 GB`);
}

export function memoryFindings({ stepMemoryMb }: Config): Finding {
  const gb = (mb: number): string => (mb / 1024).toFixed(1);
  const says = `${gb(memoryMb())} GB, of which a step may use ${gb(stepMemoryMb)} GB`;
  if (stepMemoryMb > memoryMb()) {
    return doubtful("memory", `${says}: lower STIPPLE_STEP_MEMORY_MB to what is available`);
  }
  return stepMemoryMb >= MIN_MEMORY_MB
    ? well("memory", says)
    : doubtful("memory", `${says}: whole-slide samples may be refused`);
}
