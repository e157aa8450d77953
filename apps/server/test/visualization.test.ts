import { connect } from "node:net";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import {
  clustersLine,
  differentialLine,
  RESULTS_HEADER,
  type DifferentialTable,
  type ViewerManifest,
} from "@stipple/contract";
import { readResult } from "@stipple/pipeline/results";
import { runStepOn } from "@stipple/pipeline/internal/store/testing/run-step-on";
import { writeSimulatedResults } from "@stipple/pipeline/internal/store/testing/simulated-results";
import { step as projectionAnalysis } from "@stipple/pipeline/internal/steps/6-projection-analysis/step";
import type { OwnMarkerTable } from "@stipple/contract/statistical-facts";
import { packRates } from "@stipple/contract/packed-rates";
import { openViewer } from "@stipple/pipeline/view";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addFiles, publishResults } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";

/** The interactive view's data, read over HTTP as a page would, from the results of a real step 6. */
let server: TestServer;
let project: string;
let results: string;
let link: string;
let manifest: ViewerManifest;

const N_CELLS = 300;
const get = (path: string, headers?: Record<string, string>) =>
  server.call("GET", `/visualization/${path}`, headers ? { headers } : {});
const file = (name: string, headers?: Record<string, string>) =>
  get(`${link}/file/${name}`, headers);
const compare = (a: string, b: string | null = null) =>
  server.call("POST", `/visualization/${link}/differential`, { body: { a, b } });
const floats = (bytes: Buffer) => new Float32Array(new Uint8Array(bytes).buffer);

/** A new owner's link token for a new project. */
async function newLink(): Promise<{ id: string; token: string }> {
  const person = await server.signUp();
  const id = await server.newProject(person);
  const { id: userId } = (await server.call("GET", "/verify-subscription", { token: person })).json;
  const url = await server.context.visualizationLinks.issue({ id, userId });
  return { id, token: url.split("/").at(-1)! };
}

function cells(inside: (cell: number) => boolean): string {
  const set = new Uint8Array(Math.ceil(N_CELLS / 8));
  for (let cell = 0; cell < N_CELLS; cell++) if (inside(cell)) set[cell >> 3] |= 1 << (cell & 7);
  return Buffer.from(set).toString("base64");
}

