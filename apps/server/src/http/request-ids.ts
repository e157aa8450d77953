import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { TrustedProxies } from "../settings/trusted-proxies.ts";

/** Request ids accepted from a proxy: anything else might not be a harmless name in a log. */
const WELL_FORMED = /^[\w.:-]{8,128}$/;

/** Names requests: as a trusted proxy has named them (X-Request-Id), otherwise by a new UUID. */
export function requestIds(trusted: TrustedProxies): (request: IncomingMessage) => string {
  const isProxy = proxies(trusted);
  return ({ headers, socket }) => {
    const given = headers["x-request-id"];
    const isTaken =
      typeof given === "string" && WELL_FORMED.test(given) && isProxy(socket.remoteAddress ?? "");
    return isTaken ? given : randomUUID();
  };
}

/** Whether the caller is a proxy in front. A configured number of proxies means that nobody else can call. */
export function proxies(trusted: TrustedProxies): (address: string) => boolean {
  if (typeof trusted === "number") return () => true;
  if (trusted === false) return () => false;
  const trusts = proxyAddr.compile(trusted);
  return (address) => trusts(address, 0);
}
