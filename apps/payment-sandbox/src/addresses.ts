import ipaddr from "ipaddr.js";

/** Names that no public name server resolves (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const PRIVATE_NAME = /^[^.]+$|\.(test|local|localhost|internal|home\.arpa)$/;
const PRIVATE_RANGES = ["loopback", "private", "linkLocal", "uniqueLocal"];

/** Whether a host, as written in URLs, is this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || rangeOf(host) === "loopback";
}

/** Whether a host can be reached from the internet by its name or address. */
export function isPublic(host: string): boolean {
  const range = rangeOf(host);
  return range === undefined ? !PRIVATE_NAME.test(host) : !PRIVATE_RANGES.includes(range);
}

/** The kind of network of an address; undefined for a name. */
function rangeOf(host: string): string | undefined {
  const bare = host.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) ? ipaddr.process(bare).range() : undefined;
}