beforeAll(async () => {
  server = await startTestServer();
  ({ id: project, token: link } = await newLink());
  const made = await writeSimulatedResults(join(server.config.dataDir, "made"), {
    cells: N_CELLS,
    spots: 20,
    genes: 40,
  });
  results = made.results;
  await runStepOn(projectionAnalysis, results, made.files, {
    params: { figureSidePx: 300, geneFigures: 0, permutations: 19 },
    settings: { analysisType: "advanced" },
  });
  await publishResults(server, project, results);
  const answer = await get(`${link}/manifest`);
  expect(answer.json).toMatchObject({ project_id: project, read_only: false });
  manifest = answer.json.manifest;
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe("files", () => {
  it("return every column named in the manifest, complete", async () => {
    const widths = { float32: 4, uint32: 4, uint16: 2, uint8: 1 };
    for (const { file: name, dtype, length } of Object.values(manifest.columns)) {
      const { status, bytes } = await file(name);
      expect([name, status, bytes.length]).toEqual([name, 200, length * widths[dtype]]);
    }
    expect(manifest.columns["cells.domain"]!.length).toBe(N_CELLS);
    expect(manifest.domains.reduce((sum, { count }) => sum + count, 0)).toBe(N_CELLS);
  });

  it("return one tile of outlines as a range", async () => {
    const { bytes: ends } = await file(manifest.columns["polygons.offsets"]!.file);
    const end = ends.readUInt32LE(4);
    const { file: name } = manifest.polygonTiles;
    const part = await file(name, { range: `bytes=0-${end - 1}` });
    expect([part.status, part.bytes.length]).toEqual([206, end]);
    expect(part.headers.get("content-range")).toMatch(`bytes 0-${end - 1}/`);
    expect(part.bytes.readUInt32LE(0)).toBe(N_CELLS - 1);
  });

  it("are not resent while unchanged, and are sent whole if a partial copy is stale", async () => {
    const { file: name } = manifest.columns["cells.xy"]!;
    const first = await file(name);
    const etag = first.headers.get("etag")!;
    expect(first.headers.get("cache-control")).toContain("private");
    const again = await file(name, { "if-none-match": etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const range = { range: "bytes=0-3" };
    expect((await file(name, { ...range, "if-range": etag })).status).toBe(206);
    expect((await file(name, { ...range, "if-range": '"other"' })).status).toBe(200);
  });

  it("return 404 if missing, and allow no access to other folders", async () => {
    for (const path of [
      "channels.ome.zarr/.zgroup",
      "none.f32",
      "tissue_files",
      "..%2fstep.json",
      "%2e%2e%2f%2e%2e%2fstep5_output%2fcells.cluster.npy",
      "tissue_files%2f..%2f..%2fstep.json",
    ]) {
      const answer = await server.app.inject({ url: `/api/visualization/${link}/file/${path}` });
      expect([path, answer.statusCode]).toEqual([path, 404]);
    }
  });

  it("of a channel pyramid are found if they exist, and missing otherwise", async () => {
    const zarr = "channels.ome.zarr";
    const folder = `step6_output/viewer/${zarr}`;
    const tile = Buffer.from([1, 2, 3]);
    await addFiles(server, project, {
      [`${folder}/.zattrs`]: "{}",
      [`${folder}/0/.zarray`]: "{}",
      [`${folder}/0/0/0/0`]: tile,
    });
    const status = async (path: string) => (await file(`${zarr}/${path}`)).status;
    expect((await file(`${zarr}/0/0/0/0`)).bytes).toEqual(tile);
    expect([await status(".zattrs"), await status("0/.zarray")]).toEqual([200, 200]);
    for (const path of [".zgroup", ".zmetadata", "zarr.json", "0/0/0/1", "1/.zarray", "0"]) {
      expect([path, await status(path)]).toEqual([path, 404]);
    }
    await publishResults(server, project, results);
  });

  it("of a project are inaccessible through another project's link", async () => {
    const other = await newLink();
    for (const path of ["manifest", "gene?name=Gene1", "statistics", "file/cells.xy.f32"]) {
      expect([path, (await get(`${other.token}/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await get("no.such.token/manifest")).status).toBe(404);
  });
});

describe("a gene", () => {
  it.each(["rate", "counts"] as const)("over all cells: %s", async (layer) => {
    const { status, bytes, headers } = await get(`${link}/gene?name=Gene7&layer=${layer}`);
    expect([status, bytes.length]).toEqual([200, 4 * N_CELLS]);
    expect(floats(bytes)).toEqual(await (await openViewer(results)).gene("Gene7", layer));
    const again = await get(`${link}/gene?name=Gene7&layer=${layer}`, {
      "if-none-match": headers.get("etag")!,
    });
    expect(again.status).toBe(304);
  });

  it("over all spots, as counted", async () => {
    const counts = await readResult(results, "spots/counts");
    const { bytes } = await get(`${link}/spot_gene?name=Gene7`);
    const values = floats(bytes);
    expect(values.length).toBe(manifest.nSpots);
    values.forEach((value, spot) => {
      const at = counts.indices.subarray(counts.indptr[spot], counts.indptr[spot + 1]).indexOf(7);
      expect(value).toBe(at < 0 ? 0 : counts.data[counts.indptr[spot] + at]);
    });
  });

  it("has rates in two bytes each on request, and counts unchanged", async () => {
    const viewer = await openViewer(results);
    const packed = await get(`${link}/gene?name=Gene7&layer=rate&packed=1`);
    const rates = new Uint16Array(new Uint8Array(packed.bytes).buffer);
    expect(rates).toEqual(packRates(await viewer.gene("Gene7", "rate")));
    const counts = await get(`${link}/gene?name=Gene7&layer=counts&packed=1`);
    expect(floats(counts.bytes)).toEqual(await viewer.gene("Gene7", "counts"));
  });

  it.each(["gene", "spot_gene"])("is named if not in the sample: %s", async (route) => {
    const answer = await get(`${link}/${route}?name=Nope`);
    expect([answer.status, answer.json.error]).toEqual([
      404,
      "There is no gene named Nope in this sample.",
    ]);
  });

  it("is reread once the results have changed", async () => {
    const path = `${link}/gene?name=Gene7`;
    const { headers } = await get(path);
    await addFiles(server, project, { "step6_output/more.csv": "of another run" });
    const again = await get(path, { "if-none-match": headers.get("etag")! });
    expect([again.status, again.bytes.length]).toEqual([200, 4 * N_CELLS]);
  });

  it("is refused, as are all numbers and columns, to a page with the cells of earlier results", async () => {
    const shown = async () => ({
      [RESULTS_HEADER]: (await get(`${link}/manifest`)).json.results as string,
    });
    const ask = async (headers: Record<string, string>) => {
      const paths = ["gene?name=Gene7", "spot_gene?name=Gene7", "score?genes=Gene7", "statistics"];
      const own = [...paths, "file/manifest.json", `file/${manifest.columns["cells.xy"]!.file}`];
      const answers = await Promise.all(own.map((path) => get(`${link}/${path}`, headers)));
      const body = { a: cells((cell) => cell < 150), b: null };
      const compared = `/visualization/${link}/differential`;
      answers.push(await server.call("POST", compared, { body, headers }));
      return [...new Set(answers.map(({ status, json }) => (status === 200 ? 200 : json.code)))];
    };
    const before = await shown();
    expect(await ask(before)).toEqual([200]);
    await addFiles(server, project, { "step6_output/more.csv": "of yet another run" });
    expect(await ask(before)).toEqual(["results_changed"]);
    expect(await ask(await shown())).toEqual([200]);
  });
});

describe("a gene set", () => {
  it("has a score in every cell, whose mean is 0", async () => {
    const { bytes } = await get(`${link}/score?genes=Gene1,Gene2,%20Gene3&layer=rate`);
    const score = floats(bytes);
    expect(score.length).toBe(N_CELLS);
    expect(score.reduce((sum, value) => sum + value, 0) / N_CELLS).toBeCloseTo(0, 4);
    expect(score).toEqual(
      await (await openViewer(results)).score(["Gene1", "Gene2", "Gene3"], "rate"),
    );
  });

  it.each([
    ["Gene1,Nope1,Nope2", 404, "There are no genes named Nope1, Nope2 in this sample."],
    [" , ", 400, "Name at least one gene for the score."],
    [Array(201).fill("Gene1").join(), 400, "A score can have at most 200 genes, not 201."],
  ])("is refused: %s", async (genes, status, sentence) => {
    const answer = await get(`${link}/score?genes=${encodeURIComponent(genes)}`);
    expect([answer.status, answer.json.error]).toEqual([status, sentence]);
  });
});

describe("means of groups", () => {
  const means = (body: object) =>
    server.call("POST", `/visualization/${link}/group_means`, {
      body: { genes: manifest.genes.slice(0, 2), layer: "rate", by: "type", within: null, ...body },
    });

  it.each(["rate", "counts"] as const)("are those of the %s over the cells", async (layer) => {
    const [, name] = manifest.genes;
    const values = floats((await get(`${link}/gene?name=${name}&layer=${layer}`)).bytes);
    const types = new Uint16Array(
      new Uint8Array((await file(manifest.columns["cells.type"]!.file)).bytes).buffer,
    );
    const inside = (cell: number): boolean => cell % 3 > 0;
    const { json, status } = await means({ layer, within: cells(inside) });
    expect([status, json.length]).toEqual([200, 2]);
    const taken = [...values.keys()].filter(
      (cell) => inside(cell) && types[cell] < manifest.types.length,
    );
    const meanOf = (some: number[]): number =>
      some.reduce((sum, cell) => sum + values[cell], 0) / some.length;
    const limit = layer === "counts" ? 0 : meanOf(taken);
    manifest.types.forEach((_, type) => {
      const members = taken.filter((cell) => types[cell] === type);
      const [mean, fraction] = [json[1].mean[type], json[1].fraction[type]];
      if (members.length === 0) return expect([mean, fraction]).toEqual([null, null]);
      expect(mean).toBeCloseTo(meanOf(members), 5);
      const above = members.filter((cell) => values[cell] > limit);
      expect(fraction).toBeCloseTo(above.length / members.length, 9);
    });
  });

  it("are one without a grouping, and are refused with a message for missing ones", async () => {
    const one = await means({ by: "none", layer: "counts" });
    expect(one.json.map(({ mean }: { mean: number[] }) => mean.length)).toEqual([1, 1]);
    const unknown = await means({ genes: ["NOT_A_GENE"] });
    expect([unknown.status, unknown.json.error]).toEqual([
      404,
      "There is no gene named NOT_A_GENE in this sample.",
    ]);
    const short = await means({ within: "AAAA" });
    expect([short.status, short.json.error]).toEqual([
      400,
      `The set of cells has 3 bytes; with one bit for each of the ${N_CELLS} cells, it must have 38.`,
    ]);
    expect((await means({ genes: [] })).status).toBe(400);
    expect((await means({ genes: Array.from({ length: 9 }, () => "A") })).status).toBe(400);
  });
});

describe("differential expression", () => {
  it("compares observed cells in a set with all others", async () => {
    const typeOf = await readResult(results, "cells/cell_type");
    const { status, json } = await compare(cells((cell) => typeOf[cell] === 0));
    expect(status).toBe(200);
    const table = json as DifferentialTable;
    expect(table.cells_a).toBeGreaterThan(20);
    expect(table.cells_a + table.cells_b).toBeLessThanOrEqual(N_CELLS / 2);
    expect(table.sampled).toBe(false);
    expect(new Set(table.genes).size).toBe(table.genes.length);
    for (const column of [table.t, table.fdr, table.auc, table.fraction_a, table.reliable]) {
      expect(column.length).toBe(table.genes.length);
    }
  });

  it.each<[string, string, string | null, RegExp]>([
    ["nothing", cells(() => false), null, /first set of cells is empty/],
    [
      "another length",
      "AAE=",
      null,
      /has 2 bytes; with one bit for each of the 300 cells, it must have 38/,
    ],
    ["no base64", "$$$", null, /first set of cells is not base64/],
    ["the same twice", cells((c) => c < 90), cells((c) => c < 90), /contain the same cells/],
    ["unobserved cells", cells((c) => c % 2 === 1), null, /first set has 0 cells whose/],
  ])("says what is wrong with %s", async (_, a, b, sentence) => {
    const answer = await compare(a, b);
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"]);
    expect(answer.json.error).toMatch(sentence);
  });

  it("runs a few per project at a time and tells others so", async () => {
    const half = cells((cell) => cell < N_CELLS / 2);
    const answers = await Promise.all(Array.from({ length: 12 }, () => compare(half)));
    const busy = answers.filter(({ status }) => status === 429);
    const done = answers.filter(({ status }) => status === 200);
    // One runs and two wait; a slot may free up before the last call arrives.
    expect(done.length).toBeGreaterThanOrEqual(3);
    expect(busy.length).toBeGreaterThan(0);
    expect(done.length + busy.length).toBe(12);
    expect(busy[0].json.error).toMatch(/still running. Please wait/);
    expect(busy[0].headers.get("retry-after")).toBe("5");
    expect((await compare(half)).status).toBe(200);
  });

  it("can be streamed, with the same table", async () => {
    const a = cells((cell) => cell < 150);
    const answer = await fetch(`${server.url}/api/visualization/${link}/differential/progress`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ a, b: null }),
    });
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = (await answer.text()).trimEnd().split("\n");
    const said = lines.map((line) => differentialLine.parse(JSON.parse(line)));
    expect(said[0]).toEqual({ done: 0 });
    expect(said.at(-1)).toEqual({ table: (await compare(a)).json });
  });

  it("is refused before streaming", async () => {
    const answer = await server.call("POST", `/visualization/${link}/differential/progress`, {
      body: { a: cells(() => false), b: null },
    });
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"]);
    expect(answer.json.error).toMatch(/first set of cells is empty/);
  });

  it.each(["differential", "differential/progress"])(
    "stops when the caller disconnects: %s",
    async (route) => {
      const body = JSON.stringify({ a: cells((cell) => cell < 150), b: null });
      const { port } = new URL(server.url);
      const request = `POST /api/visualization/${link}/${route} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const sockets = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const socket = connect(Number(port), "127.0.0.1");
          await new Promise((resolve) => socket.write(request, resolve));
          return socket;
        }),
      );
      sockets.forEach((socket) => socket.destroy());
      await expect.poll(async () => (await compare(cells((cell) => cell < 150))).status).toBe(200);
    },
  );
});

/** The lines of a streamed answer. */
async function linesOf(route: string, body: object): Promise<Record<string, unknown>[]> {
  const { bytes, status, headers } = await server.call("POST", `/visualization/${link}/${route}`, {
    body,
  });
  expect([status, headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  const lines = bytes.toString().trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
const labelsText = (labels: Uint16Array<ArrayBuffer>) =>
  deflateSync(new Uint8Array(labels.buffer)).toString("base64");

describe("own clusters", () => {
  const order = { within: null, features: "rates", resolution: 1 };
  const ask = (body: object) =>
    server.call("POST", `/visualization/${link}/clusters`, { body: { ...order, ...body } });

  it("are those of the chosen cells, with progress", async () => {
    const inside = (cell: number): boolean => cell < 200;
    const lines = await linesOf("clusters", { ...order, within: cells(inside) });
    expect(lines[0]).toEqual({ done: 0 });
    const last = clustersLine.parse(lines.at(-1));
    if (!("clusters" in last)) throw new Error("No clusters");
    const { labels: text, sizes } = last.clusters;
    const bytes = inflateSync(Buffer.from(text, "base64"));
    const labels = new Uint16Array(Uint8Array.from(bytes).buffer);
    expect(labels.length).toBe(N_CELLS);
    expect(labels.every((label, cell) => label < sizes.length === inside(cell))).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200);
  });

  it.each<[string, object, number, RegExp]>([
    ["nothing", { within: cells(() => false) }, 400, /empty: choose at least 30 cells/],
    ["few cells", { within: cells((cell) => cell < 5) }, 400, /has 5 cells; .* at least 30/],
    ["another length", { within: "AAAA" }, 400, /has 3 bytes; .* must have 38/],
    ["no base64", { within: "$" }, 400, /given set of cells is not base64/],
    ["a wild resolution", { resolution: 99 }, 400, /resolution must be a number from 0.01 to 20/],
    ["other features", { features: "smell" }, 400, /by rates, counts, looks/],
    ["no genes", { genes: [] }, 400, /Name 1 to 500 genes/],
    ["many genes", { genes: Array(501).fill("Gene1") }, 400, /Name 1 to 500 genes/],
    ["unknown genes", { genes: ["Nope"] }, 404, /no gene named Nope/],
  ])("say what is wrong with %s", async (_, body, status, sentence) => {
    const answer = await ask(body);
    expect([answer.status, answer.json.error]).toEqual([
      status,
      expect.stringMatching(sentence) as string,
    ]);
  });

  it("have markers", async () => {
    const typeOf = await readResult(results, "cells/cell_type");
    const labels = labelsText(Uint16Array.from(typeOf, (type) => (type < 2 ? type : 0xffff)));
    const lines = await linesOf("group_markers", { labels, names: ["One", "Two"] });
    expect(lines[0]).toEqual({ done: 0 });
    const { groups } = lines.at(-1)!.markers as OwnMarkerTable;
    expect(groups.map(({ group }) => group)).toEqual(["One", "Two"]);
    expect(groups.every(({ genes }) => genes.length > 0)).toBe(true);
  });

  it.each<[string, string, RegExp]>([
    ["other cells", labelsText(new Uint16Array(7)), /one for each of the 300 cells/],
    ["far too many", labelsText(new Uint16Array(1e6)), /one for each of the 300 cells/],
    ["anything else", "AAAA", /one for each of the 300 cells/],
    ["only one group", labelsText(new Uint16Array(N_CELLS)), /only one of these has 5 cells/],
  ])("have no markers for labels of %s", async (_, labels, sentence) => {
    const answer = await server.call("POST", `/visualization/${link}/group_markers`, {
      body: { labels, names: ["One", "Two"] },
    });
    expect([answer.status, answer.json.error]).toEqual([
      400,
      expect.stringMatching(sentence) as string,
    ]);
  });
});

it("has genes like one gene", async () => {
  const { json } = await get(`${link}/similar_genes?name=Gene7`);
  expect(json).toEqual(await (await openViewer(results)).similar("Gene7", "rate"));
  const unknown = await get(`${link}/similar_genes?name=Nope`);
  expect([unknown.status, unknown.json.error]).toEqual([
    404,
    "There is no gene named Nope in this sample.",
  ]);
});

it("has markers and spatial statistics", async () => {
  const { json } = await get(`${link}/statistics`);
  expect(json.markers).toEqual(await readResult(results, "sample/markers"));
  expect(json.spatial).toEqual(await readResult(results, "sample/spatial_statistics"));
});

describe("results of an earlier version", () => {
  it("are reported as such for every request", async () => {
    const old = await newLink();
    await publishResults(server, old.id, results);
    await addFiles(server, old.id, {
      "step6_output/viewer/manifest.json": JSON.stringify({ ...manifest, version: 1 }),
    });
    for (const path of ["manifest", "gene?name=Gene1", "spot_gene?name=Gene1", "statistics"]) {
      const answer = await get(`${old.token}/${path}`);
      expect([path, answer.status, answer.json.code]).toEqual([path, 409, "results_outdated"]);
      expect(answer.json.error).toMatch(/run the workflow again from step 6/);
    }
  });
});
