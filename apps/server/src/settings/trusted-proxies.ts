import { isIP } from "node:net";
import type { Kind } from "./kinds.ts";

/**
 * Whose X-Forwarded-For is trusted: nobody's (false), a number of proxies in front, or the proxies at these addresses.
 * Never everyone's: callers could then choose the address that limits count by.
 */
export type TrustedProxies = false | number | string[];

/** Names that stand for ranges: 127.0.0.0/8 and ::1; link-local; private. */
const RANGES = ["loopback", "linklocal", "uniquelocal"];

/** STIPPLE_TRUST_PROXY as a kind of setting. */
export const proxies: Kind<TrustedProxies> = {
  says: "false, the number of proxies in front (1 to 9), or their addresses, e.g. 10.0.0.5, 10.1.0.0/16, or loopback",
  parse(text) {
    const value = text.trim();
    if (value === "false" || value === "0") return false;
    if (/^[1-9]$/.test(value)) return Number(value);
    const addresses = value.split(",").map((item) => item.trim());
    const areAddresses = addresses.every((address) => RANGES.includes(address) || isRange(address));
    return areAddresses ? addresses : undefined;
  },
};

function isRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  // A range of all addresses would trust everyone.
  if (prefix === undefined) return true;
  return (
    /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (family === 4 ? 32 : 128)
  );
}

/** The trusted proxies as fastify takes them: it treats a bare number as trusting nobody. */
export function trustOf(
  trusted: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof trusted === "number" ? (_address, hop) => hop < trusted : trusted;
}
