import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { collectDefaultMetrics } from "prom-client";
import { StartRefused } from "../start.ts";
import type { Metrics } from "./metrics.ts";

export interface MetricsSettings {
  port: number;
  host: string;
  /** What a caller must send; undefined only where nobody but this machine can call. */
  token: string | undefined;
}

export interface MetricsServer extends AsyncDisposable {
  url: string;
}

/** Answers `/metrics` in Prometheus' format, on its own port that no visitor reaches. */
export async function serveMetrics(
  { registry }: Metrics,
  { port, host, token }: MetricsSettings,
): Promise<MetricsServer> {
  // Memory, handles, garbage collection, event loop lag. Sampling the loop five times a second has no measurable cost.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 200 });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.split("?", 1)[0] !== "/metrics") return void response.writeHead(404).end();
    if (request.method !== "GET") return void response.writeHead(405, { allow: "GET" }).end();
    if (token !== undefined && !isSame(request.headers.authorization, `Bearer ${token}`)) {
      return void response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    }
    const text = await registry.metrics();
    response.writeHead(200, { "content-type": registry.contentType }).end(text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(`${(error as Error).message}\n`);
    });
  });
  server.listen(port, host);
  await once(server, "listening").catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartRefused(
      `The metrics cannot listen on ${host}:${port} (${code}): choose a different STIPPLE_METRICS_PORT for each process.`,
      { cause },
    );
  });
  // Metrics alone keep no process alive.
  server.unref();
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/metrics`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      registry.clear();
    },
  };
}

/** Takes the same time whatever was sent. */
function isSame(given: string | undefined, wanted: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given ?? ""), hash(wanted));
}
