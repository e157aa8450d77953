import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Constant-time comparison: its duration does not reveal how much was right. */
export function isSameText(given: unknown, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return typeof given === "string" && timingSafeEqual(digest(given), digest(expected));
}

/** What a browser keeps once the operator's secret was given; valid for the outbox only. */
export function passOf(secret: string): string {
  return createHmac("sha256", secret).update("outbox").digest("base64url");
}
