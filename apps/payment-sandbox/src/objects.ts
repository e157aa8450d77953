import type Stripe from "stripe";

/** Some fields of one of Stripe's objects, with the names and types that its SDK declares. */
type Of<
  Whole,
  Fields extends Part<Whole> & Record<Exclude<keyof Fields, keyof Whole>, never>,
> = Fields;
type Part<T> = T extends object ? { [Name in keyof T]?: Part<T[Name]> } : T;

interface Customer {
  email: string;
  /** If negative, a credit to deduct from the next invoices. */
  balance?: number;
}
interface Price {
  product: string;
  unit_amount: number;
  active: boolean;
  lookup_key: string | null;
  recurring: { interval: "month" } | null;
}
interface Session {
  mode: "payment" | "subscription";
  status: "open" | "complete" | "expired";
  payment_status: "unpaid" | "paid";
  customer: string;
  amount_total: number;
  success_url: string;
  cancel_url: string;
  url: string;
  metadata: Record<string, string>;
  subscription: string | null;
  /** Null for a subscription. */
  payment_intent: string | null;
  invoice: string | null;
  expires_at: number;
}
/** Metadata for what a checkout makes. */
interface Made {
  payment_intent: Record<string, string>;
  subscription: Record<string, string>;
}
interface PaymentIntent {
  amount: number;
  customer: string;
  status: "succeeded" | "requires_payment_method";
  latest_charge: string | null;
  metadata: Record<string, string>;
}
interface Charge {
  amount: number;
  customer: string;
  /** What was bought, for the receipt. */
  description: string;
  receipt_url: string;
}
interface Subscription {
  customer: string;
  status: "active" | "past_due" | "canceled";
  cancel_at_period_end: boolean;
  /** Set by tests alone: a time at which the provider's own pages end the plan. */
  cancel_at: number | null;
  ended_at: number | null;
  items: {
    object: "list";
    data: [{ price: Stored<"prices">; current_period_start: number; current_period_end: number }];
  };
  schedule: string | null;
  metadata: Record<string, string>;
  latest_invoice: string | null;
}
interface Schedule {
  subscription: string | null;
  phases: { start_date: number; end_date: number; items: { price: string }[] }[];
}
interface Invoice {
  customer: string;
  status: "paid" | "open" | "void";
  auto_advance?: boolean;
  total: number;
  amount_due: number;
  amount_paid: number;
  billing_reason: "subscription_create" | "subscription_cycle";
  parent: { subscription_details: { subscription: string } };
  lines: { object: "list"; data: [{ pricing: { price_details: { price: string } } }] };
  description: string;
  hosted_invoice_url: string;
}

/** The provider's objects, with the fields that our server reads. Times are Unix seconds, amounts cents. */
export interface Objects {
  /** With the test card, charged for renewals; not in Stripe's answers. */
  customers: Of<Stripe.Customer, Customer> & { card?: string };
  products: Of<Stripe.Product, { name: string }>;
  prices: Of<Stripe.Price, Price>;
  /** With what it was asked to make; not in Stripe's answers. */
  sessions: Of<Stripe.Checkout.Session, Session> & { price: string; made: Made };
  paymentIntents: Of<Stripe.PaymentIntent, PaymentIntent>;
  /** With its checkout, which the fault injection counts; not in Stripe's answers. */
  charges: Of<Stripe.Charge, Charge> & { session: string };
  subscriptions: Of<Stripe.Subscription, Subscription>;
  schedules: Of<Stripe.SubscriptionSchedule, Schedule>;
  invoices: Of<Stripe.Invoice, Invoice>;
  /** With whether our webhook has accepted it; not in Stripe's answers. */
  events: { type: string; data: { object: unknown }; delivered: boolean };
}

export type Table = keyof Objects;
export type Stored<T extends Table> = {
  id: string;
  object: (typeof KINDS)[T]["object"];
  created: number;
} & Objects[T];

/** What each table's objects are called, and what their IDs begin with. */
export const KINDS = {
  customers: { object: "customer", prefix: "cus" },
  products: { object: "product", prefix: "prod" },
  prices: { object: "price", prefix: "price" },
  sessions: { object: "checkout.session", prefix: "cs_test" },
  paymentIntents: { object: "payment_intent", prefix: "pi" },
  charges: { object: "charge", prefix: "ch" },
  subscriptions: { object: "subscription", prefix: "sub" },
  schedules: { object: "subscription_schedule", prefix: "sub_sched" },
  invoices: { object: "invoice", prefix: "in" },
  events: { object: "event", prefix: "evt" },
} as const;
