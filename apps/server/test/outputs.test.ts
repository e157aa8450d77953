import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishStep } from "../src/outputs/publish.ts";
import { assertHeld, HoldLostError, type Hold } from "../src/runs/worker/holds.ts";
import { holdRun } from "./hold-run.ts";
import { fetchResults, manifestOf, publishFiles, type Contents } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { keysBelow } from "./stored.ts";

/** A run's outputs as rows and immutable objects, on a real database and storage. */
let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signUp();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const objects = () => keysBelow(server.context.storage, "objects");
const read = async (project: string, path: string, range?: { start: number; end: number }) => {
  const file = await server.context.outputs.find(project, path);
  return file && (await buffer(await server.context.outputs.open(file, range))).toString();
};
/** A step with a large file, small ones, and an empty one. */
function contents(seed: string): Contents {
  const large = Buffer.alloc(300_000, createHash("sha256").update(seed).digest());
  const tiles = Array.from({ length: 50 }, (_, i) => [
    `step6_output/viewer/tissue_files/0/${i}_0.jpeg`,
    `tile ${i} of ${seed}`,
  ]);
  return {
    "figures/umap.png": `figure ${seed}`,
    "step6_output/large.npy": large,
    "step6_output/empty.txt": "",
    ...Object.fromEntries(tiles),
  };
}

