import { randomBytes, randomUUID } from "node:crypto";
import { ReadStream } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { CHUNK_BYTES } from "@stipple/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { removeSteps } from "../src/outputs/publish.ts";
import { POOR_VERDICT } from "./poor-verdict.ts";
import { addFiles } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { all, keysOf, remaining } from "./stored.ts";

let server: TestServer;
let owner: string;
let stranger: string;
let project: string;
const PNG = Buffer.from("\x89PNG\r\n\x1a\nnot shown to anybody", "latin1");
/** A black 3200 × 2 pixel image. */
const WIDE_PNG = grayPng(3200, 2);

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.signUp();
  stranger = await server.signUp();
  project = await server.newProject(owner);
  await addFiles(server, project, {
    "step0_output/spatial_clusters.png": PNG,
    "figures/showspatial_celltypes.png": PNG,
    "step6_output/viewer/cells.xy.bin": "0123456789",
    "step7_output/done.txt": "done",
    "analysis_results/output/report.html": "<h1>Report</h1>",
    "analysis_results/output/statistics.json": JSON.stringify({
      total_spots: 10,
      total_cells: 25,
      total_genes: 7,
      average_cells_per_spot: 2.5,
    }),
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const options = { platform: "visium", staining: "h_and_e", analysis_type: "basic" };
const create = (body: unknown) => server.call("POST", "/create_project", { token: owner, body });

describe("creating a project", () => {
  it.each([
    [{ project_name: "  ", analysis_options: options }, "Please enter a project name"],
    [{ project_name: "\u200b", analysis_options: options }, "Please enter a project name"],
    [
      { project_name: "\u202efit.exe", analysis_options: options },
      "A project name must be one line of at most 200 characters, without invisible control characters.",
    ],
    [
      { project_name: "two\nlines", analysis_options: options },
      "A project name must be one line of at most 200 characters, without invisible control characters.",
    ],
    [{ analysis_options: options }, "Please enter a project name"],
    [
      { project_name: "A", analysis_options: { ...options, staining: undefined } },
      "Please complete all analysis options selections",
    ],
    [{ project_name: "A" }, "Please complete all analysis options selections"],
    [
      { project_name: "A", analysis_options: { ...options, platform: "hd_visium" } },
      "Please select a resolution for HD Visium analysis",
    ],
  ])("refuses %j", async (body, sentence) => {
    const answer = await create(body);
    expect([answer.status, answer.json.error]).toEqual([400, sentence]);
  });

  it("lists it, newest first, with its options", async () => {
    const answer = await create({
      project_name: " HD sample ",
      analysis_options: { ...options, platform: "hd_visium", resolution: "8" },
    });
    expect(answer.status).toBe(201);
    const [newest] = (await server.call("GET", "/projects", { token: owner })).json;
    expect(newest).toMatchObject({
      id: answer.json.project_id,
      name: "HD sample",
      status: "created",
      analysis_options: { platform: "hd_visium", resolution: "8" },
    });
    expect(Date.parse(newest.storage_expiry)).toBeGreaterThan(Date.now());
  });
});

describe("renaming a project", () => {
  const rename = (id: string, project_name: unknown) =>
    server.call("POST", `/projects/${id}/name`, { token: owner, body: { project_name } });

  it("changes its name everywhere, and is recorded", async () => {
    const id = (await create({ project_name: "Brain", analysis_options: options })).json.project_id;
    expect((await rename(id, "  Mouse brain, section 2 ")).status).toBe(200);
    const [newest] = (await server.call("GET", "/projects", { token: owner })).json;
    expect(newest).toMatchObject({ id, name: "Mouse brain, section 2" });
    const { json } = await server.call("GET", `/status?project_id=${id}`, { token: owner });
    expect(json).toMatchObject({ project_name: newest.name, analysis_options: options });
    const log = (await server.call("GET", "/account/activity", { token: owner })).json;
    expect(JSON.stringify(log)).toContain(
      JSON.stringify({ name: "Mouse brain, section 2", project: "Brain" }),
    );
    expect((await rename(id, newest.name)).status).toBe(200);
  });

  it.each([
    ["  ", "Please enter a project name"],
    [undefined, "Please enter a project name"],
    [
      "two\nlines",
      "A project name must be one line of at most 200 characters, without invisible control characters.",
    ],
    [
      "a".repeat(201),
      "A project name must be one line of at most 200 characters, without invisible control characters.",
    ],
  ])("refuses %j", async (name, sentence) => {
    const [{ id, name: before }] = (await server.call("GET", "/projects", { token: owner })).json;
    const answer = await rename(id, name);
    expect([answer.status, answer.json.error]).toEqual([400, sentence]);
    const [{ name: after }] = (await server.call("GET", "/projects", { token: owner })).json;
    expect(after).toBe(before);
  });
});

describe("correcting how a project was set up", () => {
  const configure = (id: string, body: unknown, token = owner) =>
    server.call("POST", `/projects/${id}/setup`, { token, body });
  const hd = { ...options, platform: "hd_visium", resolution: "8" };
  const listedAs = async (id: string) =>
    (await server.call("GET", "/projects", { token: owner })).json.find(
      (listed: { id: string }) => listed.id === id,
    );

  it("changes its options and its name, unless a run began with them", async () => {
    const setup = { project_name: "Wrong", analysis_options: options };
    const id = (await create(setup)).json.project_id;
    const right = { project_name: "Right", analysis_options: { ...hd, staining: "if" } };
    expect((await configure(id, right)).status).toBe(200);
    const { analysis_options } = right;
    expect(await listedAs(id)).toMatchObject({ name: "Right", analysis_options });

    const { id: user_id } = (await server.call("GET", "/verify-subscription", { token: owner }))
      .json;
    const row = { project_id: id, user_id, status: "pending" as const };
    const times = { created_at: new Date(), due_at: new Date() };
    await server.context.database.db
      .insertInto("runs")
      .values({ id: randomUUID(), ...row, start_step: 0, log: "[]", ...times })
      .execute();
    const refused = await configure(id, setup);
    expect([refused.status, refused.json.code]).toEqual([409, "project_busy"]);
    expect(await listedAs(id)).toMatchObject({ name: "Right" });
  });

  it.each([
    [{ project_name: " ", analysis_options: options }, "Please enter a project name"],
    [{ project_name: "A" }, "Please complete all analysis options selections"],
    [
      { project_name: "A", analysis_options: { ...hd, resolution: "" } },
      "Please select a resolution for HD Visium analysis",
    ],
  ])("refuses %j", async (body, sentence) => {
    const answer = await configure(project, body);
    expect([answer.status, answer.json.error]).toEqual([400, sentence]);
  });

  it("is refused for another's project", async () => {
    const body = { project_name: "A", analysis_options: options };
    expect((await configure(project, body, stranger)).status).toBe(404);
  });
});

it.each([null, "", "8"])(
  "ignores a resolution of %j left in the form of a Visium project",
  async (rest) => {
    const answer = await create({
      project_name: "Visium",
      analysis_options: { ...options, resolution: rest },
    });
    expect(answer.status).toBe(201);
    const [newest] = (await server.call("GET", "/projects", { token: owner })).json;
    expect(newest.analysis_options).toEqual(options);
  },
);

describe("another person's project", () => {
  it.each([
    ["GET", "/status?project_id=ID"],
    ["GET", "/get_statistics?project_id=ID"],
    ["GET", "/get_image/step0_output/spatial_clusters.png?project_id=ID"],
    ["GET", "/download_output?project_id=ID"],
    ["GET", "/download_parts?project_id=ID"],
    ["GET", "/upload/he_image/chunks?project_id=ID"],
    ["POST", "/create_download_link?project_id=ID"],
    ["POST", "/start_visualization?project_id=ID"],
    ["POST", "/run_workflow"],
    ["POST", "/queue_workflow"],
    ["POST", "/cancel_workflow"],
    ["DELETE", "/projects/ID"],
  ])("appears not to exist: %s %s", async (method, path) => {
    const ask = (id: string) =>
      server.call(method, path.replace("ID", id), {
        token: stranger,
        ...(method === "POST" && !path.includes("?")
          ? { body: { project_id: id, start_step: 0 } }
          : {}),
      });
    const theirs = await ask(project);
    const none = await ask("00000000-0000-4000-8000-000000000000");
    expect([theirs.status, theirs.json.code]).toEqual([404, "project_not_found"]);
    expect(theirs.json).toEqual(none.json);
    expect((await ask("x' or 1=1")).status).toBe(404);
  });
});

describe("images", () => {
  const image = (path: string, headers = {}, more = "") =>
    server.call("GET", `/get_image/${path}?t=1&project_id=${project}${more}`, {
      token: owner,
      headers,
    });

  it("come from the results, and are cached by ETag", async () => {
    const answer = await image("figures/showspatial_celltypes.png");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(answer.bytes.equals(PNG)).toBe(true);
    const tag = answer.headers.get("etag") ?? "";
    // Proxies that compress responses weaken the tag.
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await image("figures/showspatial_celltypes.png", { "if-none-match": known });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    }
    const other = { "if-none-match": 'W/"other"' };
    expect((await image("figures/showspatial_celltypes.png", other)).status).toBe(200);
  });

  it("are downscaled on request, with a separate ETag", async () => {
    const path = "figures/umap_clusters.png";
    await addFiles(server, project, { [path]: WIDE_PNG });
    const small = await image(`${path}`, {}, "&width=1600");
    expect([small.status, small.headers.get("content-type")]).toEqual([200, "image/webp"]);
    // WebP canvas: width and height minus one, 24 bits each.
    const frame = small.bytes.subarray(small.bytes.indexOf("VP8 ") + 14);
    expect([frame.readUInt16LE(0) & 0x3fff, frame.readUInt16LE(2) & 0x3fff]).toEqual([1600, 1]);
    const whole = await image(path);
    expect(whole.bytes.equals(WIDE_PNG)).toBe(true);
    expect(whole.headers.get("etag")).not.toBe(small.headers.get("etag"));
    const tag = small.headers.get("etag") ?? "";
    expect((await image(path, { "if-none-match": tag }, "&width=1600")).status).toBe(304);
    expect((await image(path, {}, "&width=9999")).status).toBe(400);
    expect((await image("figures/none.png", {}, "&width=1600")).status).toBe(404);
  });

  it.each([
    "../input/secret.png",
    "%2e%2e/input/secret.png",
    "..%2finput%2fsecret.png",
    "%252e%252e%252finput%252fsecret.png",
    "figures/..%2f..%2finput%2fsecret.png",
    "..%5cinput%5csecret.png",
    "%2fetc%2fpasswd",
    "//etc/passwd.png",
    "figures/umap.png%00.png",
    "figures",
    "analysis_results/output/statistics.json",
    "step7_output/done.txt",
    "figures/none.png",
  ])("cannot be anything else: %s", async (path) => {
    // fetch would normalize "..", so the request is injected unchanged.
    const answer = await server.app.inject({
      method: "GET",
      url: `/api/get_image/${path}?project_id=${project}`,
      headers: { authorization: `Bearer ${owner}` },
    });
    expect([path, answer.statusCode]).toEqual([path, 404]);
    expect(answer.body).not.toContain("PNG");
  });
});

describe("results", () => {
  it("are four figures under the specified names", async () => {
    const { json } = await server.call("GET", `/get_statistics?project_id=${project}`, {
      token: owner,
    });
    expect(json).toEqual({
      "Total Spots": 10,
      "Total Cells": 25,
      "Total Genes": 7,
      "Average Cells per Spot": 2.5,
    });
  });

  it("include a quality assessment", async () => {
    const judged = await server.newProject(owner);
    const statistics = {
      total_spots: 10,
      total_cells: 25,
      total_genes: 7,
      average_cells_per_spot: 2.5,
      verdict: POOR_VERDICT,
    };
    await addFiles(server, judged, {
      "step7_output/done.txt": "done",
      "analysis_results/output/statistics.json": JSON.stringify(statistics),
    });
    const { json } = await server.call("GET", `/get_statistics?project_id=${judged}`, {
      token: owner,
    });
    expect(json.verdict).toEqual(POOR_VERDICT);
  });

  it("are unavailable before they are ready", async () => {
    const fresh = await server.newProject(owner);
    const answer = await server.call("GET", `/get_statistics?project_id=${fresh}`, {
      token: owner,
    });
    expect([answer.status, answer.json.code]).toEqual([404, "results_not_ready"]);
  });

  it("have a report that may load nothing and run only its own script", async () => {
    const path = `/get_report?project_id=${project}`;
    const answer = await server.call("GET", path, { token: owner });
    expect([answer.status, answer.bytes.toString()]).toEqual([200, "<h1>Report</h1>"]);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^sandbox allow-scripts allow-modals; default-src 'none';.* script-src 'sha256-[\w+/]{43}=';/,
    );
    expect((await server.call("GET", path, { token: stranger })).status).toBe(404);
    expect((await server.call("GET", path)).status).toBe(401);
  });

  it.each([
    ["GET", "/download_output"],
    ["POST", "/create_download_link"],
  ])("cannot be downloaded on trial: %s %s", async (method, path) => {
    const answer = await server.call(method, `${path}?project_id=${project}`, { token: owner });
    expect([answer.status, answer.json.code]).toEqual([403, "download_not_in_trial"]);
  });
});

