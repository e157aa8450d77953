import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type {
  Charge,
  CheckoutSession,
  Customer,
  Event,
  Invoice,
  Mail,
  PaymentIntent,
  Price,
  Product,
  Subscription,
  SubscriptionSchedule,
} from "./objects.ts";

interface Tables {
  customers: Record<string, Customer>;
  products: Record<string, Product>;
  prices: Record<string, Price>;
  sessions: Record<string, CheckoutSession>;
  paymentIntents: Record<string, PaymentIntent>;
  charges: Record<string, Charge>;
  subscriptions: Record<string, Subscription>;
  schedules: Record<string, SubscriptionSchedule>;
  invoices: Record<string, Invoice>;
  events: Record<string, Event>;
}

interface Saved extends Tables {
  /** How far the sandbox's clock is ahead of the real one. */
  clockAheadMs: number;
  /** How much of that may delete projects, as confirmed by the operator. */
  deletesAheadMs: number;
  sendTwice: boolean;
  /** Events are recorded but not delivered until they are released. */
  holdEvents: boolean;
  /** Newest last. */
  mails: Mail[];
  /** Responses to requests with an idempotency key, by key. */
  idempotent: Record<string, { path: string; answer: unknown }>;
}

const EMPTY: Saved = {
  customers: {},
  products: {},
  prices: {},
  sessions: {},
  paymentIntents: {},
  charges: {},
  subscriptions: {},
  schedules: {},
  invoices: {},
  events: {},
  clockAheadMs: 0,
  deletesAheadMs: 0,
  sendTwice: false,
  holdEvents: false,
  mails: [],
  idempotent: {},
};

/** Everything the provider knows, in one JSON file that is replaced as a whole after each change. */
export class SandboxState {
  readonly data: Saved;
  readonly #path: string;
  #isSaved = true;

  constructor(path: string) {
    this.#path = path;
    this.data = structuredClone(EMPTY);
    try {
      Object.assign(this.data, JSON.parse(readFileSync(path, "utf8")));
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") throw error;
    }
  }

  /** Throws if the file cannot be written; the changes must then not be shown to anyone: see {@link assertSaved}. */
  save(): void {
    this.#isSaved = false;
    mkdirSync(dirname(this.#path), { recursive: true });
    const partial = `${this.#path}.partial`;
    writeFileSync(partial, JSON.stringify(this.data), { mode: 0o600 });
    renameSync(partial, this.#path);
    this.#isSaved = true;
  }

  /**
   * Called before any response or event: a payment that someone has heard of but a restart forgets would be a purchase
   * without a payment. Throws while the file cannot be written.
   */
  assertSaved(): void {
    if (!this.#isSaved) this.save();
  }

  /** Removes a customer, and the address from the answer that is kept for a repeated request. */
  forgetCustomer(id: string): void {
    delete this.data.customers[id];
    for (const [key, { answer }] of Object.entries(this.data.idempotent)) {
      if ((answer as Partial<Customer> | null)?.id === id) delete this.data.idempotent[key];
    }
  }

  /** Removes all emails to an address. */
  forgetMails(to: string): void {
    const own = to.toLowerCase();
    this.data.mails = this.data.mails.filter((mail) => mail.to.toLowerCase() !== own);
  }

  /** Unix seconds on the sandbox's own clock. */
  now(): number {
    return Math.floor((Date.now() + this.data.clockAheadMs) / 1000);
  }

  newId(prefix: string): string {
    return `${prefix}_${randomBytes(12).toString("hex")}`;
  }
}

/** Adds calendar months, clamped to the last day of shorter months (January 31 + 1 month = February 28 or 29). */
export function addMonths(unixSeconds: number, months: number): number {
  const date = new Date(unixSeconds * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return Math.floor(date.getTime() / 1000);
}
