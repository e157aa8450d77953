import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const) {
  PRIVATE.addSubnet(network, prefix, "ipv4");
}
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");

/** Names that no public name server resolves (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const PRIVATE_NAME = /^[^.]+$|\.(test|local|internal|home\.arpa)$/;

/** Whether a host, as written in URLs, is this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || among(LOOPBACK, host);
}

/** Whether a host can be reached from the internet by its name or address. */
export function isPublic(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isLoopback(host) || among(PRIVATE, host)) return false;
  return isIP(bare) !== 0 || !PRIVATE_NAME.test(bare);
}

function among(list: BlockList, host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  const family = isIP(bare);
  return family !== 0 && list.check(bare, family === 6 ? "ipv6" : "ipv4");
}
