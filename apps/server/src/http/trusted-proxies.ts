import { isIP } from "node:net";
import type * as z from "zod";

/**
 * Whose X-Forwarded-For is believed: nobody's (false), that of so many proxies in front, counted from ours, or that of
 * the proxies at these addresses. Never everybody's: then each caller could choose the address that limits count by.
 */
export type TrustedProxies = false | number | string[];

/** Names that stand for ranges: 127.0.0.0/8 and ::1; link-local; private. */
const RANGES = ["loopback", "linklocal", "uniquelocal"];

/** Reads STIPPLE_TRUST_PROXY. */
export function trustedProxies(text: string, context: z.RefinementCtx): TrustedProxies {
  const value = text.trim();
  if (value === "" || value === "false" || value === "0") return false;
  if (/^[1-9]$/.test(value)) return Number(value);
  const addresses = value.split(",").map((item) => item.trim());
  if (addresses.every((address) => RANGES.includes(address) || isRange(address))) return addresses;
  context.addIssue({
    code: "custom",
    message: `must be the number of proxies in front (1 to 9) or their addresses, e.g. 10.0.0.5, 10.1.0.0/16 or loopback, not "${value}"`,
  });
  return false;
}

function isRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  // A range of every address is everybody.
  if (prefix === undefined) return true;
  return (
    /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (family === 4 ? 32 : 128)
  );
}

/** The same for fastify, which takes a bare number for nobody. */
export function trustOf(
  trusted: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof trusted === "number" ? (_address, hop) => hop < trusted : trusted;
}
