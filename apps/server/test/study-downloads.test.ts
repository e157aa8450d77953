import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXPORTS_FOLDER, STEP_NUMBERS, stepFolder } from "@stipple/contract";
import { cellFile } from "@stipple/pipeline/internal/study/combine/combined-study";
import { SampleTable } from "@stipple/pipeline/internal/study/combine/sample-table";
import { writeCellFile } from "@stipple/pipeline/internal/study/testing/cell-file";
import JSZip from "jszip";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildServer } from "../src/api/server.ts";
import { openContext } from "../src/context.ts";
import { sweepObjects } from "../src/outputs/objects.ts";
import { madeFile } from "../src/studies/answer-orders.ts";
import { computeOnce } from "../src/studies/compute-once.ts";
import { openFindings, sweepCombinedFiles } from "../src/studies/findings.ts";
import { SPACE_CELLS, type KeptFinding } from "../src/studies/messages.ts";
import { questionOf } from "../src/studies/questions.ts";
import { givePlan } from "./give-plan.ts";
import { publishFiles } from "./published.ts";
import { damage } from "./stored.ts";
import { startTestServer, type TestServer } from "./server.ts";

const HAS_ANNDATA = spawnSync("python3", ["-c", "import anndata"]).status === 0;

let server: TestServer;
let folder: string;
let token: string;
let projects: string[];
let id: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), "stipple-study-downloads-"));
  token = await server.signUp();
  const person = (await server.call("GET", "/verify-subscription", { token })).json;
  await givePlan(server.context.database.db, person.id as string, { tier: "professional" });
  projects = [await server.newProject(token), await server.newProject(token)];
  for (const [at, project] of projects.entries()) {
    await publish(at, ["g1", "g2"]);
    const body = { project_name: `S${at}` };
    await server.call("POST", `/projects/${project}/name`, { token, body });
  }
  const body = { name: "Six sections", project_ids: projects };
  id = (await server.call("POST", "/studies", { token, body })).json.id as string;
  await design(["normal", "tumor"]);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Results whose cell i counts i + 1 of every gene. */
async function publish(at: number, genes: readonly string[]): Promise<void> {
  const sample = await writeCellFile(join(folder, `S${at}`), { name: "S", genes });
  const contents = {
    [`${EXPORTS_FOLDER}/cell_expression_processed.h5ad`]: await readFile(cellFile(sample)),
  };
  for (const step of STEP_NUMBERS) {
    const note = { [`${stepFolder(step)}/note.txt`]: genes.join() };
    await publishFiles(server, projects[at], step, step === 7 ? contents : note);
  }
}

function design(conditions: string[]) {
  const samples = projects.map((project_id, i) => ({
    ...{ project_id, name: `S${i}`, condition: conditions[i], patient: "", batch: "", more: {} },
  }));
  return server.call("POST", `/studies/${id}`, { token, body: { columns: [], samples } });
}

async function prepared(part: string) {
  const ask = () => server.call("POST", `/studies/${id}/download?part=${part}`, { token });
  await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(200);
  return (await ask()).json as {
    refusal: string | null;
    download: { url: string; file_name: string; size: number } | null;
  };
}

async function linked(part: string, headers: Record<string, string> = {}) {
  const { refusal, download } = await prepared(part);
  expect(refusal).toBeNull();
  return server.call("GET", download!.url.replace("/api", ""), { headers });
}

/** Keys of the objects that hold combined files. */
async function storedKeys(): Promise<string[]> {
  const rows = await server.context.database.db
    .selectFrom("study_finding_files")
    .innerJoin("objects", "objects.id", "object_id")
    .select("storage_key")
    .where("study_id", "=", id)
    .execute();
  return rows.map((row) => row.storage_key);
}

const LATER: KeptFinding = { refusal: "later" };