describe("the download link", () => {
  /** Sent in several chunks, whose memory is freed along the way. */
  const large = randomBytes(5_000_000);
  let buyer: string;
  let bought: string;
  const linkOf = (id: string, token = buyer) =>
    server.call("POST", `/create_download_link?project_id=${id}`, { token });
  const freshLink = async () => ((await linkOf(bought)).json.url as string).replace("/api", "");

  beforeAll(async () => {
    buyer = await server.signUp();
    const { id } = (await server.call("GET", "/verify-subscription", { token: buyer })).json;
    await server.context.database.db
      .insertInto("purchases")
      .values({ id: "bought", user_id: id, tier: "single_analysis", purchased_at: new Date() })
      .execute();
    bought = await server.newProject(buyer, "Bought");
    await addFiles(server, bought, {
      "figures/umap_clusters.png": PNG,
      "figures/umap_types.png": large,
      "step7_output/done.txt": PNG,
    });
  });

  it("returns the same zip without a session, and never contains the session token", async () => {
    const whole = await server.call("GET", `/download_output?project_id=${bought}`, {
      token: buyer,
    });
    expect(whole.headers.get("content-disposition")).toContain('"Bought_analysis_results.zip"');
    const link = await freshLink();
    expect(link).not.toContain(buyer);
    const linked = await server.call("GET", link);
    expect(linked.status).toBe(200);
    expect(linked.bytes.equals(whole.bytes)).toBe(true);
    for (const name of ["content-type", "content-disposition", "content-length"])
      expect(linked.headers.get(name)).toBe(whole.headers.get(name));
  });

  it("sends nothing of results that a run takes away while their files are looked up", async () => {
    const rerun = await server.newProject(buyer, "Rerun");
    await addFiles(server, rerun, { "figures/umap.png": PNG, "step7_output/done.txt": PNG });
    const { outputs, database } = server.context;
    const { below } = outputs;
    outputs.below = async (...asked) => {
      outputs.below = below;
      const found = await below(...asked);
      await removeSteps(database.db, rerun, [7]);
      return found;
    };
    const path = `/download_output?project_id=${rerun}`;
    const answer = await server.call("GET", path, { token: buyer });
    expect([answer.status, answer.json?.code]).toEqual([404, "results_not_ready"]);
  });

  it("says how large it is without reading or recording a download, to those who ask before", async () => {
    const downloads = async () => {
      const { entries } = (await server.call("GET", "/account/activity", { token: buyer })).json;
      return (entries as { what: string }[]).filter(({ what }) => what === "results_downloaded");
    };
    const link = await freshLink();
    const { bytes } = await server.call("GET", link);
    const before = await downloads();
    const read = vi.spyOn(ReadStream.prototype, "push");
    const asked = await server.call("HEAD", link);
    expect(asked.status).toBe(200);
    expect(asked.headers.get("content-length")).toBe(`${bytes.length}`);
    expect(asked.headers.get("content-disposition")).toContain('"Bought_analysis_results.zip"');
    // Nothing holds the project any longer.
    await expect
      .poll(() => server.context.database.db.selectFrom("download_holds").selectAll().execute())
      .toEqual([]);
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
    expect(await downloads()).toEqual(before);
  });

  it("resumes where it was interrupted, as long as the results are the same", async () => {
    const path = `/download_output?project_id=${bought}`;
    const whole = await server.call("GET", path, { token: buyer });
    const part = (range: string, tag = whole.headers.get("etag") ?? "") =>
      server.call("GET", path, { token: buyer, headers: { range, "if-range": tag } });
    expect(whole.bytes.includes(large)).toBe(true);
    const rest = await part("bytes=40-");
    expect([rest.status, rest.bytes.equals(whole.bytes.subarray(40))]).toEqual([206, true]);
    expect(rest.headers.get("content-range")).toBe(
      `bytes 40-${whole.bytes.length - 1}/${whole.bytes.length}`,
    );
    const anew = await part("bytes=40-", '"of another state"');
    expect([anew.status, anew.bytes.equals(whole.bytes)]).toEqual([200, true]);
    const matching = (tag: string) =>
      server.call("GET", path, { token: buyer, headers: { range: "bytes=40-", "if-match": tag } });
    for (const tag of [`"x", ${whole.headers.get("etag")}`, "*"]) {
      expect((await matching(tag)).bytes.equals(rest.bytes)).toBe(true);
    }
    const changed = await matching('"of another state"');
    expect([changed.status, changed.json.code]).toEqual([412, "file_changed"]);
    // The client already has all of it.
    const done = await part(`bytes=${whole.bytes.length}-`);
    expect([done.status, done.json.code]).toEqual([416, "range_beyond_end"]);
    expect(done.headers.get("content-range")).toBe(`bytes */${whole.bytes.length}`);
    // Several ranges, or none that makes sense: the whole file, as the standard allows.
    for (const odd of ["bytes=0-1,4-5", "bytes=9-3", "lines=1-2"]) {
      expect((await part(odd)).status).toBe(200);
    }
  });

  it("sends one part: the file itself, or a zip of its files with those that explain them", async () => {
    const of = (path: string) =>
      server.call("GET", `/${path}?project_id=${parts}`, { token: buyer });
    const get = (part: string) =>
      server.call("GET", `/download_output?project_id=${parts}&part=${part}`, { token: buyer });
    const parts = await server.newProject(buyer, "By part");
    const output = "analysis_results/output";
    await addFiles(server, parts, {
      "figures/umap.png": PNG,
      "step0_output/spatial_clusters.png": PNG,
      "step7_output/done.txt": PNG,
      [`${output}/README.txt`]: "read me",
      [`${output}/report.html`]: "<h1>Report</h1>",
      [`${output}/seurat/matrix.mtx.gz`]: PNG,
    });
    const offered = (await of("download_parts")).json;
    const names = Object.fromEntries(
      offered.parts.map((each: { part: string; file_name: string }) => [each.part, each.file_name]),
    );
    expect(offered.whole.file_name).toBe("By_part_analysis_results.zip");
    expect(names).toEqual({
      seurat: "By_part_seurat.zip",
      figures: "By_part_figures.zip",
      report: "By_part_report.html",
    });
    expect((await get("report")).bytes.toString()).toBe("<h1>Report</h1>");
    for (const { part, size, file_name: name } of offered.parts) {
      const answer = await get(part);
      expect([answer.status, answer.bytes.length]).toEqual([200, size]);
      expect(answer.headers.get("content-disposition")).toContain(`"${name}"`);
      const { url } = (
        await server.call("POST", `/create_download_link?project_id=${parts}&part=${part}`, {
          token: buyer,
        })
      ).json;
      const linked = await server.call("GET", url.replace("/api", ""));
      expect(linked.bytes.equals(answer.bytes)).toBe(true);
    }
    expect(offered.whole.size).toBe((await of("download_output")).bytes.length);
    /** Names in the directory of a zip. */
    const listed = (zip: Buffer) =>
      zip
        .toString("latin1")
        .split("PK\u0001\u0002")
        .slice(1)
        .map((record) => record.slice(42, 42 + record.charCodeAt(24)));
    expect(listed((await get("seurat")).bytes)).toEqual(["README.txt", "seurat/matrix.mtx.gz"]);
    expect(listed((await get("figures")).bytes)).toEqual([
      "README.txt",
      "figures/umap.png",
      "step0_output/spatial_clusters.png",
    ]);
    const none = await get("h5ad");
    expect([none.status, none.json.error]).toEqual([404, "These results do not have this part."]);
    expect((await get("everything")).status).toBe(400);
  });

  it("is valid for a minute, and for nothing else", async () => {
    const link = await freshLink();
    const token = link.split("/").at(-1) ?? "";
    expect((await server.call("GET", "/projects", { token })).status).toBe(401);
    expect((await server.call("GET", `/visualization/${token}/manifest`)).status).toBe(404);
    expect((await server.call("GET", `/linked_download/${buyer}`)).status).toBe(404);
    server.clock.advance(61_000);
    try {
      const late = await server.call("GET", link);
      expect([late.status, late.json.code]).toEqual([404, "not_found"]);
    } finally {
      server.clock.advance(-61_000);
    }
  });

  it("is not created before there are results, and checks its owner's permissions when opened", async () => {
    const early = await linkOf(await server.newProject(buyer));
    expect([early.status, early.json.code]).toEqual([404, "results_not_ready"]);
    const link = await freshLink();
    await server.context.database.db.deleteFrom("purchases").execute();
    expect((await server.call("GET", link)).json.code).toBe("download_not_in_trial");
  });
});

