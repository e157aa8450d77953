import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { CHUNK_BYTES } from "@stipple/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backUp } from "../src/backup/back-up.ts";
import { checkStored } from "../src/outputs/check.ts";
import { openLocalCopies } from "../src/outputs/local-copies.ts";
import { repairObject } from "../src/outputs/repair.ts";
import { storageCheck } from "../src/backup/storage-check.ts";
import { openWorkspaces } from "../src/outputs/workspace.ts";
import { openSampleDataset } from "../src/sample/sample-dataset.ts";
import { openStorage } from "../src/storage/open-storage.ts";
import { copySample } from "./prepared-folder.ts";
import { publishFiles, type Contents } from "./published.ts";
import { startTestServer, type Answer, type TestServer } from "./server.ts";
import { damage, storedInput } from "./stored.ts";
import { fillUnread } from "./unread-files.ts";

/** Stored bytes that are not what their digests say: nobody gets them, nothing is built on them, and they are healed. */
let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer({ STIPPLE_LOG_LEVEL: "silent" });
  token = await server.signUp();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const STATISTICS = {
  total_spots: 4,
  total_cells: 3766,
  total_genes: 7,
  average_cells_per_spot: 2,
};
/** Longer than what is read whole, and unlike any other project's. */
const large = (seed: string) => Buffer.alloc(3_000_000, createHash("sha256").update(seed).digest());

/** A project with finished results: a pack of small files and a large one in step 6, statistics in step 7. */
async function finished(seed: string): Promise<string> {
  const project = await server.newProject(token);
  await publishFiles(server, project, 6, step6(seed));
  await publishFiles(server, project, 7, step7(seed));
  return project;
}
const step6 = (seed: string): Contents => ({
  "figures/a.png": `figure a of ${seed}`,
  "figures/b.png": `figure b of ${seed}`,
  "figures/large.png": large(seed),
});
const step7 = (seed: string): Contents => ({
  "analysis_results/output/report.html": `<p>${seed}</p>`,
  "analysis_results/output/statistics.json": JSON.stringify(STATISTICS),
  "step7_output/summary.json": `{"of":"${seed}"}`,
});

const get = (path: string, headers?: Record<string, string>): Promise<Answer> =>
  server.call("GET", path, { token, ...(headers ? { headers } : {}) });
const image = (project: string, name: string, headers?: Record<string, string>) =>
  get(`/get_image/figures/${name}?project_id=${project}`, headers);
const statistics = (project: string) => get(`/get_statistics?project_id=${project}`);
const fileOf = async (project: string, path: string) =>
  (await server.context.outputs.find(project, path))!;
const damagedObjects = async () =>
  server.context.database.db
    .selectFrom("objects")
    .select(["storage_key", "damage"])
    .where("damage", "is not", null)
    .execute();