describe("a published step", () => {
  it("is readable by file and by range, from few objects", async () => {
    const project = await server.newProject(token);
    const made = contents("a");
    const published = await publishFiles(server, project, 6, made);
    expect(published).toMatchObject({ files: 53, objects: 2, sentObjects: 2 });
    for (const [path, content] of Object.entries(made)) {
      expect([path, await read(project, path)]).toEqual([path, Buffer.from(content).toString()]);
    }
    const tile = "step6_output/viewer/tissue_files/0/7_0.jpeg";
    expect(await read(project, tile, { start: 5, end: 8 })).toBe("7 of");
    expect(await read(project, "step6_output/viewer/tissue_files/0")).toBeNull();
    const below = await server.context.outputs.below(project, ["step6_output/viewer"]);
    expect(below.length).toBe(50);
  });

  it("lists its files in the status, without those of the view, with its cost", async () => {
    const project = await server.newProject(token);
    await publishFiles(server, project, 6, contents("b"));
    const { json } = await server.call("GET", `/status?project_id=${project}`, { token });
    expect(json.output_files.step_6).toEqual([
      "figures/umap.png",
      "step6_output/empty.txt",
      "step6_output/large.npy",
    ]);
    expect([json.output_files.step_5, json.step_seconds]).toEqual([[], { step_6: 1.5 }]);
  });

  it("returns its manifest unchanged", async () => {
    const project = await server.newProject(token);
    const warnings = ["The image is small \u0000 \ud800"];
    const fields = { "cells/X_umap": "abc" };
    await publishFiles(server, project, 6, contents("c"), { warnings, fields });
    const [manifest] = await server.context.outputs.manifests(project);
    const expected = manifestOf(6, contents("c"), { warnings, fields });
    expected.files.sort((a, b) => (a.path < b.path ? -1 : 1));
    expect(manifest).toEqual(expected);
  });

  it("shares its objects with an equal one, and keeps them until both are gone", async () => {
    const [one, other] = [await server.newProject(token), await server.newProject(token)];
    const before = await objects();
    await publishFiles(server, one, 6, contents("d"));
    const made = (await objects()).filter((key) => !before.includes(key));
    expect(made.length).toBe(2);
    const again = await publishFiles(server, other, 6, contents("d"));
    expect(again).toMatchObject({ objects: 2, sentObjects: 0, sentBytes: 0 });

    await server.call("DELETE", `/projects/${one}`, { token });
    expect(await read(other, "figures/umap.png")).toBe("figure d");
    await server.call("DELETE", `/projects/${other}`, { token });
    expect((await objects()).filter((key) => made.includes(key))).toEqual([]);
  });

  it("replaces the previous one: equal files stay the same objects, others are deleted", async () => {
    const project = await server.newProject(token);
    const before = await objects();
    await publishFiles(server, project, 6, contents("e"));
    const first = (await objects()).filter((key) => !before.includes(key));
    const changed = { ...contents("e"), "figures/umap.png": "another figure" };
    const published = await publishFiles(server, project, 6, changed);
    expect(published).toMatchObject({ objects: 2, sentObjects: 1 });
    expect(await read(project, "figures/umap.png")).toBe("another figure");
    await server.context.deletions.finish();
    const second = (await objects()).filter((key) => !before.includes(key));
    expect([second.length, second.filter((key) => first.includes(key)).length]).toEqual([2, 1]);
    // Publishing the same files again neither creates nor loses objects.
    await publishFiles(server, project, 6, changed);
    await server.context.deletions.finish();
    expect((await objects()).filter((key) => !before.includes(key))).toEqual(second);
    expect(await read(project, "step6_output/large.npy")).toHaveLength(
      contents("e")["step6_output/large.npy"].toString().length,
    );
  });

  it("is complete for both when two are published concurrently", async () => {
    const projects = await Promise.all(Array.from({ length: 6 }, () => server.newProject(token)));
    const made = contents(randomBytes(4).toString("hex"));
    await Promise.all(projects.map((project) => publishFiles(server, project, 6, made)));
    await server.context.deletions.finish();
    for (const project of projects) {
      expect(await read(project, "figures/umap.png")).toBe(made["figures/umap.png"]);
      expect(await read(project, "step6_output/large.npy")).not.toBeNull();
    }
    const { db } = server.context.database;
    const held = await db
      .selectFrom("step_files")
      .select("object_id")
      .distinct()
      .where("project_id", "in", projects)
      .execute();
    expect(held.length).toBe(2);
  });

  it("is stored once, even if the database has no space left for a while", async () => {
    const { db } = server.context.database;
    const project = await server.newProject(token);
    await sql`create sequence refused`.execute(db);
    await sql`
      create function refuse_twice() returns trigger language plpgsql as $$ begin
        if nextval('refused') <= 2 then
          raise 'could not extend file: No space left on device' using errcode = 'disk_full';
        end if;
        return new;
      end $$`.execute(db);
    await sql`
      create trigger refuse_twice before insert on step_results
      for each row execute function refuse_twice()`.execute(db);
    const before = (await objects()).length;
    await publishFiles(server, project, 6, contents("without space"));
    await sql`drop trigger refuse_twice on step_results`.execute(db);
    expect((await objects()).length - before).toBe(2);
    expect(await read(project, "figures/umap.png")).toBe("figure without space");
  });

  it("whose publisher may not write leaves no row, and its objects expire", async () => {
    const project = await server.newProject(token);
    const folder = await mkdtemp(join(tmpdir(), "stipple-outputs-"));
    const made = { "file.txt": randomBytes(8).toString("hex") };
    await writeFile(join(folder, "file.txt"), made["file.txt"]);
    const before = await objects();
    const lost = publishStep(server.context, {
      projectId: project,
      manifest: manifestOf(3, made),
      folder,
      guard: () => Promise.reject(new Error("The run has been taken by another worker")),
    });
    await expect(lost).rejects.toThrow("taken by another worker");
    expect(await server.context.outputs.steps(project)).toEqual([]);
    const left = (await objects()).filter((key) => !before.includes(key));
    expect(left.length).toBe(1);
    const { db } = server.context.database;
    await db
      .updateTable("doomed_objects")
      .set({ due_at: new Date(0) })
      .where("storage_key", "in", left)
      .execute();
    await server.context.deletions.finish();
    expect((await objects()).filter((key) => left.includes(key))).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it("is refused from a worker that lost the run, and accepted from the one that holds it", async () => {
    const project = await server.newProject(token);
    const { db } = server.context.database;
    const { id: userId } = (await server.call("GET", "/verify-subscription", { token })).json;
    const runId = crypto.randomUUID();
    await db
      .insertInto("runs")
      .values({
        id: runId,
        project_id: project,
        user_id: userId,
        status: "running",
        start_step: 0,
        log: "[]",
        created_at: new Date(),
      })
      .execute();
    const folder = await mkdtemp(join(tmpdir(), "stipple-outputs-"));
    await writeFile(join(folder, "file.txt"), "late");
    const publish = (hold: Hold) =>
      publishStep(server.context, {
        projectId: project,
        manifest: manifestOf(3, { "file.txt": "late" }),
        folder,
        guard: (transaction) => assertHeld(transaction, hold),
      });
    const lost = await holdRun(db, runId);
    const held = await holdRun(db, runId);
    await expect(publish(lost)).rejects.toThrow(HoldLostError);
    expect(await read(project, "file.txt")).toBeNull();
    await publish(held);
    expect(await read(project, "file.txt")).toBe("late");
    await db.updateTable("runs").set({ status: "cancelled" }).where("id", "=", runId).execute();
    await expect(publish(held)).rejects.toThrow(HoldLostError);
    await rm(folder, { recursive: true });
  });

  it("is restored as the original folder", async () => {
    const project = await server.newProject(token);
    const folder = await mkdtemp(join(tmpdir(), "stipple-outputs-"));
    const made = contents("f");
    await publishFiles(server, project, 6, made);
    await fetchResults(server, project, folder);
    for (const [path, content] of Object.entries(made)) {
      expect((await readFile(join(folder, path))).equals(Buffer.from(content))).toBe(true);
    }
    await rm(folder, { recursive: true });
  });
});
