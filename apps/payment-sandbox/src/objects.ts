/**
 * The provider's objects, with the fields from Stripe's API of 2026-10 that our server reads. Times are Unix seconds,
 * amounts are cents.
 */
export interface Customer {
  id: string;
  object: "customer";
  email: string | null;
  metadata: Record<string, string>;
  created: number;
  /** If negative, a credit to deduct from the next invoices. */
  balance?: number;
  /** Test card charged for renewals; not part of the API's response. */
  card?: string;
}

export interface Product {
  id: string;
  object: "product";
  name: string;
  metadata: Record<string, string>;
}

export interface Price {
  id: string;
  object: "price";
  product: string;
  currency: string;
  unit_amount: number;
  lookup_key: string | null;
  recurring: { interval: "month"; interval_count: number } | null;
}

export interface CheckoutSession {
  id: string;
  object: "checkout.session";
  mode: "payment" | "subscription";
  status: "open" | "complete" | "expired";
  payment_status: "unpaid" | "paid";
  customer: string;
  client_reference_id: string | null;
  price: string;
  amount_total: number;
  currency: string;
  success_url: string;
  cancel_url: string;
  url: string;
  metadata: Record<string, string>;
  subscription_data: { metadata: Record<string, string> };
  subscription: string | null;
  payment_intent: string | null;
  invoice: string | null;
  created: number;
  expires_at: number;
}

export interface PaymentIntent {
  id: string;
  object: "payment_intent";
  amount: number;
  currency: string;
  customer: string;
  status: "succeeded" | "requires_payment_method";
  latest_charge: string | null;
  metadata: Record<string, string>;
  created: number;
}

export interface Charge {
  id: string;
  object: "charge";
  amount: number;
  currency: string;
  customer: string;
  payment_intent: string;
  /** What was bought, for the receipt. */
  description: string;
  receipt_url: string;
  created: number;
}

export interface SubscriptionItem {
  id: string;
  object: "subscription_item";
  price: Price;
  quantity: number;
  current_period_start: number;
  current_period_end: number;
}

export interface Subscription {
  id: string;
  object: "subscription";
  customer: string;
  status: "active" | "past_due" | "canceled";
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  ended_at: number | null;
  items: { object: "list"; data: SubscriptionItem[] };
  schedule: string | null;
  metadata: Record<string, string>;
  latest_invoice: string | null;
  created: number;
  /** Failed attempts at the current renewal; not part of the API's response. */
  failures?: number;
  /** When the next attempt is due; not part of the API's response. */
  retryAt?: number | null;
}

export interface Phase {
  start_date: number;
  end_date: number | null;
  items: { price: string; quantity: number }[];
}

export interface SubscriptionSchedule {
  id: string;
  object: "subscription_schedule";
  subscription: string | null;
  customer: string;
  status: "active" | "released" | "canceled" | "completed";
  phases: Phase[];
  end_behavior: "release" | "cancel";
  created: number;
}

export interface Invoice {
  id: string;
  object: "invoice";
  customer: string;
  status: "paid" | "open";
  total: number;
  amount_due: number;
  amount_paid: number;
  currency: string;
  billing_reason: "subscription_create" | "subscription_cycle" | "upcoming";
  parent: { type: "subscription_details"; subscription_details: { subscription: string } };
  lines: {
    object: "list";
    data: {
      id: string;
      amount: number;
      pricing: { price_details: { price: string; product: string } };
      period: { start: number; end: number };
    }[];
  };
  hosted_invoice_url: string;
  created: number;
}

/** An email from our server, shown on the outbox page instead of being sent. Not part of the provider's API. */
export interface Mail {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  /** Real time, Unix seconds. */
  sent: number;
}

export interface Event {
  id: string;
  object: "event";
  type: string;
  api_version: string;
  created: number;
  data: { object: unknown };
  livemode: false;
  /** Attempts so far, and whether our webhook has accepted it; not part of the API's response. */
  attempts: number;
  delivered: boolean;
}