describe("a damaged result", () => {
  it("is never sent: one changed digit is answered with what happened and what to do", async () => {
    const project = await finished("statistics");
    expect((await statistics(project)).json).toMatchObject({ "Total Cells": 3766 });
    const { storageKey, offset } = await fileOf(project, "analysis_results/output/statistics.json");
    const at = offset + JSON.stringify(STATISTICS).indexOf("3766");
    await damage(server.context.storage, storageKey, "flip", at);
    const answer = await statistics(project);
    expect([answer.status, answer.json.code, answer.json.error]).toEqual([
      500,
      "file_damaged",
      "A file of step 7 (Finalization) is damaged on the server: analysis_results/output/statistics.json. Run the workflow again from step 7.",
    ]);
    expect(await damagedObjects()).toEqual([{ storage_key: storageKey, damage: "damaged" }]);
    const { metrics } = server.context;
    expect(await metrics.registry.metrics()).toContain(
      'stipple_damaged_reads_total{damage="damaged"} 1',
    );
    // Its neighbors in the same pack are intact.
    expect((await get(`/get_report?project_id=${project}`)).status).toBe(200);
    await server.call("DELETE", `/projects/${project}`, { token });
  });

  it("is told apart from a missing one, and from results that are not there yet", async () => {
    const project = await finished("missing");
    const { storageKey } = await fileOf(project, "figures/large.png");
    await damage(server.context.storage, storageKey, "remove");
    const answer = await image(project, "large.png");
    expect([answer.status, answer.json.error]).toEqual([
      500,
      "A file of step 6 (Projection Analysis & Visualization) is missing from the server's storage: figures/large.png. Run the workflow again from step 6.",
    ]);
    const early = await server.newProject(token);
    expect((await statistics(early)).json.code).toBe("results_not_ready");
    await server.call("DELETE", `/projects/${project}`, { token });
  });

  it.each(["flip", "truncate"] as const)(
    "after a %s: no range of a large file is sent, although an earlier one was",
    async (how) => {
      const project = await finished(`range ${how}`);
      const range = { range: "bytes=0-9" };
      expect((await image(project, "large.png", range)).status).toBe(206);
      const { storageKey } = await fileOf(project, "figures/large.png");
      await damage(server.context.storage, storageKey, how, 2_999_999);
      expect((await image(project, "large.png", range)).json.code).toBe("file_damaged");
      expect((await image(project, "large.png")).json.code).toBe("file_damaged");
      expect((await image(project, "large.png", { ...range, "if-range": "x" })).status).toBe(500);
      await server.call("DELETE", `/projects/${project}`, { token });
    },
  );

  it("keeps its intact neighbors: only what is cut off a pack is lost", async () => {
    const project = await finished("pack");
    const { storageKey } = await fileOf(project, "figures/a.png");
    await damage(server.context.storage, storageKey, "truncate");
    expect((await image(project, "a.png")).bytes.toString()).toBe("figure a of pack");
    expect((await image(project, "b.png")).json.code).toBe("file_damaged");
    await server.call("DELETE", `/projects/${project}`, { token });
  });

  it("stops a download before its first byte, unless the damage is in no file of it", async () => {
    const project = await finished("zip");
    const { id: userId } = (await get("/verify-subscription")).json;
    await server.context.database.db
      .insertInto("purchases")
      .values({
        id: "cs_zip",
        user_id: userId,
        tier: "single_analysis",
        purchased_at: server.clock.now(),
      })
      .execute();
    const download = () => get(`/download_output?project_id=${project}`);
    expect((await download()).status).toBe(200);
    const { storage } = server.context;
    const summary = await fileOf(project, "step7_output/summary.json");
    await damage(storage, summary.storageKey, "flip", summary.offset);
    expect((await download()).status).toBe(200);
    const { storageKey } = await fileOf(project, "figures/large.png");
    await damage(storage, storageKey, "flip", 1_500_000);
    expect((await download()).json.error).toContain("Run the workflow again from step 6");
    await server.call("DELETE", `/projects/${project}`, { token });
  });
});

describe("a step that is published again", () => {
  it.each(["flip", "truncate", "remove"] as const)(
    "heals what a %s has done, also for another project with the same files",
    async (how) => {
      const [one, other] = [await finished(`heal ${how}`), await finished(`heal ${how}`)];
      const { storage } = server.context;
      for (const name of ["figures/a.png", "figures/large.png"]) {
        const { storageKey, offset } = await fileOf(one, name);
        await damage(storage, storageKey, how, offset);
      }
      // Nobody has read them yet: publishing finds the damage on its own.
      const published = await publishFiles(server, one, 6, step6(`heal ${how}`));
      expect(published).toMatchObject({ objects: 2, sentObjects: 2 });
      await server.context.deletions.finish();
      for (const project of [one, other]) {
        expect((await image(project, "a.png")).bytes.toString()).toBe(`figure a of heal ${how}`);
        expect((await image(project, "large.png")).bytes.equals(large(`heal ${how}`))).toBe(true);
      }
      expect(await damagedObjects()).toEqual([]);
      expect(await checkStored(server.context.database.db, storage, { deep: true })).toMatchObject({
        missing: [],
        damaged: [],
      });
      for (const id of [one, other]) await server.call("DELETE", `/projects/${id}`, { token });
    },
  );

  it("is repaired once when two projects publish it at the same time", async () => {
    const projects = [await finished("twice"), await finished("twice"), await finished("twice")];
    const { storageKey } = await fileOf(projects[0], "figures/large.png");
    await damage(server.context.storage, storageKey, "flip");
    await Promise.all(projects.map((id) => publishFiles(server, id, 6, step6("twice"))));
    await server.context.deletions.finish();
    for (const project of projects) {
      expect((await image(project, "large.png")).bytes.equals(large("twice"))).toBe(true);
    }
    for (const id of projects) await server.call("DELETE", `/projects/${id}`, { token });
  });
});