describe("all samples of a study as one file", () => {
  it("are written to the storage, and sent whole or in ranges by a link", async () => {
    const h5ad = await linked("h5ad");
    expect(h5ad.headers.get("content-disposition")).toContain("Six_sections_study.h5ad");
    const path = join(folder, "study.h5ad");
    await writeFile(path, h5ad.bytes);
    using table = await SampleTable.open(path);
    expect(table.texts("obs/condition/categories")).toEqual(["normal", "tumor"]);
    expect(table.texts("obs/_index")).toEqual(["S0_cell_1", "S0_cell_2", "S1_cell_1", "S1_cell_2"]);
    const tag = h5ad.headers.get("etag")!;
    const rest = await linked("h5ad", { range: "bytes=100-", "if-range": tag });
    expect(rest.status).toBe(206);
    expect(rest.bytes.equals(h5ad.bytes.subarray(100))).toBe(true);
    const log = (await server.call("GET", "/account/activity", { token })).json;
    expect(log.entries.filter(({ what }: { what: string }) => what === "study_downloaded")).toEqual(
      [expect.objectContaining({ about: { study: "Six sections", part: "h5ad" } })],
    );
  });

  it.runIf(HAS_ANNDATA)("open in anndata", async () => {
    const path = join(folder, "anndata.h5ad");
    await writeFile(path, (await linked("h5ad")).bytes);
    const script = `import anndata, sys
a = anndata.read_h5ad(sys.argv[1])
print(a.shape, sorted(a.obs["condition"].unique()), a.layers["counts"].sum())`;
    const { stdout, stderr } = spawnSync("python3", ["-c", script, path], { encoding: "utf8" });
    expect(stdout.trim(), stderr).toBe("(4, 2) ['normal', 'tumor'] 12");
  });

  it("are a zip of the folder for Seurat, and a report", async () => {
    const zip = await JSZip.loadAsync((await linked("seurat")).bytes);
    expect(await zip.file("seurat/samples.csv")!.async("text")).toBe(
      "key,sample,condition\nS0,S0,normal\nS1,S1,tumor\n",
    );
    expect(Object.keys(zip.files)).toContain("seurat/rate/matrix.mtx.gz");
  });

  it("are found by another server, and end with a change of the design or of a sample", async () => {
    const first = await linked("h5ad");
    const later = await openContext(server.config, { name: "test" });
    const app = await buildServer(later);
    const headers = { authorization: `Bearer ${token}` };
    const url = `/api/studies/${id}/download?part=h5ad`;
    const { download } = (await app.inject({ method: "POST", url, headers })).json();
    const sent = await app.inject({ url: download.url });
    expect(sent.rawPayload.equals(first.bytes)).toBe(true);
    await app.close();
    await later[Symbol.asyncDispose]();

    const [before] = await storedKeys();
    await design(["normal", "control"]);
    expect(await storedKeys()).toEqual([]);
    expect((await server.call("GET", download.url.replace("/api", ""))).json.error).toBe(
      "A sample has changed since: download the file again.",
    );
    const changed = await linked("h5ad");
    expect(changed.headers.get("etag")).not.toBe(first.headers.get("etag"));
    await publish(1, ["g1"]);
    expect(await storedKeys()).toEqual([]);
    const { db } = server.context.database;
    await sweepObjects(db, server.context.storage);
    expect(await server.context.storage.stat(before)).toBeNull();
    await linked("h5ad");
    await publish(1, ["h1"]);
    expect(await prepared("seurat")).toEqual({
      refusal: "The samples have no gene in common: combine samples measured with the same genes.",
      download: null,
    });
  });

  it("are made by one server at a time, and by another one if it fails or ends", async () => {
    const { db } = server.context.database;
    const key = "of no finding";
    let [made, looks, times]: [KeptFinding | null, number, number] = [null, 0, 0];
    const kept = { read: () => Promise.resolve((looks++, made)) };
    const ask = (make: () => Promise<KeptFinding>) => computeOnce({ db, kept }, [id, key], make);
    const makeSlowly = async () => {
      times++;
      await expect.poll(() => looks, { timeout: 60_000 }).toBeGreaterThan(2);
      return (made = { refusal: "made" });
    };
    const both = await Promise.all([ask(makeSlowly), ask(makeSlowly)]);
    expect(both).toEqual([{ refusal: "made" }, { refusal: "made" }]);
    expect(times).toBe(1);
    made = null;
    const failing = ask(() => Promise.reject(new Error("full disk")));
    const other = ask(() => Promise.resolve(LATER));
    await expect(Promise.all([failing.catch(String), other])).resolves.toContain(LATER);
    // Its process died.
    const row = { study_id: id, key, held_until: new Date(0) };
    await db.insertInto("study_makings").values(row).execute();
    await expect(ask(() => Promise.resolve(LATER))).resolves.toBe(LATER);
    await expect(db.selectFrom("study_makings").select("key").execute()).resolves.toEqual([]);
  });

  it("are made anew when their stored bytes were damaged", async () => {
    await publish(1, ["g1", "g2"]);
    const { download } = await prepared("h5ad");
    const [key] = await storedKeys();
    await server.context.storage.put(key, "other bytes");
    const refused = await server.call("GET", download!.url.replace("/api", ""));
    expect(refused.json.error).toBe(
      "A file of this study was damaged on the server: ask for it again.",
    );
    expect((await linked("h5ad")).status).toBe(200);
    expect(await storedKeys()).not.toContain(key);
  });

  it("are made without a joint space whose stored cells are damaged", async () => {
    const { context } = server;
    const { db } = context.database;
    const kept = openFindings(context);
    const own = await context.studies.owned(
      (await server.call("GET", "/verify-subscription", { token })).json.id as string,
      id,
    );
    const study = await context.studies.read(own);
    const parts = { db, outputs: context.outputs, kept };
    const asked = await questionOf(parts, study, { of: "cells", on: "counts" });
    if ("refusal" in asked) throw new Error(asked.refusal);
    const path = join(folder, SPACE_CELLS);
    await writeFile(path, "cells");
    const finding = { space: {} } as KeptFinding;
    const files = new Map([[SPACE_CELLS, await madeFile(path)]]);
    const others = await storedKeys();
    await kept.keep(id, asked.key, "answer", { ...finding, files });
    const key = (await storedKeys()).find((each) => !others.includes(each))!;
    await damage(context.storage, key, "flip");
    const refused = await server.call("POST", `/studies/${id}/download?part=h5ad`, { token });
    expect(refused.json.error).toBe(
      "A file of this study was damaged on the server: ask for it again.",
    );
    expect((await linked("h5ad")).status).toBe(200);
  });

  it("end after a week, and with the study", async () => {
    await linked("h5ad");
    const { db } = server.context.database;
    await sweepCombinedFiles(db);
    expect(await storedKeys()).toHaveLength(1);
    await db
      .updateTable("study_findings")
      .set({ found_at: sql<Date>`found_at - interval '8 days'` })
      .where("study_id", "=", id)
      .execute();
    await sweepCombinedFiles(db);
    expect(await storedKeys()).toEqual([]);
    await linked("h5ad");
    const [key] = await storedKeys();
    await server.call("DELETE", `/studies/${id}`, { token });
    await sweepObjects(db, server.context.storage);
    expect(await server.context.storage.stat(key)).toBeNull();
  });
});
