import * as z from "zod";
import { defineRoute } from "./define.ts";

export const tier = z.enum(["trial", "single_analysis", "basic", "professional", "enterprise"]);
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
  data_retention_end_date: z.string().nullable(),
  subscription_end_date: z.string().nullable(),
  subscription_status: subscriptionStatus,
  subscription_tier: tier,
  stripe_subscription_id: z.string().nullable(),
});
export type Subscription = z.infer<typeof subscription>;

export const register = defineRoute({
  method: "POST",
  path: "/register",
  access: "public",
  summary: "Create an account; its four-day trial starts now.",
  body: z.object({ email: z.string(), password: z.string(), confirmPassword: z.string() }),
  answers: { 201: z.object({ message: z.string() }) },
});

export const login = defineRoute({
  method: "POST",
  path: "/login",
  access: "public",
  summary: "Exchange e-mail and password for a bearer token.",
  body: z.object({ email: z.string(), password: z.string() }),
  answers: {
    200: z.object({ token: z.string(), userId: z.string(), sub: z.string(), message: z.string() }),
  },
});

export const logout = defineRoute({
  method: "POST",
  path: "/logout",
  access: "session",
  summary: "Revoke the token that made this call.",
  answers: { 200: z.object({ message: z.string() }) },
});

export const verifySubscription = defineRoute({
  method: "GET",
  path: "/verify-subscription",
  access: "session",
  summary: "The signed-in person's plan, usage and dates.",
  answers: { 200: subscription },
});