describe("a damaged upload", () => {
  const scale = Buffer.from('{"tissue_hires_scalef": 0.25}');
  const name = "scalefactors_json.json";
  const send = (project: string, bytes = scale) =>
    server.sendChunk(token, project, "spatial_11?type=scale", { name, bytes });
  const state = (project: string) =>
    get(`/upload/spatial_11/chunks?project_id=${project}&type=scale`);
  const keyOf = async (project: string) =>
    (await server.context.uploads.inputs(project))[0].storageKey;

  it.each(["flip", "truncate", "remove"] as const)(
    "is replaced by the same file after a %s, in this and in every other project",
    async (how) => {
      const bytes = Buffer.concat([scale, Buffer.from(" ".repeat(how.length))]);
      const [one, other] = [await server.newProject(token), await server.newProject(token)];
      expect((await send(one, bytes)).json.complete).toBe(true);
      expect((await send(other, bytes)).json.complete).toBe(true);
      await damage(server.context.storage, await keyOf(one), how);
      expect((await state(one)).json).toMatchObject({ complete: false, received: [] });
      // The other project's owner sends it again, without having asked.
      expect((await send(other, bytes)).json.complete).toBe(true);
      expect((await state(one)).json).toMatchObject({ complete: true });
      for (const project of [one, other]) {
        expect((await storedInput(server, project, name))?.equals(bytes)).toBe(true);
      }
      for (const id of [one, other]) await server.call("DELETE", `/projects/${id}`, { token });
    },
  );

  it("of several chunks is received anew", async () => {
    const project = await server.newProject(token);
    const barcodes = Array.from(
      { length: 600_000 },
      (_, n) =>
        `${n.toString(4).padStart(16, "0").replaceAll("0", "A").replaceAll("1", "C").replaceAll("2", "G").replaceAll("3", "T")}-1\n`,
    );
    const bytes = gzipSync(barcodes.join(""), { level: 0 });
    const chunk = (index: number) =>
      server.sendChunk(token, project, "filtered_matrix?type=barcodes", {
        name: "barcodes.tsv.gz",
        chunk: index,
        chunks: 2,
        bytes: bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
      });
    const upload = async () => [(await chunk(0)).json.complete, (await chunk(1)).json.complete];
    expect(await upload()).toEqual([false, true]);
    expect(await upload()).toEqual([true, true]);
    await damage(server.context.storage, await keyOf(project), "flip", CHUNK_BYTES + 1);
    expect(await upload()).toEqual([false, true]);
    expect((await storedInput(server, project, "barcodes.tsv.gz"))?.equals(bytes)).toBe(true);
    await server.call("DELETE", `/projects/${project}`, { token });
  });

  it("is told apart from a fault of its owner's, and no longer in the way once it is sent again", async () => {
    const project = await server.newProject(token);
    await fillUnread(server, project);
    const right = (await storedInput(server, project, name))!;
    const key = (await server.context.uploads.inputs(project)).find((file) => file.name === name)!;
    await damage(server.context.storage, key.storageKey, "truncate");
    const run = () =>
      server.call("POST", "/run_workflow", { token, body: { project_id: project, start_step: 0 } });
    expect((await run()).json).toMatchObject({
      code: "inputs_unusable",
      error: `The uploaded file ${name} is damaged on the server: upload it again, then run the workflow.`,
    });
    const part = { name, bytes: right };
    await server.sendChunk(token, project, "spatial_11?type=scale", part);
    expect((await run()).status).toBe(202);
    await server.call("POST", "/cancel_workflow", { token, body: { project_id: project } });
    await server.call("DELETE", `/projects/${project}`, { token });
  });

  it("that is missing is told as that, until it is there again", async () => {
    const project = await server.newProject(token);
    await fillUnread(server, project);
    const image = (await server.context.uploads.inputs(project)).find(
      ({ slot }) => slot === "he_image",
    )!;
    const bytes = (await storedInput(server, project, image.name))!;
    await damage(server.context.storage, image.storageKey, "remove");
    const look = async () => (await get(`/projects/${project}/registration`)).json;
    const body = { project_id: project, start_step: 0 };
    const run = await server.call("POST", "/run_workflow", { token, body });
    const error = `The uploaded file ${image.name} is damaged on the server: upload it again, then run the workflow.`;
    expect(await look()).toMatchObject({ code: "file_damaged", error });
    expect(run.json).toMatchObject({ code: "inputs_unusable", error });
    await server.context.storage.put(image.storageKey, bytes);
    expect(await look()).toMatchObject({ look: { picture_file: image.name }, fault: null });
    await server.call("DELETE", `/projects/${project}`, { token });
  });

  it("of the sample dataset is not handed to the next person", async () => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-damage-"));
    await writeFile(join(folder, name), scale);
    const files = new Map([["scale", join(folder, name)]]);
    const [one, other] = [await server.newProject(token), await server.newProject(token)];
    await server.context.uploads.fill(one, files);
    await damage(server.context.storage, await keyOf(one), "flip");
    await server.context.uploads.fill(other, files);
    for (const project of [one, other]) {
      expect((await storedInput(server, project, name))?.equals(scale)).toBe(true);
    }
    await rm(folder, { recursive: true });
    for (const id of [one, other]) await server.call("DELETE", `/projects/${id}`, { token });
  });
});

