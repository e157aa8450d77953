import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXPORTS_FOLDER, stepFolder, type StepNumber, type Study } from "@stipple/contract";
import { FIELDS, type Field, type StoredKey } from "@stipple/pipeline/fields";
import { writeCellFile } from "@stipple/pipeline/internal/study/testing/cell-file";
import { writeField } from "@stipple/pipeline/results";
import { CELL_FILE, cellFile } from "@stipple/pipeline/study";
import { unpackPoints } from "@stipple/contract/study-points";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildServer } from "../src/api/server.ts";
import { changeAnnotations } from "../src/annotations/annotations.ts";
import { regionsCalled } from "../src/annotations/named-regions.ts";
import { openContext } from "../src/context.ts";
import { givePlan } from "./give-plan.ts";
import { publishFiles, type Contents } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const [N_GENES, N_CELLS] = [40, 120];

async function signUp(tier: "professional" | null = "professional"): Promise<string> {
  const token = await server.signUp();
  const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
  if (tier) await givePlan(server.context.database.db, id as string, { tier });
  return token;
}

/** A project whose results have `nTumor` tumor cells among 120; tumor cells count the first gene `fold` times as often. */
async function analyzed(token: string, nTumor: number, fold = 1): Promise<string> {
  const id = await server.newProject(token);
  await publishSample(id, nTumor, fold);
  return id;
}

async function publishSample(id: string, nTumor: number, fold: number): Promise<void> {
  const genes = Array.from({ length: N_GENES }, (_, gene) => `G${gene}`);
  const contents: Partial<Record<StepNumber, Contents>> = {};
  const put = async <K extends StoredKey>(key: K, value: Field<K>): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-field-"));
    const { step } = FIELDS[key];
    await writeField(folder, key, value);
    for (const name of await readdir(folder)) {
      (contents[step] ??= {})[`${stepFolder(step)}/${name}`] = await readFile(join(folder, name));
    }
    await rm(folder, { recursive: true });
  };
  const cells = Array.from({ length: N_CELLS }, (_, cell) => cell);
  // Tumor cells lie to the left of the others.
  await put("cells/xy", {
    ...{ nRows: N_CELLS, nCols: 2 },
    data: Float32Array.from({ length: 2 * N_CELLS }, (_, at) => (at % 2 === 0 ? 10 * (at / 2) : 5)),
  });
  await put("genes/id", genes);
  await put("genes/name", genes);
  await put("types/name", ["Tumor", "Stroma"]);
  await put(
    "cells/cell_type",
    Int32Array.from(cells, (cell) => (cell < nTumor ? 0 : 1)),
  );
  const count = (cell: number, gene: number): number =>
    (gene === 0 && cell < nTumor ? fold : 1) * (3 + ((cell * 7 + gene * nTumor) % 5));
  await put("cells/counts", {
    ...{ nRows: N_CELLS, nCols: N_GENES },
    indptr: Uint32Array.from({ length: N_CELLS + 1 }, (_, cell) => cell * N_GENES),
    indices: Uint32Array.from({ length: N_CELLS * N_GENES }, (_, at) => at % N_GENES),
    data: Float32Array.from({ length: N_CELLS * N_GENES }, (_, at) =>
      count(Math.floor(at / N_GENES), at % N_GENES),
    ),
  });
  const figures = { reliableGenes: 30, heldoutCorrelation: 0.4, spotsOnTissue: 1 };
  const folder = await mkdtemp(join(tmpdir(), "stipple-cells-"));
  const exported = await writeCellFile(join(folder, "S"), { name: "S", genes });
  contents[7] = {
    [`${EXPORTS_FOLDER}/${CELL_FILE}`]: await readFile(cellFile(exported)),
    "analysis_results/output/statistics.json": JSON.stringify({
      ...{ total_spots: 50, total_cells: N_CELLS, total_genes: N_GENES },
      verdict: { grade: "good", figures },
    }),
    "analysis_results/output/provenance.json": JSON.stringify({
      settings: { platform: "visium" },
      sample: { quality: { medianCountsPerSpot: 900, medianGenesPerSpot: 38 } },
    }),
  };
  await rm(folder, { recursive: true });
  for (const step of [0, 1, 2, 3, 4, 5, 6, 7] as const) {
    const own = contents[step] ?? { [`${stepFolder(step)}/note.txt`]: String(step) };
    await publishFiles(server, id, step, own);
  }
}

