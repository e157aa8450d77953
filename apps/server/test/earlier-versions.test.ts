import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { stepFolder } from "@stipple/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres, type RunningPostgres } from "../../cli/src/serve/postgres.ts";
import { readAnnotations } from "../src/annotations/annotations.ts";
import { readConfig } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { openDatabase } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { migrations } from "../src/db/migrations/index.ts";
import { buildServer } from "../src/api/server.ts";
import { viewsOf } from "../src/visualization/views.ts";

/**
 * Databases from every earlier version, with rows as that version wrote them, are migrated to this version and read
 * through it. `earlier-versions/<from>[-<to>]-<what>.sql` holds the rows of versions from … to; a new migration needs a
 * file here if it creates tables or columns.
 */
const ROWS = join(import.meta.dirname, "earlier-versions");
const PROJECT = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
const names = Object.keys(migrations);

let folder: string;
let postgres: RunningPostgres;
let admin: pg.Client;
let files: { from: number; to: number; sql: string }[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-versions-"));
  await chmod(folder, 0o755);
  postgres = await startPostgres({ dataDir: join(folder, "database"), throwaway: true });
  admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  files = await Promise.all(
    (await readdir(ROWS)).map(async (name) => {
      const [, from, to = "9999"] = /^(\d{4})(?:-(\d{4}))?-/.exec(name)!;
      return { from: Number(from), to: Number(to), sql: await readFile(join(ROWS, name), "utf8") };
    }),
  );
  // Rows that end with a version refer to rows that stay.
  files.sort((a, b) => a.from - b.from || b.to - a.to);
  // Creating the queue's tables is the slowest part: do it once for all.
  await admin.query("create database with_queue");
  const url = new URL(postgres.url);
  url.pathname = "/with_queue";
  await DBOS.migrate(url.href);
});
afterAll(async () => {
  await admin.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

/** A database as left by version `number`, with its stored files. */
async function databaseOf(number: number): Promise<NodeJS.ProcessEnv> {
  const name = `version_${number}`;
  await admin.query(`create database ${name} template with_queue`);
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  {
    await using database = openDatabase(url.href);
    const provider = { getMigrations: () => Promise.resolve(migrations) };
    const { error } = await new Migrator({ db: database.db, provider }).migrateTo(
      names[number - 1],
    );
    if (error) throw error;
  }
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const { from, to, sql } of files) {
      if (from <= number && number <= to) await client.query(sql);
    }
  } finally {
    await client.end();
  }
  const dataDir = join(folder, name);
  for (const [key, content] of [
    [`projects/${PROJECT}/input/scalefactors_json.json`, "{}"],
    ["objects/eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee", "summary"],
  ] as const) {
    const path = join(dataDir, "files", key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return { DATABASE_URL: url.href, STIPPLE_DATA_DIR: dataDir, STIPPLE_LOG_LEVEL: "error" };
}

describe("a database of an earlier version, with data in it", () => {
  // The last one is this version itself: its rows show what the others' rows must become.
  it.each(names.map((name, index) => [name, index + 1] as const))("%s", async (_, number) => {
    const since = <T>(version: number, value: T, before: T): T =>
      number >= version ? value : before;
    const environment = await databaseOf(number);
    const config = readConfig(environment);
    await migrate(config.databaseUrl);
    const context = await openContext(config, { name: "test" });
    const app = await buildServer(context);
    try {
      let token = "";
      const call = async (method: "GET" | "POST" | "DELETE", path: string, payload?: object) => {
        const headers = token ? { authorization: `Bearer ${token}` } : {};
        const url = `/api${path}`;
        const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
        expect([path, answer.statusCode]).toEqual([path, 200]);
        return answer.json();
      };
      const credentials = { email: "ada@example.org", password: "secret1" };
      token = (await call("POST", "/login", credentials)).token as string;

      expect(await call("GET", "/projects")).toMatchObject([
        { name: "On its way", status: "created" },
        { name: "Mouse brain", status: since(2, "completed", "created") },
      ]);
      expect(await call("GET", "/verify-subscription")).toMatchObject({
        subscription_tier: since(3, "basic", "trial"),
        subscription_status: since(3, "cancelled", "trial"),
        single_analyses_purchased: since(3, 1, 0),
        total_spots: since(2, 1234, 0),
      });
      const paid = await call("GET", "/user/transactions");
      expect((paid as { status: string }[]).map(({ status }) => status)).toEqual(
        since(3, ["failed", "succeeded"], []),
      );
      const chunks = `/upload/spatial_11/chunks?type=scale&project_id=${PROJECT}`;
      expect(await call("GET", chunks)).toMatchObject({ complete: true, size: 2 });
      const [input] = await context.uploads.inputs(PROJECT);
      expect(await text(await context.storage.get(input.storageKey))).toBe("{}");
      const status = await call("GET", `/status?project_id=${PROJECT}`);
      expect(status.output_files.step_7).toEqual(since(7, ["summary.json"], []));
      if (number >= 7) {
        const path = `${stepFolder(7)}/summary.json`;
        const found = await context.outputs.find(PROJECT, path);
        expect(await text(await context.outputs.open(found!))).toBe("summary");
      }
      expect((await viewsOf(context.database.db, PROJECT)).map(({ state }) => state)).toEqual(
        since(5, [{ text: "\u0000\ud800" }], []),
      );
      expect(await call("GET", `/projects/${PROJECT}/shares`)).toMatchObject(
        since<object[]>(5, [{ note: "for Eve" }], []),
      );
      expect((await readAnnotations(context.database.db, PROJECT)).items).toMatchObject(
        since<object[]>(19, [{ kind: "name", value: { label: "Follicle" } }], []),
      );
      expect(await call("GET", `/projects/${PROJECT}/annotations/history`)).toHaveLength(
        since(19, 1, 0),
      );
      expect(await call("GET", "/studies")).toMatchObject(
        since<object[]>(20, [{ name: "First study", samples: 1 }], []),
      );
      expect(await call("GET", "/gene_lists")).toEqual(
        since<object[]>(24, [{ name: "T cells", genes: ["CD3E"] }], []),
      );
      // Results that an earlier version delivered are never given back.
      const analyses = await context.database.db
        .selectFrom("analyses")
        .select(["yielded_at", "completed_at"])
        .execute();
      expect(analyses.map((one) => one.yielded_at?.getTime())).toEqual(
        analyses.map((one) => one.completed_at?.getTime()),
      );
      expect(analyses).toHaveLength(since(2, 1, 0));
      const exported = await call("GET", "/account/export");
      expect(exported.sessions).toHaveLength(3);

      // Deletion leaves nothing behind.
      await call("DELETE", `/projects/${PROJECT}`);
      await context.deletions.finish();
      for await (const { key } of context.storage.list("projects")) expect(key).toBeNull();
    } finally {
      await app.close();
      await context[Symbol.asyncDispose]();
    }
  });
});
