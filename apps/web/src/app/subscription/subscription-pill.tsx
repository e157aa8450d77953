import type { SubscriptionStatus } from "@stipple/contract/business/plans";
import { StatusPill, type Tone } from "../../components/status-pill.tsx";
import { statusName } from "./status-names.ts";

const TONES: Partial<Record<SubscriptionStatus, Tone>> = {
  trial: "info",
  active: "ok",
  cancelled: "warn",
  expired: "bad",
};

/** The subscription's status; gray for unknown values. */
export function SubscriptionPill({ status }: { status: SubscriptionStatus }) {
  return <StatusPill tone={TONES[status] ?? "neutral"}>{statusName(status)}</StatusPill>;
}