async function study(token: string, projects: readonly string[]): Promise<Study> {
  const body = { name: "Six sections", project_ids: projects };
  const { id } = (await server.call("POST", "/studies", { token, body })).json;
  return (await server.call("GET", `/studies/${id}`, { token })).json as unknown as Study;
}

async function withDesign(
  token: string,
  { id, samples }: Study,
  design: readonly Partial<Study["samples"][number]>[],
  columns: string[] = [],
) {
  const body = {
    columns,
    samples: samples.map(({ project_id, name, condition, patient, batch, more }, i) => ({
      ...{ project_id, name, condition, patient, batch, more },
      ...design[i],
    })),
  };
  return server.call("POST", `/studies/${id}`, { token, body });
}

async function compared(token: string, id: string, query = "") {
  const path = `/studies/${id}/comparison${query}`;
  await expect
    .poll(async () => (await server.call("GET", path, { token })).status, { timeout: 60_000 })
    .toBe(200);
  return (await server.call("GET", path, { token })).json;
}

const groups = ["normal", "normal", "tumor", "tumor"].map((condition) => ({ condition }));

describe("studies", () => {
  it("hold projects and a design, and are listed, renamed, exported, and deleted", async () => {
    const token = await signUp();
    const projects = [await server.newProject(token), await server.newProject(token)];
    const made = await study(token, projects);
    expect(made.samples.map(({ project_id }) => project_id)).toEqual(projects);
    const answer = await withDesign(
      token,
      made,
      [
        { condition: " tumor ", more: { " slide ": "S1", other: "x" } },
        { condition: "Ko\u0308ln", more: {} },
      ],
      [" slide "],
    );
    expect(answer.json).toMatchObject({
      columns: ["slide"],
      samples: [
        { condition: "tumor", more: { slide: "S1" } },
        { condition: "K\u00f6ln", more: { slide: "" } },
      ],
    });
    expect(answer.json.samples[0].more).toEqual({ slide: "S1" });
    const odd = ["constructor", "toString"];
    const named = await withDesign(token, made, [{ more: { toString: "x" } }], odd);
    expect(named.json.samples.map(({ more }: { more: object }) => more)).toEqual([
      { constructor: "", toString: "x" },
      { constructor: "", toString: "" },
    ]);
    await server.call("POST", `/studies/${made.id}/name`, { token, body: { name: " Two " } });
    expect((await server.call("GET", "/studies", { token })).json).toMatchObject([
      { id: made.id, name: "Two", samples: 2, storage_expiry: null },
    ]);
    const exported = (await server.call("GET", "/account/export", { token })).bytes.toString();
    expect(JSON.parse(exported).studies).toMatchObject([{ name: "Two", samples: [{}, {}] }]);
    await server.call("DELETE", `/studies/${made.id}`, { token });
    expect((await server.call("GET", `/studies/${made.id}`, { token })).status).toBe(404);
    expect((await server.call("GET", "/projects", { token })).json).toHaveLength(2);
  });

  it("refuse a design based on one that was changed since, unless it is stored already", async () => {
    const token = await signUp();
    const made = await study(token, [await server.newProject(token)]);
    const [sample] = made.samples;
    const save = (version: string, condition: string) =>
      server.call("POST", `/studies/${made.id}`, {
        token,
        body: { version, columns: [], samples: [{ ...sample, condition }] },
      });
    const saved = await Promise.all([save(made.version, "tumor"), save(made.version, "normal")]);
    expect(saved.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [first, late] = saved.toSorted((a, b) => a.status - b.status);
    expect(late.json.code).toBe("study_changed");
    const { condition } = first.json.samples[0];
    expect((await save(made.version, condition)).json.version).toBe(first.json.version);
    expect((await save(first.json.version, "other")).json.samples).toMatchObject([
      { condition: "other" },
    ]);
    // Another name of the project is none of the design.
    const { version } = (await save(first.json.version, "other")).json;
    const body = { project_name: "Renamed" };
    await server.call("POST", `/projects/${sample.project_id}/name`, { token, body });
    const last = await save(version, "tumor");
    expect(last.status).toBe(200);
    // A project deleted elsewhere is a change as well.
    await server.call("DELETE", `/projects/${sample.project_id}`, { token });
    expect((await save(last.json.version, "normal")).json.code).toBe("study_changed");
  });

  it("are limited to a hundred per account, even with concurrent requests", async () => {
    const token = await signUp();
    const { id: user_id } = (await server.call("GET", "/verify-subscription", { token })).json;
    const row = { user_id, columns: "[]", created_at: new Date() };
    const rows = Array.from({ length: 98 }, (_, i) => ({ id: randomUUID(), name: `${i}`, ...row }));
    await server.context.database.db.insertInto("studies").values(rows).execute();
    const body = { name: "One more", project_ids: [] };
    const creating = () => server.call("POST", "/studies", { token, body });
    const answers = await Promise.all(Array.from({ length: 5 }, creating));
    const codes = answers.map(({ json }) => json.code).filter(Boolean);
    expect(codes).toEqual(Array(3).fill("limit_reached"));
  });

  it("refuse a design that cannot be stored", async () => {
    const token = await signUp();
    const [own, theirs] = [await server.newProject(token), await analyzed(await signUp(), 60)];
    const made = await study(token, [own]);
    const { samples } = made;
    const refusal = async (of: Study["samples"], columns: string[] = []): Promise<string> =>
      (await withDesign(token, { ...made, samples: of }, [], columns)).json.error as string;
    expect(await refusal([{ ...samples[0], project_id: theirs }])).toBe("Project not found.");
    expect(await refusal([samples[0], samples[0]])).toMatch(/is in the study twice/);
    expect(await refusal(samples, ["Batch"])).toMatch(/There is a column "Batch" already/);
    expect(await refusal(samples, [""])).toMatch(/A column has no name/);
    expect(await refusal(samples, ["a\u2028b"])).toMatch(/must be a single line/);
    const ended = { ...samples[0], project_id: null, name: "a\0b" };
    expect(await refusal([ended])).toMatch(/must be a single line/);
    const unnamed = { name: " ", project_ids: [] };
    expect((await server.call("POST", "/studies", { token, body: unnamed })).status).toBe(400);
  });

  it("compare conditions, remember what was found, and notice a sample's rerun", async () => {
    const token = await signUp();
    const projects: string[] = [];
    for (const [nTumor, fold] of [
      [60, 1],
      [62, 1],
      [90, 4],
      [95, 4],
    ] as const) {
      projects.push(await analyzed(token, nTumor, fold));
    }
    const made = await study(token, projects);
    expect((await compared(token, made.id)).refusal).toMatch(
      /^Two samples are called Mouse brain:/,
    );
    for (const [i, id] of projects.entries()) {
      await server.call("POST", `/projects/${id}/name`, {
        ...{ token, body: { project_name: `S${i}` } },
      });
    }
    expect((await compared(token, made.id)).refusal).toMatch(/^A comparison needs two conditions/);
    await withDesign(token, made, groups);
    const { comparison } = await compared(token, made.id);
    const ofTumor = (row: { type: string }) => row.type === "Tumor";
    expect(comparison.composition.find(ofTumor).odds_ratio).toBeGreaterThan(1.5);
    const tumor = comparison.expression.find(ofTumor);
    expect(tumor).toMatchObject({ refusal: null, units: 4, genes: N_GENES });
    expect(tumor.top[0]).toMatchObject({ gene: "G0" });
    const file = await server.call("GET", `/studies/${made.id}/comparison_file?name=de_Tumor.csv`, {
      token,
    });
    expect(file.bytes.toString()).toMatch(/^gene_id,gene,log2_fold_change,/);

    const quality = (await server.call("GET", `/studies/${made.id}/quality`, { token })).json;
    expect(quality).toMatchObject({
      samples: [{ name: "S0", quality: { verdict: "Good", cells: N_CELLS } }, {}, {}, {}],
      outliers: [],
    });

    // What was found outlives the process, and is read, not computed.
    const { db } = server.context.database;
    await db
      .updateTable("study_findings")
      .set({ finding: JSON.stringify({ refusal: "As kept." }) } as never)
      .where("study_id", "=", made.id)
      .execute();
    const later = await openContext(server.config, { name: "test" });
    const app = await buildServer(later);
    const headers = { authorization: `Bearer ${token}` };
    const first = await app.inject({ url: `/api/studies/${made.id}/comparison`, headers });
    expect(first.json()).toEqual({ regions: [], refusal: "As kept.", comparison: null });
    await app.close();
    await later[Symbol.asyncDispose]();

    await publishSample(projects[3], 30, 1);
    const again = await compared(token, made.id);
    expect(again.comparison.composition).not.toEqual(comparison.composition);
  });

  it("never take the results of a run for those that were there when somebody asked", async () => {
    const token = await signUp();
    const projects: string[] = [];
    for (const [i, fold] of [1, 1, 4, 4].entries()) {
      const id = await analyzed(token, fold === 1 ? 60 + i : 90 + i, fold);
      const body = { project_name: `S${i}` };
      await server.call("POST", `/projects/${id}/name`, { token, body });
      projects.push(id);
    }
    const [made, other] = [await study(token, projects), await study(token, projects)];
    await withDesign(token, made, groups);
    await withDesign(token, other, groups);
    // By another process, which has copies of its own.
    const later = await openContext(server.config, { name: "test" });
    const app = await buildServer(later);
    const ofOther = {
      url: `/api/studies/${other.id}/comparison`,
      headers: { authorization: `Bearer ${token}` },
    };
    const asked = async () => (await app.inject(ofOther)).statusCode;
    await expect.poll(asked, { timeout: 60_000 }).toBe(200);
    const { comparison } = (await app.inject(ofOther)).json();
    await app.close();
    await later[Symbol.asyncDispose]();

    await server.context.database.transaction(async (transaction) => {
      // What is asked now waits for its turn.
      await sql`lock table study_makings in access exclusive mode`.execute(transaction);
      const waits = await server.call("GET", `/studies/${made.id}/comparison`, { token });
      expect(waits.status).toBe(202);
      await publishSample(projects[3], 30, 1);
    });
    const meanwhile = await compared(token, made.id);
    expect(meanwhile.comparison.composition).not.toEqual(comparison.composition);
    await publishSample(projects[3], 93, 4);
    expect((await compared(token, made.id)).comparison).toEqual(comparison);
  });

  it("compare the cells in regions that all samples have", async () => {
    const token = await signUp();
    const projects: string[] = [];
    for (const fold of [1, 1, 4, 4]) projects.push(await analyzed(token, 60, fold));
    for (const [i, id] of projects.entries()) {
      await server.call("POST", `/projects/${id}/name`, {
        ...{ token, body: { project_name: `S${i}` } },
      });
    }
    const made = await study(token, projects);
    await withDesign(token, made, groups);
    const inCore = "?region=Core";
    expect(await compared(token, made.id, inCore)).toEqual({
      ...{ regions: [], comparison: null },
      refusal: 'S0 has no region called "Core": draw one in its view, or compare all cells.',
    });
    expect((await compared(token, made.id, "?region=%00")).refusal).toMatch(/^S0 has no region/);
    // Cells 0 to 39, and 80 to 99: the second one by its class.
    const box = (left: number, right: number) => [
      [
        [left, 0],
        [right, 0],
        [right, 10],
        [left, 10],
      ],
    ];
    const draw = (projectId: string, regions: object[], revision = 0, prefix = "r") => {
      const value = { color: "#aa0000", excluded: false, class: null };
      const changes = regions.map((region, at) => ({
        ...{ id: `${prefix}${at}`, kind: "region" as const, revision },
        value: { ...value, ...region },
      }));
      const by = { projectId, author: "owner" };
      return changeAnnotations(server.context, by, randomUUID(), changes);
    };
    for (const project of projects) {
      await draw(project, [
        { name: "Core", polygons: [box(-1, 395)] },
        { name: "Second", class: "Core", polygons: [box(795, 995)] },
        { name: "Fold", polygons: [box(0, 100)], excluded: true },
        ...(project === projects[0] ? [{ name: "Only here", polygons: [box(0, 100)] }] : []),
      ]);
    }
    const { regions, comparison } = await compared(token, made.id, inCore);
    expect(regions).toEqual(["Core", "Second"]);
    expect(comparison.summary).toContain('Only cells in the regions called "Core" are compared.');
    const tumor = comparison.composition.find(({ type }: { type: string }) => type === "Tumor");
    expect(tumor.shares).toEqual([40 / 60, 40 / 60]);
    expect(comparison.expression.at(-1)).toMatchObject({ type: "All cells", units: 4 });
    expect(comparison.expression.at(-1).top[0]).toMatchObject({ gene: "G0" });
    expect(comparison.space).toEqual([]);
    const path = `/studies/${made.id}/comparison_file${inCore}&name=cells.csv`;
    const table = (await server.call("GET", path, { token })).bytes.toString();
    expect(table.split("\n")[1]).toBe("U1,20,40");

    // Of many, only those of the most regions are offered, and named ones before numbered ones.
    const many = Array.from({ length: 400 }, (_, at) => ({
      name: `Region ${at}`,
      class: `Class ${at % 5}`,
      polygons: [box(0, 100)],
    }));
    for (const project of projects) await draw(project, many, 0, "many");
    const offered = (await compared(token, made.id, inCore)).regions;
    expect(offered).toHaveLength(200);
    expect(offered).toEqual(expect.arrayContaining(["Core", "Second", "Class 0", "Region 0"]));

    // A region that is drawn while a question waits for its turn is not part of it.
    const inSecond = "?region=Second";
    const later = await server.context.database.transaction(async (transaction) => {
      await sql`lock table study_makings in access exclusive mode`.execute(transaction);
      const path = `/studies/${made.id}/comparison${inSecond}`;
      const waits = await server.call("GET", path, { token });
      expect(waits.status).toBe(202);
      return draw(projects[0], [{ name: "Second", polygons: [box(-1, 395)] }], 0, "later");
    });
    const secondCells = async (): Promise<string | undefined> => {
      await compared(token, made.id, inSecond);
      const file = `/studies/${made.id}/comparison_file${inSecond}&name=cells.csv`;
      return (await server.call("GET", file, { token })).bytes.toString().split("\n")[1];
    };
    expect(await secondCells()).toBe("U1,20,40");
    const by = { projectId: projects[0], author: "owner" };
    const gone = { id: "later0", kind: "region" as const, value: null, revision: later.revision };
    await changeAnnotations(server.context, by, randomUUID(), [gone]);
    expect(await secondCells()).toBe("U1,20");

    // Those who ask again for what is being computed read no region again.
    let reads = 0;
    const counting = server.context.database.db.withPlugin({
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('"annotations"')) reads++;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const first = await regionsCalled(counting, projects[0]!, "Class 0");
    expect(await regionsCalled(counting, projects[0]!, "Class 0")).toMatchObject({
      state: first!.state,
    });
    expect(reads).toBe(1);

    // Other regions are another question.
    await draw(projects[0], [{ name: "Core", polygons: [box(-1, 195)] }], 1);
    const again = (await compared(token, made.id, inCore)).comparison;
    expect(again.composition).not.toEqual(comparison.composition);
  });

  it("compare types as people named them, and as they do by now", async () => {
    const token = await signUp();
    const projects: string[] = [];
    for (const nTumor of [60, 62, 90, 95]) projects.push(await analyzed(token, nTumor));
    for (const [i, id] of projects.entries()) {
      const body = { project_name: `S${i}` };
      await server.call("POST", `/projects/${id}/name`, { token, body });
    }
    const made = await study(token, projects);
    await withDesign(token, made, groups);
    const typesOf = async (): Promise<string[]> =>
      (await compared(token, made.id)).comparison.composition
        .map(({ type }: { type: string }) => type)
        .toSorted();
    const name = async (projectId: string, value: object, revision = 0): Promise<void> => {
      const change = { id: "name type Tumor", kind: "name" as const, revision };
      const by = { projectId, author: "owner" };
      const whole = { of: "type" as const, group: "Tumor", ...value };
      await changeAnnotations(server.context, by, randomUUID(), [{ ...change, value: whole }]);
    };
    expect(await typesOf()).toEqual(["Stroma", "Tumor"]);
    for (const project of projects) await name(project, { color: "#00ff00" });
    expect(await typesOf()).toEqual(["Stroma", "Tumor"]);
    for (const project of projects) await name(project, { label: "Carcinoma" }, 1);
    expect(await typesOf()).toEqual(["Carcinoma", "Stroma"]);
    const { summary } = (await compared(token, made.id)).comparison;
    expect(summary).toContain(
      "Types are as the annotations of S0, S1, S2, S3 name and assign them; spatial statistics are of the computed types.",
    );
    const path = `/studies/${made.id}/comparison_file?name=cells.csv`;
    const table = (await server.call("GET", path, { token })).bytes.toString();
    expect(table).toMatch(/^unit,Carcinoma,Stroma\nU1,60,60\n/);
    const prepare = () =>
      server.call("POST", `/studies/${made.id}/download?part=report`, { token });
    await expect.poll(async () => (await prepare()).status, { timeout: 60_000 }).toBe(200);
    const { url } = (await prepare()).json.download;
    const report = (await server.call("GET", url.slice(url.indexOf("/api") + 4))).bytes.toString();
    expect(report).toContain("Types are as the annotations of S0, S1, S2, S3 name");
    expect(report).toMatch(/Shares of Carcinoma by unit/);
  });

  it("keep the names of projects with equal results apart", async () => {
    const token = await signUp();
    const projects: string[] = [];
    for (const nTumor of [60, 60, 90, 90]) projects.push(await analyzed(token, nTumor));
    for (const [i, projectId] of projects.entries()) {
      const body = { project_name: `S${i}` };
      await server.call("POST", `/projects/${projectId}/name`, { token, body });
      const label = i % 2 === 0 ? "Carcinoma" : "Glioma";
      const value = { of: "type" as const, group: "Tumor", label };
      const change = { id: "name type Tumor", kind: "name" as const, revision: 0, value };
      await changeAnnotations(server.context, { projectId, author: "owner" }, randomUUID(), [
        change,
      ]);
    }
    const made = await study(token, projects);
    await withDesign(token, made, groups);
    const { comparison } = await compared(token, made.id);
    expect(comparison.composition.map(({ type }: { type: string }) => type).sort()).toEqual([
      "Carcinoma",
      "Glioma",
      "Stroma",
    ]);
  });

  it("place the cells of their samples in one space", async () => {
    const token = await signUp();
    const projects = [await analyzed(token, 60), await analyzed(token, 80)];
    for (const [i, id] of projects.entries()) {
      const body = { project_name: `S${i}` };
      await server.call("POST", `/projects/${id}/name`, { token, body });
    }
    const { id } = await study(token, projects);
    const space = async (query: string) => {
      const path = `/studies/${id}/space?${query}`;
      await expect
        .poll(async () => (await server.call("GET", path, { token })).status, { timeout: 60_000 })
        .toBe(200);
      return (await server.call("GET", path, { token })).json;
    };
    expect((await space("of=spots&on=rate")).refusal).toMatch(/^Rates are those of cells/);
    const found = await space("of=cells");
    expect(found.space).toMatchObject({
      ...{ of: "cells", on: "counts", over: "sample" },
      samples: [
        { name: "S0", points: N_CELLS },
        { name: "S1", points: N_CELLS },
      ],
      types: [{ name: "Stroma" }, { name: "Tumor" }],
      files: ["cells.parquet", "clusters.csv", "mixing.txt"],
    });
    const get = (name: string) => server.call("GET", `/studies/${id}/${name}`, { token });
    const { bytes } = await get("space_points?of=cells");
    const { cluster, before, type } = unpackPoints(Uint8Array.from(bytes).buffer);
    expect(cluster).toHaveLength(2 * N_CELLS);
    expect(Math.max(...before)).toBe(65_535);
    expect(Array.from(type.subarray(58, 62))).toEqual([1, 1, 0, 0]);
    const table = await get("comparison_file?of=cells&name=clusters.csv");
    expect(table.bytes.toString()).toMatch(/^sample,cluster_0/);
    expect((await get("space_points?of=spots")).status).toBe(202);
  });

  it("say which sample has ended or is not analyzed, and which study a deleted project was in", async () => {
    const token = await signUp();
    const projects = [await analyzed(token, 60), await server.newProject(token)];
    await server.call("POST", `/projects/${projects[0]}/name`, {
      ...{ token, body: { project_name: "Left" } },
    });
    const made = await study(token, projects);
    const refusal = async (): Promise<string> => (await compared(token, made.id)).refusal;
    expect(await refusal()).toMatch(/is not analyzed yet: run it, or remove it from the study\.$/);
    const { db } = server.context.database;
    const { id: user_id } = (await server.call("GET", "/verify-subscription", { token })).json;
    const row = { project_id: projects[1], user_id, status: "running" as const };
    const times = { created_at: new Date(), due_at: new Date() };
    await db
      .insertInto("runs")
      .values({ id: randomUUID(), ...row, start_step: 0, log: "[]", ...times })
      .execute();
    expect(await refusal()).toMatch(/ is still being analyzed: wait for it, or remove it from the/);
    const deleted = await server.call("DELETE", `/projects/${projects[0]}`, { token });
    expect(deleted.json.message).toBe('Project deleted. It was a sample of "Six sections".');
    expect(await refusal()).toBe(
      "The results of Left have ended with its project: remove it from the study.",
    );
    const left = (await server.call("GET", `/studies/${made.id}`, { token })).json;
    expect(left.samples[0]).toMatchObject({ project_id: null, name: "Left", status: null });
    // The row of an ended project can be kept, and taken out.
    expect((await withDesign(token, left as unknown as Study, [])).status).toBe(200);
  });

  it("give links to the views of their samples, and keep landmarks between two of them", async () => {
    const token = await signUp();
    const projects = [await analyzed(token, 60), await analyzed(token, 60)];
    const [a, b] = projects;
    const { id } = await study(token, [...projects, await server.newProject(token)]);
    const views = async () => (await server.call("GET", `/studies/${id}/views`, { token })).json;
    expect(await views()).toMatchObject({
      views: projects.map((project_id) => ({
        project_id,
        url: expect.stringContaining("/visualization/"),
      })),
      landmarks: [],
    });
    const save = (between: string[], points: number[][]) =>
      server.call("POST", `/studies/${id}/landmarks`, { token, body: { between, points } });
    const onLine = [0, 1, 2].map((n) => [n, n, 0, n]);
    expect((await save([a, b], onLine)).json.error).toMatch(/do not lie on a line: add some\.$/);
    expect((await save([a, a], onLine)).json.error).toMatch(/between two sections of this study/);
    const points = [
      [0, 0, 5, 5],
      [100, 0, 105, 5],
      [0, 100, 5, 105],
    ];
    await save([a, b], []);
    expect((await save([a, b], points)).json.landmarks).toMatchObject([
      { between: [a, b], points, author: expect.stringContaining("@") },
    ]);
    // The other way round, they are the same pair.
    const turned = points.map(([x, y, u, v]) => [u, v, x, y]);
    expect((await save([b, a], turned)).json.landmarks).toMatchObject([
      { between: [b, a], points: turned },
    ]);
    // Of those saved at the same moment, one is kept.
    const saved = await Promise.all([0, 1, 2, 3].map((i) => save(i % 2 ? [a, b] : [b, a], points)));
    expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await views()).landmarks).toHaveLength(1);
    await server.call("DELETE", `/projects/${b}`, { token });
    expect(await views()).toMatchObject({ views: [{ project_id: a }], landmarks: [] });
    const { entries } = (await server.call("GET", "/account/activity", { token })).json;
    expect(entries).toContainEqual(
      expect.objectContaining({
        what: "study_landmarks_changed",
        about: { study: "Six sections" },
      }),
    );
  });

  it.each(["projects", "studies"] as const)(
    "say so if what landmarks are about is being deleted: %s",
    async (table) => {
      const token = await signUp();
      const between = [await server.newProject(token), await server.newProject(token)];
      const { id } = await study(token, between);
      const points = [
        [0, 0, 5, 5],
        [100, 0, 105, 5],
        [0, 100, 5, 105],
      ];
      const { database } = server.context;
      const isWaiting = async (): Promise<boolean> =>
        (await sql`select 1 from pg_locks where not granted`.execute(database.db)).rows.length > 0;
      const save = await database.transaction(async (transaction) => {
        const gone = table === "studies" ? id : between[1]!;
        await transaction.deleteFrom(table).where("id", "=", gone).execute();
        const body = { between, points };
        const saving = server.call("POST", `/studies/${id}/landmarks`, { token, body });
        await expect.poll(isWaiting).toBe(true);
        return { saving };
      });
      const { status, json } = await save.saving;
      const code = table === "studies" ? "study_not_found" : "project_not_found";
      expect([status, json.code]).toEqual([404, code]);
    },
  );

  it("are shared by a link that opens quality, answers, and views, until it is revoked", async () => {
    const token = await signUp();
    const projects = [await analyzed(token, 60), await server.newProject(token)];
    const { db } = server.context.database;
    const userId = (await server.call("GET", "/verify-subscription", { token })).json.id as string;
    const at = new Date();
    await db
      .insertInto("runs")
      .values({
        ...{ id: randomUUID(), project_id: projects[0]!, user_id: userId, status: "completed" },
        ...{ start_step: 0, log: "[]", created_at: at, due_at: at },
      })
      .execute();
    const made = await study(token, projects);
    const path = `/studies/${made.id}/shares`;
    const body = { days: 7, note: "for Eve" };
    const share = (await server.call("POST", path, { token, body })).json;
    expect((await server.call("GET", path, { token })).json).toMatchObject([{ note: "for Eve" }]);
    const link = `/shared_study/${share.url.split("/").at(-1)}`;
    const open = () => server.call("GET", link);
    const { json } = await open();
    expect(json).toMatchObject({
      name: "Six sections",
      samples: [{ view: expect.stringContaining("/visualization/") }, { view: null }],
      quality: { samples: [{ quality: { verdict: "Good" } }, { quality: null }] },
    });
    expect(JSON.stringify(json)).not.toContain(userId);
    expect((await server.call("GET", `${link}/comparison`)).json.refusal).toMatch(
      /^Two samples are/,
    );
    expect(json).toMatchObject({ landmarks: [], may_export: true });
    expect((await server.call("GET", `${link}/space?of=cells`)).json.refusal).toMatch(
      /^Two samples are/,
    );
    const file = await server.call("GET", `${link}/file?name=study.csv`);
    expect(file.bytes.toString()).toMatch(/^sample,condition,patient,batch/);
    const view = json.samples[0].view.split("/").at(-1) as string;
    const views = () => server.call("GET", `/visualization/${view}/views`);
    expect((await views()).status).toBe(200);
    // Neither link opens the other's pages.
    expect((await server.call("GET", `/shared_study/${view}`)).status).toBe(404);
    expect(
      (await server.call("GET", link.replace("shared_study", "visualization") + "/views")).status,
    ).toBe(404);
    const others = await withDesign(token, { ...made, samples: [made.samples[1]!] }, []);
    expect(others.status).toBe(200);
    expect((await views()).json.code).toBe("share_link_revoked");
    expect((await open()).json.samples).toHaveLength(1);
    const revoked = await server.call("DELETE", `${path}/${share.id}`, { token });
    expect(revoked.status).toBe(200);
    expect((await open()).json.code).toBe("share_link_revoked");
    const said = JSON.stringify((await server.call("GET", "/account/activity", { token })).json);
    for (const what of ["share_made", "share_opened", "share_revoked"])
      expect(said).toContain(what);
    const again = (await server.call("POST", path, { token, body })).json;
    await server.call("DELETE", `/studies/${made.id}`, { token });
    const gone = await server.call("GET", `/shared_study/${again.url.split("/").at(-1)}`);
    expect(gone.json.code).toBe("study_not_found");
  });

  it("show comparisons in a trial, and give no files away", async () => {
    const token = await signUp(null);
    const made = await study(token, [await analyzed(token, 60)]);
    expect((await compared(token, made.id)).comparison).toBeNull();
    const file = await server.call("GET", `/studies/${made.id}/comparison_file?name=repeat.R`, {
      token,
    });
    expect(file.json.code).toBe("download_not_in_trial");
    const whole = await server.call("POST", `/studies/${made.id}/download?part=h5ad`, { token });
    expect(whole.json.code).toBe("download_not_in_trial");
  });
});