describe("the visualization link", () => {
  const start = async () =>
    (await server.call("POST", `/start_visualization?project_id=${project}`, { token: owner })).json
      .url as string;
  const tokenOf = (url: string) => url.split("/").at(-1) ?? "";

  it("opens only its project, without a session, and never contains the session token", async () => {
    const url = await start();
    expect(url.startsWith(`${server.config.publicUrl}/visualization/`)).toBe(true);
    expect(url).not.toContain(owner);
    const token = tokenOf(url);
    const column = `/visualization/${token}/file/cells.xy.bin`;
    expect((await server.call("GET", column)).bytes.toString()).toBe("0123456789");
    const part = await server.call("GET", column, { headers: { range: "bytes=2-4" } });
    expect([part.status, part.bytes.toString()]).toEqual([206, "234"]);
    expect(part.headers.get("content-range")).toBe("bytes 2-4/10");
    expect((await server.call("GET", "/projects", { token })).status).toBe(401);
    expect((await server.call("GET", `/visualization/${owner}/file/cells.xy.bin`)).status).toBe(
      404,
    );
  });

  it.each([
    "..%2f..%2fanalysis_results%2foutput%2fstatistics.json",
    "%2e%2e/../step7_output/done.txt",
  ])("opens nothing else: %s", async (path) => {
    const token = tokenOf(await start());
    const answer = await server.app.inject({ url: `/api/visualization/${token}/file/${path}` });
    expect(answer.statusCode).toBe(404);
  });

  it("expires", async () => {
    const token = tokenOf(await start());
    server.clock.advance(13 * 3_600_000);
    try {
      const answer = await server.call("GET", `/visualization/${token}/manifest`);
      expect([answer.status, answer.json.code]).toEqual([403, "visualization_expired"]);
    } finally {
      server.clock.advance(-13 * 3_600_000);
    }
  });
});

