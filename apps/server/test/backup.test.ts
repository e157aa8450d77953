import { execFile } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { CHUNK_BYTES, stepFolder } from "@stipple/contract";
import { simulateTissue } from "@stipple/tissue";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backUp } from "../src/backup/back-up.ts";
import { verifyCommand } from "../src/backup/commands.ts";
import { fileKey, objectListKey, openBackup, tableKey } from "../src/backup/contents.ts";
import { holdObjects } from "../src/backup/hold.ts";
import { restore } from "../src/backup/restore.ts";
import { tablesOf } from "../src/backup/tables.ts";
import { verifyBackup } from "../src/backup/verify.ts";
import { readConfig, type Config } from "../src/config.ts";
import { openContext, type Context } from "../src/context.ts";
import { assertSameSecret } from "../src/db/check-database.ts";
import { buildServer } from "../src/api/server.ts";
import { checkStored } from "../src/outputs/check.ts";
import { sweepObjects } from "../src/outputs/objects.ts";
import { openSampleDataset } from "../src/sample/sample-dataset.ts";
import { openStorage } from "../src/storage/open-storage.ts";
import type { Storage } from "../src/storage/storage.ts";
import { publishFiles } from "./published.ts";
import { noS3, startS3 } from "./s3-server.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { damage, remaining } from "./stored.ts";
import { TestWorker } from "./worker.ts";

const LAUNCHER = fileURLToPath(new URL("../../cli/bin/stipple.cjs", import.meta.url));

