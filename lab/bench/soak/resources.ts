import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

/** The platform's resource use at one moment, by name. */
export type Held = Record<string, number>;

/** Names, units, and the permitted rise of each over the evaluated period; see flat.ts. */
export const BOUNDS = {
  "API memory, MB": { share: 0.1, least: 25 },
  "worker memory, MB": { share: 0.1, least: 25 },
  "API handles": { share: 0.1, least: 4 },
  "worker handles": { share: 0.1, least: 4 },
  "database connections": { share: 0.1, least: 3 },
  files: { share: 0.1, least: 30 },
  "deleted files still open": { share: 0, least: 2 },
} as const;

/** Inspects the processes of a platform started by `serve` on a data folder (Linux). */
export async function openResources(dataDir: string, databaseUrl: string) {
  const serve = (JSON.parse(readFileSync(join(dataDir, "serve.json"), "utf8")) as { pid: number })
    .pid;
  const client = new pg.Client({ connectionString: databaseUrl });
  // The connection breaks when the platform stops the database.
  client.on("error", () => undefined);
  await client.connect();
  return {
    async look(): Promise<Held> {
      const { api, worker } = servicesOf(serve);
      const { rows } = await client.query<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database()",
      );
      return {
        "API memory, MB": memoryMb(api),
        "worker memory, MB": memoryMb(worker),
        "API handles": handles(api).length,
        "worker handles": handles(worker).length,
        "database connections": (rows[0]?.n ?? 1) - 1,
        files: await filesIn(dataDir),
        "deleted files still open": [...handles(api), ...handles(worker)].filter((path) =>
          path.endsWith(" (deleted)"),
        ).length,
      } satisfies Record<keyof typeof BOUNDS, number>;
    },
    /** CPU seconds used by API and worker. */
    cpuSeconds(): number {
      const { api, worker } = servicesOf(serve);
      return cpuOf(api) + cpuOf(worker);
    },
    close: () => client.end(),
  };
}

function servicesOf(serve: number): { api: number; worker: number } {
  const services = { api: 0, worker: 0 };
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      if (Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]) !== serve) continue;
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      if (command.includes("main-api.ts")) services.api = Number(name);
      if (command.includes("main-worker.ts")) services.worker = Number(name);
    } catch {
      // The process has exited since it was listed.
    }
  }
  if (!services.api || !services.worker) throw new Error("The API or the worker does not run.");
  return services;
}

function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

function handles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Number of files of the platform, excluding the database's own. */
async function filesIn(dataDir: string): Promise<number> {
  let count = 0;
  for (const top of await readdir(dataDir, { withFileTypes: true })) {
    if (!top.isDirectory() || top.name === "postgres") continue;
    count += await filesBelow(join(dataDir, top.name));
  }
  return count;
}

/** Folders may disappear while being counted. */
async function filesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let count = 0;
  for (const entry of entries) {
    count += entry.isDirectory() ? await filesBelow(join(folder, entry.name)) : 1;
  }
  return count;
}
