import type { Server } from "node:http";
import type { Socket } from "node:net";
import { READINESS_PARTS } from "@stipple/contract";
import { sql } from "kysely";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Context } from "../context.ts";
import { STORAGE_TIMEOUT_MS } from "../operations/readiness.ts";
import { withTimeout } from "../operations/with-timeout.ts";

/** How long sums over whole tables are reused instead of computing them at each scrape. */
const SUMS_MS = 60_000;
/** Less than Prometheus's own timeout. */
const TIMEOUT_MS = 2_000;

/** An API's metrics about the platform and its own connections. All values are looked up on request. */
export function addPlatformMetrics(context: Context, server: Server): void {
  const { database, metrics, readiness, workers } = context;
  const { db } = database;
  gauge(metrics.registry, "stipple_queue_runs", {
    help: "Runs that are waiting (pending) or running. The same from every API.",
    label: "state",
    async look() {
      const { rows } = await sql<{ pending: string; running: string }>`
        select count(*) filter (where status = 'pending') as pending,
          count(*) filter (where status = 'running') as running
        from runs where status in ('pending', 'running')`.execute(db);
      return { pending: Number(rows[0]?.pending), running: Number(rows[0]?.running) };
    },
  });
  gauge(metrics.registry, "stipple_queue_oldest_seconds", {
    help: "Age of the longest-waiting run; 0 if none is waiting.",
    async look() {
      const { rows } = await sql<{ seconds: number }>`
        select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as seconds
        from runs where status = 'pending'`.execute(db);
      return { "": Math.max(0, rows[0]?.seconds ?? 0) };
    },
  });
  gauge(metrics.registry, "stipple_workers", {
    help: "Workers that are alive.",
    look: async () => ({ "": await workers.live() }),
  });
  let stored = { bytes: NaN, until: -Infinity };
  gauge(metrics.registry, "stipple_stored_bytes", {
    help: "Bytes of all stored objects according to the database; at most a minute old.",
    async look() {
      if (performance.now() > stored.until) {
        const { bytes } = await db
          .selectFrom("objects")
          .select((of) => of.fn.sum<string | null>("size").as("bytes"))
          .executeTakeFirstOrThrow();
        stored = { bytes: Number(bytes ?? 0), until: performance.now() + SUMS_MS };
      }
      return { "": stored.bytes };
    },
  });
  gauge(metrics.registry, "stipple_ready", {
    help: "1 if a part that the API needs is healthy, otherwise 0.",
    label: "part",
    timeoutMs: STORAGE_TIMEOUT_MS + TIMEOUT_MS,
    async look() {
      const failing = await readiness.failing();
      return Object.fromEntries(
        READINESS_PARTS.map((part) => [part, failing.includes(part) ? 0 : 1]),
      );
    },
  });
  countBytes(server, [metrics.registry]);
}

/**
 * A gauge with a value for each label, or one value without a label (""). If a value cannot be determined, it is NaN,
 * so that the others are still reported.
 */
function gauge(
  registry: Registry,
  name: string,
  is: {
    help: string;
    label?: string;
    timeoutMs?: number;
    look: () => Promise<Record<string, number>>;
  },
): void {
  const { help, label, look, timeoutMs = TIMEOUT_MS } = is;
  let known: string[] = label === undefined ? [""] : [];
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const values = await withTimeout(timeoutMs, look()).catch(() =>
        Object.fromEntries(known.map((key) => [key, NaN])),
      );
      known = Object.keys(values);
      for (const [key, value] of Object.entries(values)) {
        if (label === undefined) this.set(value);
        else this.set({ [label]: key }, value);
      }
    },
  });
}

/** Counts the bytes on the server's connections, including request and response headers, without touching them. */
function countBytes(server: Server, registers: Registry[]): void {
  const open = new Map<Socket, { read: number; written: number }>();
  const received = new Counter({
    name: "stipple_http_received_bytes_total",
    help: "Bytes received from browsers and other clients.",
    registers,
    collect: () => [...open.keys()].forEach(count),
  });
  const sent = new Counter({
    name: "stipple_http_sent_bytes_total",
    help: "Bytes sent to browsers and other clients.",
    registers,
    collect: () => [...open.keys()].forEach(count),
  });
  function count(socket: Socket): void {
    const before = open.get(socket);
    if (!before) return;
    received.inc(socket.bytesRead - before.read);
    sent.inc(socket.bytesWritten - before.written);
    before.read = socket.bytesRead;
    before.written = socket.bytesWritten;
  }
  server.on("connection", (socket) => {
    open.set(socket, { read: 0, written: 0 });
    socket.once("close", () => {
      count(socket);
      open.delete(socket);
    });
  });
}
