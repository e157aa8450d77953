/**
 * The provider's objects, with the fields of Stripe's API that our server reads. Times are Unix seconds, amounts cents.
 */
export interface Objects {
  customers: {
    email: string;
    /** If negative, a credit to deduct from the next invoices. */
    balance?: number;
    /** The test card, charged for renewals; not in Stripe's answers. */
    card?: string;
  };
  products: { name: string };
  prices: {
    product: string;
    unit_amount: number;
    lookup_key: string | null;
    recurring: { interval: "month" } | null;
  };
  sessions: {
    mode: "payment" | "subscription";
    status: "open" | "complete" | "expired";
    payment_status: "unpaid" | "paid";
    customer: string;
    price: string;
    amount_total: number;
    success_url: string;
    cancel_url: string;
    url: string;
    metadata: Record<string, string>;
    subscription: string | null;
    payment_intent: string | null;
    invoice: string | null;
    expires_at: number;
  };
  paymentIntents: {
    amount: number;
    customer: string;
    status: "succeeded" | "requires_payment_method";
    latest_charge: string | null;
    metadata: Record<string, string>;
  };
  charges: {
    amount: number;
    customer: string;
    payment_intent: string;
    /** What was bought, for the receipt. */
    description: string;
    receipt_url: string;
  };
  subscriptions: {
    customer: string;
    status: "active" | "past_due" | "canceled";
    cancel_at_period_end: boolean;
    /** Set by tests alone: a time at which the provider's own pages end the plan. */
    cancel_at?: number | null;
    ended_at: number | null;
    items: {
      object: "list";
      data: [{ price: Stored<"prices">; current_period_start: number; current_period_end: number }];
    };
    schedule: string | null;
    metadata: Record<string, string>;
    latest_invoice: string | null;
  };
  schedules: {
    subscription: string | null;
    phases: { start_date: number; end_date: number | null; items: { price: string }[] }[];
  };
  invoices: {
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
  };
  events: {
    type: string;
    data: { object: unknown };
    /** Whether our webhook has accepted it; not in Stripe's answers. */
    delivered: boolean;
  };
}

export type Table = keyof Objects;
export type Stored<T extends Table> = { id: string; object: string; created: number } & Objects[T];

/** What each table's objects are called, and what their IDs begin with. */
export const KINDS: Record<Table, { object: string; prefix: string }> = {
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
};
