import { Gauge } from "prom-client";
import type { Database } from "../db/database.ts";
import type { Metrics } from "./metrics.ts";

/** Every process's metrics about its database connections. */
export function addDatabaseMetrics({ registry }: Metrics, database: Database): void {
  new Gauge({
    name: "stipple_database_connections",
    help: "Connections in the process's pool: open, idle, and requests waiting for one.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { open, idle, waiting } = database.connections();
      this.set({ state: "open" }, open);
      this.set({ state: "idle" }, idle);
      this.set({ state: "waiting" }, waiting);
    },
  });
  new Gauge({
    name: "stipple_database_connections_most",
    help: "Maximum connections in the process's pool.",
    registers: [registry],
    collect() {
      this.set(database.connections().most);
    },
  });
}
