import type { SubscriptionStatus } from "@stipple/contract/business/plans";

export const STATUS_NAMES: Record<SubscriptionStatus, string> = {
  trial: "Trial",
  active: "Active",
  expired: "Expired",
  cancelled: "Cancelled",
};

export const UNLIMITED_TEXT = "Unlimited";