it("deleting a project, or its account, removes what has arrived of a file", async () => {
  const token = await server.signUp();
  const parts = async () => (await all(server.context.storage.listParts("objects"))).length;
  const before = await parts();
  const bytes = Buffer.alloc(CHUNK_BYTES);
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  const first = { name: "tissue.tif", bytes, chunks: 2 };
  const [gone, kept] = [await server.newProject(token), await server.newProject(token)];
  await server.sendChunk(token, gone, "he_image", first);
  await server.sendChunk(token, kept, "he_image", first);
  expect((await parts()) - before).toBe(2);
  await server.call("DELETE", `/projects/${gone}`, { token });
  expect((await parts()) - before).toBe(1);
  await server.call("POST", "/delete-account", { token, body: { password: "secret1" } });
  expect(await parts()).toBe(before);
});

it("deleting a project removes its files", async () => {
  const gone = await server.newProject(owner);
  await addFiles(server, gone, { "figures/a.png": "of a project that goes" });
  const keys = await keysOf(server, gone);
  expect(keys).not.toEqual([]);
  expect((await server.call("DELETE", `/projects/${gone}`, { token: owner })).status).toBe(200);
  expect(await remaining(server.context.storage, keys)).toEqual([]);
  expect((await server.call("GET", `/status?project_id=${gone}`, { token: owner })).status).toBe(
    404,
  );
});

function grayPng(width: number, height: number): Buffer {
  const chunk = (name: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    framed.set(body, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
