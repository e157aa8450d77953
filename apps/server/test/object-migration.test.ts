import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Migrator } from "kysely/migration";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { startPostgres } from "../../cli/src/serve/postgres.ts";
import { readConfig } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { openDatabase } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { migrations } from "../src/db/migrations/index.ts";
import { sweepObjects } from "../src/outputs/objects.ts";
import { keysBelow } from "./stored.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

it("files of an earlier installation remain in use as objects", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stipple-migration-"));
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ dataDir: join(folder, "database"), throwaway: true });
  const environment = { DATABASE_URL: postgres.url, STIPPLE_DATA_DIR: join(folder, "data") };
  try {
    const [user, a, b] = [randomUUID(), randomUUID(), randomUUID()];
    const keyOf = (project: string, name: string) => `projects/${project}/input/${name}`;
    const put = async (key: string, text: string) => {
      const path = join(folder, "data/files", key);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    };
    {
      await using database = openDatabase(postgres.url);
      const provider = { getMigrations: () => Promise.resolve(migrations) };
      await new Migrator({ db: database.db, provider }).migrateTo("0005-sharing");
      await sql`insert into users values (${user}, 'a@example.org', 'x', now())`.execute(
        database.db,
      );
      for (const project of [a, b]) {
        await sql`insert into projects values (${project}, ${user}, 'P', '{"platform":"visium"}', now())`.execute(
          database.db,
        );
        // The same file in both; another without hashes, as in the sample; a third half uploaded.
        for (const [slot, name, text, hashes] of [
          ["scale", "scalefactors_json.json", "{}", [sha256("{}")]],
          ["positions", "tissue_positions.csv", `of ${project}`, []],
        ] as const) {
          await put(keyOf(project, name), text);
          await sql`insert into uploads (project_id, slot, file_name, size, storage_key, chunks, chunk_hashes)
            values (${project}, ${slot}, ${name}, ${text.length}, ${keyOf(project, name)}, 1, ${JSON.stringify(hashes)})`.execute(
            database.db,
          );
        }
        await sql`insert into uploads (project_id, slot, incoming_name, incoming_chunks)
          values (${project}, 'he_image', 'a.tif', 3)`.execute(database.db);
        await sql`insert into upload_chunks values (${project}, 'he_image', 0, 1, 'x')`.execute(
          database.db,
        );
        await put(`projects/${project}/incoming/he_image.partial`, "half");
      }
    }

    await migrate(postgres.url);
    const context = await openContext(readConfig(environment), { name: "test" });
    const { database, storage, uploads, projects } = context;
    const contents = async (project: string) =>
      Promise.all(
        (await uploads.inputs(project)).map(async ({ name, storageKey, digest, size }) => {
          const text = (await buffer(await storage.get(storageKey))).toString();
          expect([digest, size]).toEqual([sha256(sha256(text)), text.length]);
          return `${name}: ${text}`;
        }),
      );
    try {
      for (const project of [a, b]) {
        const expected = [`tissue_positions.csv: of ${project}`, "scalefactors_json.json: {}"];
        expect(await contents(project)).toEqual(expected);
      }
      await sweepObjects(database.db, storage);
      // One of the two identical files is left, and nothing of the half-finished upload.
      expect(await keysBelow(storage, "projects")).toHaveLength(3);
      // Whichever project's folder holds it, it outlives that project.
      const shared = (await uploads.inputs(a)).find(({ slot }) => slot === "scale")?.storageKey;
      const [first, last] = shared?.includes(a) ? [a, b] : [b, a];
      await projects.remove(user, first);
      expect(await contents(last)).toContain("scalefactors_json.json: {}");
      await projects.remove(user, last);
      expect(await keysBelow(storage, "")).toEqual([]);
    } finally {
      await context[Symbol.asyncDispose]();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
});
