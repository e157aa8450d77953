/**
 * The warning to log at startup if users come through a proxy (the public URL has another port, or TLS, which we do not
 * speak) that is not trusted: all of them then share one address and its limits. Null if all is well.
 */
export function untrustedProxyWarning(config: {
  publicUrl: string;
  port: number;
  trustProxy: unknown;
}): string | null {
  const url = new URL(config.publicUrl);
  const isDirect = url.protocol === "http:" && Number(url.port || 80) === config.port;
  if (isDirect || (config.trustProxy !== false && config.trustProxy !== "")) return null;
  return "No proxy is trusted (STIPPLE_TRUST_PROXY): everyone behind the proxy counts as one address and shares the per-minute limits of sign-ups, logins, and password resets. Set it to the number of proxies in front, or to their addresses.";
}
