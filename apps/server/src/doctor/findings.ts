import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { createTransport } from "nodemailer";
import Stripe from "stripe";
import type { Config } from "../config.ts";
import { memoryMb } from "../machine-memory.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { Finding } from "./doctor.ts";

const PATIENCE_MS = 10_000;
/** Steps of a whole slide were measured to need this much. */
const MIN_MEMORY_MB = 4_000;

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Writes, reads and removes a small object. */
export async function storageFindings({ storage: settings }: Config): Promise<Finding[]> {
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
    return [{ what, state: "well", says: `can write, read and remove files in ${address}` }];
  } catch (error) {
    return [
      {
        what,
        state: "wrong",
        says: `${address} cannot be used (${reason(error)}): check STIPPLE_STORAGE and this account's permissions`,
      },
    ];
  }
}

export async function mailFindings({ mail, stripe }: Config): Promise<Finding[]> {
  const what = "mail";
  if (!mail.smtpUrl) {
    return stripe.secretKey && !stripe.sandboxUrl
      ? [
          {
            what,
            state: "doubtful",
            says: "SMTP_URL is not set: nobody can get a password reset link",
          },
        ]
      : [{ what, state: "well", says: "goes to the payment sandbox's outbox page" }];
  }
  const transport = createTransport({
    url: mail.smtpUrl,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  });
  try {
    await transport.verify();
    return [{ what, state: "well", says: `the server accepts mail from ${mail.from}` }];
  } catch (error) {
    return [
      {
        what,
        state: "wrong",
        says: `the mail server rejects us (${reason(error)}): check SMTP_URL`,
      },
    ];
  } finally {
    transport.close();
  }
}

export async function paymentFindings({ stripe }: Config): Promise<Finding[]> {
  const what = "payments";
  if (stripe.sandboxUrl || !stripe.secretKey) {
    return [
      {
        what,
        state: "well",
        says: stripe.sandboxUrl ? "the payment sandbox" : "no keys: no real payments",
      },
    ];
  }
  if (!stripe.webhookSecret?.startsWith("whsec_")) {
    return [
      {
        what,
        state: "wrong",
        says: "STRIPE_WEBHOOK_SECRET is not a webhook secret, which starts with whsec_: payments would not be confirmed",
      },
    ];
  }
  try {
    await new Stripe(stripe.secretKey, {
      timeout: PATIENCE_MS,
      maxNetworkRetries: 0,
    }).balance.retrieve();
    return [{ what, state: "well", says: "Stripe accepts the key" }];
  } catch (error) {
    return [
      {
        what,
        state: "wrong",
        says: `Stripe rejects the key (${reason(error)}): check STRIPE_SECRET_KEY`,
      },
    ];
  }
}

export async function diskFindings({ dataDir }: Config): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = (bavail * bsize) / 1e9;
  const says = `${free.toFixed(1)} GB free at ${dataDir}`;
  return [
    {
      what: "disk",
      state: free < 1 ? "wrong" : free < 20 ? "doubtful" : "well",
      says: free < 20 ? `${says}: analyzing one whole slide takes about 10 GB` : says,
    },
  ];
}

export function memoryFindings({ stepMemoryMb }: Config): Promise<Finding[]> {
  const gb = (mb: number): string => (mb / 1024).toFixed(1);
  const says = `${gb(memoryMb())} GB, of which a step may use ${gb(stepMemoryMb)} GB`;
  const isEnough = stepMemoryMb >= MIN_MEMORY_MB && stepMemoryMb <= memoryMb();
  return Promise.resolve([
    {
      what: "memory",
      state: isEnough ? "well" : "doubtful",
      says: isEnough
        ? says
        : stepMemoryMb > memoryMb()
          ? `${says}: lower STIPPLE_STEP_MEMORY_MB to what is available`
          : `${says}: whole-slide samples may be refused`,
    },
  ]);
}