describe("the sample dataset", () => {
  it("is made again if one of its files has changed, and shares no bytes with what is stored", async () => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-damage-"));
    await copySample(folder);
    const sample = openSampleDataset(join(folder, "sample"));
    const path = (await sample.files()).get("positions")!;
    const right = await readFile(path);
    const project = await server.newProject(token);
    await server.context.uploads.fill(project, new Map([["positions", path]]));
    const wrong = Buffer.from(right);
    wrong[60] ^= 1;
    await writeFile(path, wrong);
    expect((await storedInput(server, project, "tissue_positions.csv"))?.equals(right)).toBe(true);
    expect((await readFile((await sample.files()).get("positions")!)).equals(right)).toBe(true);
    await rm(folder, { recursive: true });
    await server.call("DELETE", `/projects/${project}`, { token });
  });
});

describe("a worker", () => {
  it("gets no damaged file: its run ends with what to do", async () => {
    const project = await finished("worker");
    await server.sendChunk(token, project, "spatial_11?type=scale", {
      name: "scalefactors_json.json",
      bytes: Buffer.from('{"of": "a worker"}'),
    });
    const folder = await mkdtemp(join(tmpdir(), "stipple-damage-"));
    const { storage, uploads, outputs } = server.context;
    const inputs = await uploads.inputs(project);
    const workspace = await openWorkspaces(server.context, folder).open("run", project, inputs);
    const provide = (input: string[], files: string[]) =>
      workspace.provide({ inputs: input, files });
    const { storageKey } = await fileOf(project, "figures/large.png");
    await damage(storage, storageKey, "flip", 2_000_000);
    await damage(storage, inputs[0].storageKey, "flip");
    await provide([], ["figures/a.png"]);
    await expect(provide([], ["figures/large.png"])).rejects.toThrow(
      /^A file of step 6 .* is damaged on the server: figures\/large.png\. Run the workflow again from step 6\.$/,
    );
    await expect(provide(["scalefactors_json.json"], [])).rejects.toThrow(
      "The uploaded file scalefactors_json.json is damaged on the server: upload it again, then run the workflow.",
    );
    // The next run makes the step again, wherever it starts; unless the bytes are back.
    expect(await outputs.damagedSteps(project, { again: true })).toEqual([6]);
    await damage(storage, storageKey, "flip", 2_000_000);
    expect(await outputs.damagedSteps(project)).toEqual([6]);
    expect(await outputs.damagedSteps(project, { again: true })).toEqual([]);
    expect(await outputs.damagedSteps(project)).toEqual([]);
    await rm(folder, { recursive: true });
    await server.call("DELETE", `/projects/${project}`, { token });
  });
});