let server: TestServer;
let folder: string;
let place: Storage;
beforeAll(async () => {
  server = await startTestServer();
  await assertSameSecret(server.config.databaseUrl, server.config.jwtSecret);
  folder = await mkdtemp(join(tmpdir(), "stipple-backup-"));
  place = await openStorage({ ...server.config.storage, address: `file:${join(folder, "place")}` });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** An empty instance: a database on the same server and its own data folder. */
interface Instance {
  config: Config;
  environment: NodeJS.ProcessEnv;
  databaseUrl: string;
  storage: Storage;
  jwtSecret: Uint8Array;
}

let instances = 0;
async function emptyInstance(change: NodeJS.ProcessEnv = {}): Promise<Instance> {
  const name = `restored_${++instances}`;
  const admin = new pg.Client({ connectionString: server.config.databaseUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(server.config.databaseUrl);
  url.pathname = `/${name}`;
  const environment = {
    DATABASE_URL: url.href,
    STIPPLE_DATA_DIR: join(folder, name),
    STIPPLE_WEB_DIR: join(folder, "web"),
    STIPPLE_SECRET: Buffer.from(server.config.jwtSecret).toString(),
    STIPPLE_LOG_LEVEL: "error",
    ...change,
  };
  const config = readConfig(environment);
  const storage = await openStorage(config.storage);
  return { config, environment, databaseUrl: url.href, storage, jwtSecret: config.jwtSecret };
}

const take = (from: TestServer = server, to = place) =>
  backUp(from.config.databaseUrl, from.context.storage, to);

/** The restored instance's API, on the first instance's shifted clock. */
async function open(instance: Instance): Promise<{ context: Context; app: FastifyInstance }> {
  const context = await openContext(instance.config, { clock: server.clock, name: "restored" });
  return { context, app: await buildServer(context) };
}

/** Every row of every table as text. */
async function rowsOf(databaseUrl: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const all: Record<string, string[]> = {};
  for (const { schema, name } of await tablesOf(client)) {
    const { rows } = await client.query<{ row: string }>(
      `select t::text as row from "${schema}"."${name}" t order by 1`,
    );
    all[`${schema}.${name}`] = rows.map(({ row }) => row);
  }
  await client.end();
  return all;
}

async function digests(storage: Storage): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const prefix of ["objects", "references"]) {
    for await (const { key } of storage.list(prefix)) {
      const hash = createHash("sha256");
      for await (const bytes of await storage.get(key)) hash.update(bytes as Buffer);
      found[key] = hash.digest("hex");
    }
  }
  return found;
}

describe("a backup", () => {
  const email = "ada@example.org";
  const big = randomBytes(CHUNK_BYTES + 1000);
  let token: string;
  let project: string;
  let unfinished: string;
  let link: string;
  let zip: Buffer;

  beforeAll(async () => {
    token = await server.signUp(email);
    const { id: userId } = (await server.call("GET", "/verify-subscription", { token })).json;
    const { db } = server.context.database;
    const now = server.clock.now();
    await db
      .insertInto("purchases")
      .values({ id: "cs_1", user_id: userId, tier: "single_analysis", purchased_at: now })
      .execute();
    await db
      .insertInto("payments")
      .values({
        id: "pi_1",
        user_id: userId,
        tier: "single_analysis",
        amount_cents: 9900,
        status: "succeeded",
        paid_at: now,
      })
      .execute();
    await db
      .insertInto("recovery_codes")
      .values({ user_id: userId, code_hash: "keyed with the secret", used_at: null })
      .execute();
    project = await server.newProject(token, 'Umlaut ü, quote " and \\N');
    // Names were not always limited to one line.
    await db
      .updateTable("projects")
      .set({ name: 'Umlaut ü, tab \t, quote " and \\N' })
      .where("id", "=", project)
      .execute();
    await server.sendChunk(token, project, "spatial_11?type=scale", {
      name: "scalefactors_json.json",
      bytes: Buffer.from('{"tissue_hires_scalef": 0.1}'),
    });
    await publishFiles(server, project, 6, {
      "figures/large.bin": randomBytes(300_000),
      "figures/a.txt": "a",
      "figures/empty.txt": "",
      "figures/b.txt": "b",
    });
    await publishFiles(server, project, 7, {
      [`${stepFolder(7)}/summary.json`]: "{}",
      "analysis_results/output/README.txt": "x".repeat(5000),
    });
    await server.context.database.transaction(async (transaction) => {
      const { entitlements } = server.context;
      await entitlements.reserveAnalysis(transaction, {
        id: randomUUID(),
        userId,
        projectId: project,
      });
      await entitlements.completeAnalysis(transaction, project, 10);
    });
    const shared = await server.call("POST", `/projects/${project}/shares`, {
      token,
      body: { days: 7, note: "for Eve" },
    });
    link = (shared.json.url as string).split("/").at(-1)!;
    await server.call("POST", `/projects/${project}/views`, {
      token,
      body: { name: "Lone surrogate", state: { text: "\ud800\u0000" } },
    });
    const download = await server.call("GET", `/download_output?project_id=${project}`, { token });
    expect(download.status).toBe(200);
    zip = download.bytes;
    const sha256 = createHash("sha256").update("profiles").digest("hex");
    await server.context.storage.put(`references/shared/${sha256}.h5ad`, "profiles");
    await server.context.storage.put(`references/shared/${sha256}.json`, "{}");
    unfinished = await server.newProject(token, "On its way");
    await sendChunk(0, server.call);
  });

  const sendChunk = async (chunk: number, call: TestServer["call"]) => {
    const form = new FormData();
    const part = big.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
    form.append("file", new Blob([part]), "tissue.tif");
    form.append("chunk", String(chunk));
    form.append("chunks", "2");
    const path = `/upload/he_image?project_id=${unfinished}`;
    return call("POST", path, { token, body: form });
  };

  it("restores into an empty instance, row by row and byte by byte", async () => {
    const { name, manifest, copied } = await take();
    expect(manifest.faults).toEqual([]);
    expect(copied.objects).toBe(manifest.objects.count);
    expect(await verifyBackup(place, name, manifest)).toEqual([]);
    const instance = await emptyInstance();
    await restore(instance, place, { name, manifest });

    const [before, after] = [
      await rowsOf(server.config.databaseUrl),
      await rowsOf(instance.databaseUrl),
    ];
    expect(before["public.upload_chunks"]).toHaveLength(1);
    expect(after["public.upload_chunks"]).toEqual([]);
    // Unfinished uploads must be sent again; everything else is unchanged.
    for (const table of ["public.upload_chunks", "public.uploads"]) {
      delete before[table];
      delete after[table];
    }
    expect(after).toEqual(before);
    const { storage } = server.context;
    const stored = await digests(storage);
    expect(Object.keys(stored).filter((key) => key.startsWith("references/"))).toHaveLength(2);
    expect(await digests(instance.storage)).toEqual(stored);

    const { app, context } = await open(instance);
    try {
      const url = await app.listen({ port: 0, host: "127.0.0.1" });
      const get = (path: string, bearer?: string) =>
        fetch(
          `${url}/api${path}`,
          bearer ? { headers: { authorization: `Bearer ${bearer}` } } : {},
        );
      const login = await fetch(`${url}/api/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password: "secret1" }),
      });
      expect(login.status).toBe(200);
      // The earlier session is still valid.
      const plan = (await (await get("/verify-subscription", token)).json()) as object;
      expect(plan).toMatchObject({ single_analyses_purchased: 1, analyses_count: 1 });
      const downloaded = await get(`/download_output?project_id=${project}`, token);
      expect(Buffer.from(await downloaded.arrayBuffer()).equals(zip)).toBe(true);
      const views = await get(`/visualization/${link}/views`);
      expect(await views.json()).toMatchObject([{ name: "Lone surrogate" }]);
      const sentAgain: number[] = [];
      for (const chunk of [0, 1]) {
        const answer = await sendChunk(chunk, async (method, path, options) => {
          const response = await fetch(`${url}/api${path}`, {
            method,
            headers: { authorization: `Bearer ${options?.token}` },
            body: options?.body as FormData,
          });
          const bytes = Buffer.from(await response.arrayBuffer());
          const { status, headers } = response;
          return { status, headers, json: JSON.parse(bytes.toString()), bytes };
        });
        sentAgain.push(answer.json.received?.length ?? answer.status);
      }
      // The last chunk is refused for its content (noise instead of a TIFF), so it arrived whole and was read.
      expect(sentAgain).toEqual([1, 422]);
      expect(
        (await checkStored(context.database.db, instance.storage, { graceMs: 0 })).missing,
      ).toEqual([]);
    } finally {
      await app.close();
      await context[Symbol.asyncDispose]();
    }
  });

  it("refuses an instance that is in use, not empty, or has another secret", async () => {
    const opened = await openBackup(place);
    const instance = await emptyInstance();
    await restore(instance, place, opened);
    await expect(restore(instance, place, opened)).rejects.toThrow(/is not empty: .*--force/);
    const client = new pg.Client({ connectionString: instance.databaseUrl });
    await client.connect();
    await client.query(
      "insert into objects (id, storage_key, digest, size) values (gen_random_uuid(), 'objects/late', 'd', 1)",
    );
    await expect(restore(instance, place, opened, { force: true })).rejects.toThrow(
      /in use by 1 connection: stop every API and worker first/,
    );
    await client.end();
    const again = await restore(instance, place, opened, { force: true });
    // Complete files already in place are not copied again; files not in the backup are scheduled for removal.
    expect(again.copied.objects).toBe(0);
    expect((await rowsOf(instance.databaseUrl))["public.doomed_objects"]?.join()).toContain(
      "objects/late",
    );

    const other = await emptyInstance({ STIPPLE_SECRET: "another secret of at least 32 letters" });
    await expect(restore(other, place, opened)).rejects.toThrow(/made with a different secret/);
    await restore(other, place, opened, { newSecret: true });
    const kept = await rowsOf(other.databaseUrl);
    expect([kept["public.sessions"], kept["public.recovery_codes"]]).toEqual([[], []]);
    const context = await openContext(other.config, { name: "restored" });
    await context[Symbol.asyncDispose]();

    await expect(openBackup(place, "none")).rejects.toThrow(/no finished backup "none"/);
    const newer = { ...opened, manifest: { ...opened.manifest, migration: "9999-later" } };
    await expect(restore(await emptyInstance(), place, newer)).rejects.toThrow(/newer version/);
  });

  it("is made and restored with one command each", async () => {
    const stipple = (environment: NodeJS.ProcessEnv, ...words: string[]) =>
      promisify(execFile)(process.execPath, [LAUNCHER, ...words], {
        env: { ...process.env, ...environment },
      }).catch((error: unknown) => error as { stdout: string; stderr: string });
    const to = join(folder, "by command");
    const made = await stipple(server.environment, "backup", "--to", to);
    expect(made.stdout).toMatch(/^Backup \S+: \d+ rows, 6 objects .* 6 of them new/m);
    const { environment } = await emptyInstance();
    const restored = await stipple(environment, "restore", "--from", to);
    expect(restored.stdout).toMatch(/^Restored to \S+ from backup \S+: 6 objects copied/m);
    const again = await stipple(environment, "restore", "--from", to);
    expect(again.stderr).toMatch(/^The database restored_\d+ at .* is not empty: .*--force/);
    const empty = await stipple(environment, "backup", "verify", "--from", join(folder, "none"));
    expect(empty.stderr).toBe(
      `There is no folder ${join(folder, "none")}: check the path after --from.\n`,
    );
  });

  it("copies only new data, and detects a single damaged byte", async () => {
    const more = await server.newProject(token, "Later");
    await publishFiles(server, more, 7, { [`${stepFolder(7)}/summary.json`]: '{"later":1}' });
    const { name, manifest, copied } = await take();
    expect(copied.objects).toBe(1);
    const some = Object.keys(await digests(server.context.storage))[0];
    const path = join(folder, "place", fileKey(some));
    const bytes = await readFile(path);
    await writeFile(path, Buffer.from(bytes).fill(1, 0, 1));
    expect(await verifyBackup(place, name, manifest)).toEqual([
      `${fileKey(some)}: its content differs from what was stored`,
    ]);
    const instance = await emptyInstance();
    await expect(restore(instance, place, { name, manifest })).rejects.toThrow(/is damaged/);
    const lines: string[] = [];
    const tell = (line: string): void => void lines.push(line);
    expect(await verifyCommand(instance.environment, join(folder, "place"), name, tell)).toBe(
      false,
    );
    expect(lines.at(-1)).toContain("Remove what is named above");
    await rm(path);
    expect((await take()).copied.objects).toBe(1);
    expect(await verifyBackup(place, name, manifest)).toEqual([]);
    const table = join(folder, "place", tableKey(name, { schema: "public", name: "users" }));
    await writeFile(table, (await readFile(table)).subarray(1));
    await expect(restore(instance, place, { name, manifest })).rejects.toThrow(/public.users/);
    expect(await rowsOf(instance.databaseUrl)).toEqual({});
  });

  it.each(["truncate", "remove"] as const)(
    "is made beside an earlier one whose list of objects is damaged (%s)",
    async (how) => {
      const earlier = await take();
      const objects = await readFile(join(folder, "place", objectListKey(earlier.name)));
      await damage(place, objectListKey(earlier.name), how);
      const { name, manifest } = await take();
      expect(manifest.objects).toMatchObject({ count: earlier.manifest.objects.count });
      expect(await verifyBackup(place, name, manifest)).toEqual([]);
      await writeFile(join(folder, "place", objectListKey(earlier.name)), objects);
    },
  );

  it("includes files deleted in the meantime, and names files lost from the storage", async () => {
    const { database, storage, deletions } = server.context;
    const id = await server.newProject(token, "Deleted during a backup");
    await publishFiles(server, id, 7, { "analysis_results/output/own.txt": "own".repeat(999) });
    const keys = await database.db.selectFrom("objects").select("storage_key").execute();
    const all = keys.map((row) => row.storage_key);
    {
      await using held = new AsyncDisposableStack();
      held.use(await holdObjects(database.db));
      expect((await server.call("DELETE", `/projects/${id}`, { token })).status).toBe(200);
      await deletions.finish();
      expect(await remaining(storage, all)).toEqual(all);
    }
    await sweepObjects(database.db, storage);
    expect(await remaining(storage, all)).toHaveLength(all.length - 1);

    const lost = await server.newProject(token, "Lost");
    await publishFiles(server, lost, 7, { "analysis_results/output/lost.txt": "lost".repeat(999) });
    const { rows } = await pgQuery<{ storage_key: string }>(
      "select storage_key from objects join step_files on object_id = objects.id where path like '%lost.txt'",
    );
    const key = rows[0].storage_key;
    const content = await storage.get(key);
    content.destroy();
    await storage.put(key, "l0st".repeat(999));
    expect((await take()).manifest.faults).toEqual([
      { key, why: "its content differs from what was stored" },
    ]);
    await storage.remove([key]);
    const backup = await take();
    expect(backup.manifest.faults).toEqual([{ key, why: "it is missing" }]);
    await server.call("DELETE", `/projects/${lost}`, { token });

    // Restored, its row is no target of deduplication: its owner is told, and running the step again heals it.
    const instance = await emptyInstance();
    await restore(instance, place, backup);
    const { app, context } = await open(instance);
    try {
      const path = "analysis_results/output/lost.txt";
      const read = async () => {
        const file = await context.outputs.find(lost, path);
        return (await buffer(await context.outputs.open(file!))).toString();
      };
      expect(await context.outputs.damagedSteps(lost)).toEqual([7]);
      await expect(read()).rejects.toThrow(
        `A file of step 7 (Finalization) is missing from the server's storage: ${path}. Run the workflow again from step 7.`,
      );
      const restored = { ...server, context };
      const again = await publishFiles(restored, lost, 7, { [path]: "lost".repeat(999) });
      expect(again.sentObjects).toBe(1);
      expect(await read()).toBe("lost".repeat(999));
    } finally {
      await app.close();
      await context[Symbol.asyncDispose]();
    }
  });

  it.runIf(process.env["LONG_TESTS"])(
    "of a run in progress restores to one that finishes",
    async () => {
      const sample = openSampleDataset(join(server.config.dataDir, "sample"));
      await simulateTissue({ out: sample.folder, seed: 5, sizeUm: 300, nGenes: 200 });
      const owner = await server.signUp();
      const running = await server.newProject(owner, "Under way");
      await server.context.uploads.fill(running, await sample.files());
      const status = async () =>
        (await server.call("GET", `/status?project_id=${running}`, { token: owner })).json;
      {
        await using worker = new TestWorker(server);
        await server.call("POST", "/run_workflow", {
          token: owner,
          body: { project_id: running, start_step: 0 },
        });
        await expect.poll(async () => (await status()).output_files?.step_0 ?? []).not.toEqual([]);
        await take();
        await worker.kill();
      }
      expect((await status()).status).toBe("processing");
      const instance = await emptyInstance();
      await restore(instance, place, await openBackup(place));
      const { context } = await open(instance);
      await using worker = new TestWorker({ ...server, ...instance }, instance.config.dataDir);
      for (;;) {
        const run = await context.runs.latest(running);
        if (run?.status === "completed") break;
        expect([run?.status, run?.error]).toEqual(["running", null]);
        await sleep(200);
      }
      // Results in the backup are not recomputed.
      expect(worker.output).not.toMatch(/"task":"step","step":0/);
      await context[Symbol.asyncDispose]();
    },
  );

  it.skipIf(noS3 !== null)(
    `can be written to and restored from a bucket${noS3 ? ` (${noS3})` : ""}`,
    async () => {
      await using s3 = await startS3();
      const { storage: settings } = readConfig({
        ...server.environment,
        ...(await s3.newBucket()),
      });
      const bucket = await openStorage({ ...settings, address: `${settings.address}/backups` });
      const { name, manifest } = await take(server, bucket);
      expect(await verifyBackup(bucket, name, manifest)).toEqual([]);
      const instance = await emptyInstance(await s3.newBucket());
      await restore(instance, bucket, { name, manifest });
      expect(await digests(instance.storage)).toEqual(await digests(server.context.storage));
      for (const storage of [bucket, instance.storage]) storage.close();
    },
  );
});

async function pgQuery<Row extends pg.QueryResultRow>(text: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: server.config.databaseUrl });
  await client.connect();
  try {
    return await client.query<Row>(text);
  } finally {
    await client.end();
  }
}
