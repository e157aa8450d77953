import * as z from "zod/mini";
import { TIERS } from "../business/plans.ts";
import { defineRoute } from "./define.ts";

export const tier = z.enum(TIERS);
export const subscriptionStatus = z.enum(["trial", "active", "expired", "cancelled"]);

export const subscription = z.object({
  id: z.string(),
  email: z.string(),
  analyses_count: z.int(),
  /** -1 = unlimited. */
  analyses_limit: z.int(),
  total_spots: z.int(),
  is_one_time: z.boolean(),
  single_analyses_purchased: z.int(),
  data_retention_end_date: z.nullable(z.string()),
  subscription_end_date: z.nullable(z.string()),
  subscription_status: subscriptionStatus,
  subscription_tier: tier,
  stripe_subscription_id: z.nullable(z.string()),
  /** Additive: the subscription whose renewal is unpaid, even in addition to a one-time plan; null if there is none. */
  unpaid_subscription: z.nullable(z.object({ id: z.string(), tier })),
  /** Additive: the lower plan that starts at the end of the period; null if none is scheduled. */
  scheduled_downgrade: z.nullable(z.object({ tier, effective_date: z.string() })),
  /** The server's clock, to compare the dates above with. */
  server_time: z.string(),
});
export type Subscription = z.infer<typeof subscription>;

export const register = defineRoute("POST", "/register", "public", {
  summary: "Create an account; its four-day trial starts now.",
  body: z.object({ email: z.string(), password: z.string(), confirmPassword: z.string() }),
  answers: { 201: z.object({ message: z.string() }) },
});

export const signedIn = z.object({
  token: z.string(),
  userId: z.string(),
  sub: z.string(),
  message: z.string(),
});
export type SignedIn = z.infer<typeof signedIn>;

/** The password is correct and the account has a second factor: what is still needed. */
export const secondStep = z.object({
  /** Valid for a few minutes and only for this account. */
  ticket: z.string(),
  /** Whether authenticator app codes are accepted. Recovery codes always are. */
  totp: z.boolean(),
  passkeys: z.boolean(),
  message: z.string(),
});
export type SecondStep = z.infer<typeof secondStep>;

export const login = defineRoute("POST", "/login", "public", {
  summary:
    "Exchange email and password for a bearer token; 202 if the account requires a second step.",
  body: z.object({ email: z.string(), password: z.string() }),
  answers: { 200: signedIn, 202: secondStep },
});

export const logout = defineRoute("POST", "/logout", "session", {
  summary: "Revoke the token that made this call.",
  answers: { 200: z.object({ message: z.string() }) },
});

export const verifySubscription = defineRoute("GET", "/verify-subscription", "session", {
  summary: "The signed-in user's plan, usage and dates.",
  answers: { 200: subscription },
});

export const requestPasswordReset = defineRoute("POST", "/request-password-reset", "public", {
  summary: "Email a link to choose a new password. The response is the same for unknown emails.",
  body: z.object({ email: z.string() }),
  answers: {
    200: z.object({
      message: z.string(),
      /** Where to read emails on an installation without a mail server; null with one. */
      outbox_url: z.nullable(z.string()),
    }),
  },
});

export const resetPassword = defineRoute("POST", "/reset-password", "public", {
  summary:
    "Set a new password with the token from an emailed link; ends every session of the account.",
  body: z.object({ token: z.string(), password: z.string(), confirmPassword: z.string() }),
  answers: { 200: z.object({ message: z.string() }) },
});

export const changePassword = defineRoute("POST", "/change-password", "session", {
  summary: "Set a new password; ends every other session of the account.",
  body: z.object({
    current_password: z.string(),
    password: z.string(),
    confirmPassword: z.string(),
  }),
  answers: { 200: z.object({ message: z.string() }) },
});

export const exportAccount = defineRoute("GET", "/account/export", "session", {
  summary: "Everything stored about the caller, as a JSON file.",
  answers: { 200: null },
});

export const deleteAccount = defineRoute("POST", "/delete-account", "session", {
  summary:
    "Delete the account with its projects and files, and end its plan. Refused while an analysis is queued or running.",
  body: z.object({ password: z.string() }),
  answers: { 200: z.object({ message: z.string() }) },
});