describe("a local copy of results", () => {
  it("is checked again once the stored file that it may be a link to has changed", async () => {
    const project = await finished("copies");
    const folder = await mkdtemp(join(tmpdir(), "stipple-damage-"));
    const { outputs, storage } = server.context;
    const copies = openLocalCopies(outputs, { folder, maxBytes: 1e9 });
    let lists = 0;
    const use = () =>
      copies.using(
        "one",
        () => (lists++, outputs.below(project, ["figures"])),
        (path) => Promise.resolve(path),
      );
    const first = await use();
    expect([await use(), lists]).toEqual([first, 1]);
    // In place, so that the copy changes with it, where it is a link.
    const { storageKey } = await fileOf(project, "figures/large.png");
    const { address } = server.config.storage;
    if (!address.startsWith("file:")) return;
    const path = join(address.slice("file:".length), storageKey);
    const bytes = await buffer(await storage.get(storageKey));
    bytes[7] ^= 1;
    await writeFile(path, bytes);
    await expect(use()).rejects.toThrow("Run the workflow again from step 6");
    await publishFiles(server, project, 6, step6("copies"));
    expect(await use()).not.toBe(first);
    await rm(folder, { recursive: true });
    await server.call("DELETE", `/projects/${project}`, { token });
  });
});

describe("the deep storage check", () => {
  const DEEP = { remove: false, deep: true, repair: false };
  const check = async (options: Parameters<typeof storageCheck>[1]) => {
    const lines: string[] = [];
    const isWell = await storageCheck(server.environment, options, (line) => lines.push(line));
    return { isWell, text: lines.join("\n") };
  };

  it("finds one changed byte, and repairs it from a backup", async () => {
    const project = await finished("check");
    const { storage } = server.context;
    const folder = await mkdtemp(join(tmpdir(), "stipple-damage-"));
    const place = await openStorage({ ...server.config.storage, address: `file:${folder}` });
    await backUp(server.config.databaseUrl, storage, place);
    for (const name of ["figures/large.png", "figures/a.png"]) {
      const { storageKey, offset } = await fileOf(project, name);
      await damage(storage, storageKey, "flip", offset);
    }
    expect((await check({ ...DEEP, deep: false })).isWell).toBe(true);
    const found = await check(DEEP);
    expect(found).toMatchObject({ isWell: false });
    expect(found.text).toMatch(/^damaged: \S+: its content differs .*figures\/large.png\)$/m);
    expect(found.text).toContain("2 cannot be read: stipple storage check --repair --from BACKUP");
    // From now on the quick check knows.
    expect((await check({ ...DEEP, deep: false })).isWell).toBe(false);
    const repaired = await check({ ...DEEP, from: folder });
    expect(repaired.text).toContain("2 repaired.");
    expect(repaired.isWell).toBe(true);
    expect((await image(project, "a.png")).bytes.toString()).toBe("figure a of check");
    expect((await image(project, "large.png")).bytes.equals(large("check"))).toBe(true);
    expect((await check(DEEP)).text).toMatch(/^All is well: \d+ objects, .* read to the end\.$/);
    await rm(folder, { recursive: true });
    await server.call("DELETE", `/projects/${project}`, { token });
  });

  it("rebuilds a pack from intact copies of the files in it, and says what it cannot repair", async () => {
    const [project, other] = [await finished("parts"), await server.newProject(token)];
    // Another pack with the same file in it.
    await publishFiles(server, other, 6, {
      "figures/a.png": "figure a of parts",
      "figures/c.png": "figure c",
    });
    const { database, storage } = server.context;
    const { storageKey, offset } = await fileOf(project, "figures/a.png");
    const lone = await fileOf(project, "figures/large.png");
    await damage(storage, storageKey, "flip", offset);
    await damage(storage, lone.storageKey, "remove");
    const { text, isWell } = await check({ ...DEEP, repair: true });
    expect([isWell, text]).toEqual([false, expect.stringContaining("1 repaired. 1 cannot")]);
    expect((await image(project, "a.png")).bytes.toString()).toBe("figure a of parts");
    const row = await database.db
      .selectFrom("objects")
      .select("id")
      .where("storage_key", "=", lone.storageKey)
      .executeTakeFirstOrThrow();
    expect(await repairObject(server.context, row.id)).toBe(false);
    expect(await server.context.outputs.damagedSteps(project)).toEqual([6]);
    for (const id of [project, other]) await server.call("DELETE", `/projects/${id}`, { token });
  });
});
