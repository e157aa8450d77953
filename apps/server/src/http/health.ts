import { health } from "@stipple/contract";
import { sql } from "kysely";
import type { Context } from "../context.ts";
import type { Mount } from "./route-adapter.ts";

const VERSION = "0.1.0";

export function healthRoutes(mount: Mount, { database, workers }: Context): void {
  mount(health, async () => {
    const live = await sql`select 1`.execute(database.db).then(
      () => workers.live(),
      () => null,
    );
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
}
