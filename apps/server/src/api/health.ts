import { health, ready, type ReadinessPart } from "@stipple/contract";
import type { Context } from "../context.ts";
import { withTimeout } from "../operations/with-timeout.ts";
import type { Mount } from "../http/route-adapter.ts";

const VERSION = "0.1.0";
/** A health check does not wait for a database that does not respond. */
const HEALTH_TIMEOUT_MS = 1_000;

export function healthRoutes(mount: Mount, { workers, readiness }: Context): void {
  mount(health, async () => {
    const live = await withTimeout(HEALTH_TIMEOUT_MS, workers.live()).catch(() => null);
    return {
      status: 200,
      body: {
        status: live ? ("ok" as const) : ("degraded" as const),
        version: VERSION,
        database: live !== null,
        workers: live ?? 0,
      },
    };
  });

  mount(ready, async () => {
    const body = (status: "ready" | "not_ready" | "stopping", failing: ReadinessPart[] = []) => ({
      status,
      version: VERSION,
      failing,
    });
    if (readiness.isStopping) return { status: 503, body: body("stopping") };
    const failing = await readiness.failing();
    return failing.length === 0
      ? { status: 200, body: body("ready") }
      : { status: 503, body: body("not_ready", failing) };
  });
}
