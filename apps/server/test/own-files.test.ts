import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PLATFORM_FIXTURES } from "@stipple/pipeline/internal/readers/testing/platform-fixtures";
import {
  PURPLE_AND_PINK,
  scatteredDiscs,
  writeDiscImage,
} from "@stipple/pipeline/internal/steps/2-morphological-analysis/testing/disc-image";
import { writeField } from "@stipple/pipeline/results";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readAnnotations } from "../src/annotations/annotations.ts";
import { takeChunkMemory } from "../src/uploads/chunk-memory.ts";
import { finish } from "./finished.ts";
import { addFiles, publishFiles } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
let token: string;
let project: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signUp();
  project = await server.newProject(token);
  // 19 spots in tissue on an image of 400 × 400 px.
  const folder = await mkdtemp(join(tmpdir(), "stipple-own-files-"));
  const { files } = await PLATFORM_FIXTURES.visium(folder);
  await server.context.uploads.fill(project, new Map(Object.entries(files)));
  await rm(folder, { recursive: true });
});
afterAll(() => server[Symbol.asyncDispose]());

const send = (part: string, name: string, document: unknown) =>
  server.sendChunk(token, project, `more_files?type=${part}`, {
    name,
    bytes: Buffer.from(typeof document === "string" ? document : JSON.stringify(document)),
  });
const remove = (part: string) =>
  server.call("DELETE", `/upload/more_files?project_id=${project}&type=${part}`, { token });
const findings = async () =>
  (await server.call("GET", `/projects/${project}/own_files`, { token })).json;
const plan = async () =>
  (await server.call("POST", "/workflow_plan", { token, body: { project_id: project } })).json;
const rerun = async () => (await plan()).steps.map(({ number }: { number: number }) => number);
function square(x: number, y: number, side: number, name = "Fold") {
  const [right, bottom] = [x + side, y + side];
  const ring = [
    [x, y],
    [right, y],
    [right, bottom],
    [x, bottom],
  ];
  const geometry = { type: "Polygon", coordinates: [ring] };
  return { type: "Feature", properties: { name }, geometry };
}
const ring = (x: number) => square(x, 300, 6).geometry.coordinates[0];
/** What tells results apart for those who edit them. */
const CELLS = "step6_output/viewer/cells.xy.f32";
const landmarks = (n: number) => ({
  landmarks: [
    { from: [60, 70], to: [64, 70] },
    { from: [260, 70], to: [264, 70] },
    { from: [60, 170], to: [64, 170] },
  ].slice(0, n),
});

it.each([
  ["alignment", "two.json", landmarks(2), "two.json has 2 landmarks, but an alignment needs"],
  ["regions", "notes.geojson", { a: 1 }, "notes.geojson is not GeoJSON"],
  [
    "excluded",
    "bow.geojson",
    {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [9, 9],
          [9, 0],
          [0, 9],
        ],
      ],
    },
    "bow.geojson has a region, Region 1, whose border crosses itself at x 5, y 5",
  ],
  ["outlines", "cells.geojson", "PK\u0003\u0004", "cells.geojson is a zip archive"],
])("refuses %s in one sentence that names the file", async (part, name, document, reason) => {
  const refused = await send(part, name, document);
  expect(refused.json.code).toBe("upload_file_invalid");
  expect(refused.json.error).toContain(reason);
  expect(await findings()).toEqual([]);
});

it("says what is in the files, and which steps run again with and without them", async () => {
  await server.call("POST", "/run_workflow", { token, body: { project_id: project } });
  await server.context.database.db.updateTable("runs").set({ status: "completed" }).execute();
  await finish(server, project);
  expect(await rerun()).toEqual([]);
  await send("regions", "drawn.geojson", square(60, 60, 300, "Tumor"));
  expect(await rerun()).toEqual([7]);
  await send("outlines", "cells.geojson", [square(70, 70, 6), square(100, 100, 6)]);
  expect(await rerun()).toEqual([2, 3, 4, 5, 6, 7]);
  await send("excluded", "folds.geojson", square(60, 60, 40));
  expect(await rerun()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await send("alignment", "moved.json", landmarks(3));
  const changed = await plan();
  // Another way of analyzing the same sample is no other analysis.
  expect(changed).toMatchObject({ counts_analysis: false, files_fault: null });
  const said = new Map(
    (await findings()).map((one: { slot: string; is_fault: boolean; sentence: string }) => {
      expect(one.is_fault, one.sentence).toBe(false);
      return [one.slot, one.sentence];
    }),
  );
  expect(said.get("alignment")).toMatch(/^Aligned by moved\.json: .* 8\.0 µm/);
  expect(said.get("regions")).toMatch(/^1 region of .*\(Tumor\), with 19 of 19 spots/);
  expect(said.get("excluded")).toContain("left out are 1 of 19 spots");
  expect(said.get("outlines")).toMatch(/^2 outlines with a median area of 144 µm²/);
  for (const part of ["regions", "outlines", "excluded", "alignment"]) {
    expect((await remove(part)).status).toBe(200);
  }
  expect(await rerun()).toEqual([]);
  expect(await findings()).toEqual([]);
});

it("refuses a run with outlines that do not fit the image, even if it begins with a later step", async () => {
  await send("outlines", "other.geojson", [square(5_000, 0, 6)]);
  const [finding] = await findings();
  expect(finding).toMatchObject({ slot: "outlines", is_fault: true });
  expect(finding.sentence).toMatch(/^other\.geojson was made from another image/);
  expect((await plan()).files_fault).toBe(finding.sentence);
  const body = { project_id: project, start_step: 5 };
  const run = await server.call("POST", "/run_workflow", { token, body });
  expect(run.json.code).toBe("inputs_unusable");
  expect(run.json.error).toBe(finding.sentence);
});

it("shows the spots on the image, and keeps landmarks that move them as the alignment", async () => {
  await remove("outlines");
  const seen = async () =>
    (await server.call("GET", `/projects/${project}/registration`, { token })).json;
  const keep = (n: number) =>
    server.call("POST", `/projects/${project}/landmarks`, { token, body: landmarks(n) });
  const before = await seen();
  expect(before).toMatchObject({
    fault: null,
    look: { width_px: 400, height_px: 400, n_spots: 19, map: null, landmarks: null },
  });
  expect(before.look.spots).toHaveLength(38);
  expect(Buffer.from(before.look.picture, "base64").toString("latin1", 8, 12)).toBe("WEBP");
  expect((await keep(2)).json.error).toMatch(/^An alignment needs at least 3 landmarks, not 2/);
  expect((await keep(3)).status).toBe(200);
  expect(await rerun()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const after = await seen();
  expect(after.look).toMatchObject(landmarks(3));
  expect(after.look.map.map((value: number) => Math.round(1e6 * value) / 1e6)).toEqual([
    1, 0, 4, 0, 1, 0,
  ]);
  const address = `/upload/more_files/chunks?project_id=${project}&type=alignment`;
  const kept = await server.call("GET", address, { token });
  expect(kept.json).toMatchObject({ file_name: "landmarks.json", complete: true });
});

it("uses the regions drawn in the view: it compares them, or leaves out those marked as excluded", async () => {
  await remove("alignment");
  let revision = 0;
  const draw = async (excluded: boolean, polygon: [number, number][]) => {
    const value = { name: "Fold", class: null, color: "#ff0000", polygons: [[polygon]], excluded };
    const body = { id: randomUUID(), changes: [{ id: "r1", kind: "region", value, revision }] };
    const answer = await server.call("POST", `/projects/${project}/annotations`, { token, body });
    ({ revision } = answer.json);
  };
  const use = async () =>
    (await server.call("POST", `/projects/${project}/use_annotations`, { token })).json;
  const fold = square(60, 60, 40).geometry.coordinates[0] as [number, number][];
  await draw(true, fold);
  expect(await use()).toEqual({
    ...{ compared: 0, left_out: 1, others: 0 },
    message: "The next run leaves out 1 region.",
  });
  expect(await rerun()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const [finding] = await findings();
  expect(finding).toMatchObject({ slot: "excluded", is_fault: false });
  expect(finding.sentence).toContain("left out are 1 of 19 spots");
  await draw(true, [fold[0], fold[2], fold[1], fold[3]]);
  expect((await use()).error).toMatch(/^The drawing has a region, Fold, whose border crosses/);
  await draw(false, fold);
  expect(await use()).toMatchObject({ compared: 1, left_out: 0 });
  expect(await rerun()).toEqual([7]);
  expect(await findings()).toMatchObject([{ slot: "regions", is_fault: false }]);
  // A file that was uploaded is not a drawing.
  await send("excluded", "folds.geojson", square(60, 60, 40));
  await use();
  expect(await findings()).toHaveLength(2);
  await remove("excluded");
  await remove("regions");
});

it("looks at long borders in another process: the API stays free", async () => {
  const corners = Array.from({ length: 100_000 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / 100_000;
    return [60 + 30 * Math.cos(angle), 60 + 30 * Math.sin(angle)];
  });
  const value = { name: "Round", class: null, color: "#ff0000", excluded: false };
  const change = (polygons: [number, number][][][] | null, revision: number) =>
    server.call("POST", `/projects/${project}/annotations`, {
      token,
      body: {
        id: randomUUID(),
        changes: [
          { id: "round", kind: "region", value: polygons && { ...value, polygons }, revision },
        ],
      },
    });
  const { revision } = (await change([[corners]], 0)).json;
  const before = performance.eventLoopUtilization();
  const used = await server.call("POST", `/projects/${project}/use_annotations`, { token });
  const { utilization } = performance.eventLoopUtilization(before);
  expect(used.status).toBe(200);
  expect(utilization).toBeLessThan(0.75);
  await change(null, revision);
  await remove("regions");
});

it("puts the other annotations of the view into the results of the next run, in place of an uploaded file", async () => {
  const address = `/projects/${project}/annotations`;
  const change = async (items: [id: string, kind: string, value: object | null][]) => {
    const now = await readAnnotations(server.context.database.db, project);
    const revisionOf = (id: string) => now.items.find((item) => item.id === id)?.revision ?? 0;
    const changes = items.map(([id, kind, value]) => ({
      ...{ id, kind, value, revision: revisionOf(id) },
    }));
    const body = { id: randomUUID(), changes };
    expect((await server.call("POST", address, { token, body })).status).toBe(200);
  };
  const use = async () =>
    (await server.call("POST", `/projects/${project}/use_annotations`, { token })).json;
  await change([
    ["r1", "region", null],
    ["name type B cell", "name", { of: "type", group: "B cell", label: "Plasma cell" }],
    ["n1", "note", { text: "A vessel", x: 1, y: 2 }],
  ]);
  expect(await use()).toEqual({
    ...{ compared: 0, left_out: 0, others: 2 },
    message: "The next run puts 2 annotations into the report and the files.",
  });
  expect(await rerun()).toEqual([7]);
  expect(await findings()).toMatchObject([
    {
      slot: "annotations",
      is_fault: false,
      sentence: expect.stringMatching(/^1 name or color, 1 note\. Groups and/),
    },
  ]);
  await change([
    ["name type B cell", "name", null],
    ["n1", "note", null],
  ]);
  expect((await use()).message).toBe("The next run uses no annotations, because there are none.");
  expect(await findings()).toEqual([]);
  expect(await rerun()).toEqual([]);
  const refused = await send("annotations", "other.json", { a: 1 });
  expect(refused.json.error).toContain("other.json is not a file of annotations");
});

it("says before a run how many annotations are of cells that it may change", async () => {
  await addFiles(server, project, { [CELLS]: "cells" });
  const key = (await server.context.outputs.find(project, CELLS))!.sha256;
  const group = (id: string, cellsKey: string) => ({
    ...{ id, kind: "group", revision: 0 },
    value: { name: id, color: "#0000aa", cells: "AA==", assigned: null, cellsKey },
  });
  const changes = [group("mine", key), group("earlier", "of an earlier result")];
  const body = { id: randomUUID(), changes };
  const { revision } = (
    await server.call("POST", `/projects/${project}/annotations`, { token, body })
  ).json;
  await send("regions", "drawn.geojson", square(60, 60, 300));
  expect(await plan()).toMatchObject({
    ...{ steps: [{ number: 6 }, { number: 7 }], cell_annotations: 0 },
  });
  await send("excluded", "folds.geojson", square(60, 60, 40));
  expect((await plan()).cell_annotations).toBe(1);
  await remove("excluded");
  await remove("regions");
  const undo = { token, body: { revision } };
  await server.call("POST", `/projects/${project}/annotations/undo`, undo);
});

/** The files of a folder as a step's output. */
async function contentsOf(folder: string, step: string): Promise<Record<string, Buffer>> {
  const contents: Record<string, Buffer> = {};
  for (const name of await readdir(folder)) {
    contents[`${step}/${name}`] = await readFile(join(folder, name));
  }
  await rm(folder, { recursive: true });
  return contents;
}
const emptyFolder = () => mkdtemp(join(tmpdir(), "stipple-found-"));

it("shows the nuclei of a tile at several thresholds once the first steps have run", async () => {
  const seen = async (at = "") =>
    (await server.call("GET", `/projects/${project}/detection${at}`, { token })).json;
  expect((await seen()).fault).toContain("once the first two steps have run");
  const [first, second] = [await emptyFolder(), await emptyFolder()];
  await writeField(first, "sample/image", {
    ...{ file: "tissue.tif", source: "microscope", widthPx: 800, heightPx: 600, scale: 1 },
    ...{ micronsPerPixel: 0.5, channels: 3, bitsPerSample: 8, tiled: true, expectedPx: null },
  });
  await writeField(second, "image/stain", PURPLE_AND_PINK);
  const mask = { nRows: 6, nCols: 8, data: new Uint8Array(48).fill(1) };
  await writeField(second, "image/tissue_mask", mask);
  const discs = scatteredDiscs(500, 500, 30);
  await writeDiscImage(join(second, "working_image.tif"), 800, 600, discs);
  await publishFiles(server, project, 0, await contentsOf(first, "step0_output"));
  await publishFiles(server, project, 1, await contentsOf(second, "step1_output"));
  const { look, fault } = await seen();
  expect(fault).toBeNull();
  expect(look).toMatchObject({ image_width_px: 800, microns_per_pixel: 0.5, width_px: 512 });
  expect(Buffer.from(look.picture, "base64").toString("latin1", 8, 12)).toBe("WEBP");
  const at = look.thresholds.indexOf(0.35);
  const found = look.outlines.filter(
    (one: Record<string, number>) => one.from! <= at && one.to! >= at,
  );
  expect(found.length).toBeGreaterThan(20);
  expect((await seen("?at=790,590")).look).toMatchObject({ x: 288, y: 80 });
  expect((await seen("?at=there")).code).toBe("invalid_request");
});

it("reads label images: uploaded as regions, or imported into the view", async () => {
  const labels = Buffer.alloc(50 * 50);
  for (let y = 0; y < 50; y++) labels.fill(3, 50 * y, 50 * y + 25);
  const raw = { width: 50, height: 50, channels: 1 } as const;
  const bytes = await sharp(labels, { raw })
    .toColourspace("b-w")
    .tiff({ compression: "deflate" })
    .toBuffer();
  const name = "halves.tif";
  const sent = await server.sendChunk(token, project, "more_files?type=regions", { name, bytes });
  expect(sent.status).toBe(200);
  const finding = (await findings()).find(({ slot }: { slot: string }) => slot === "regions");
  expect(finding.sentence).toMatch(
    /^1 region of .* \(Label 3\), with \d+ of 19 spots in tissue\.$/,
  );
  const uploaded = (slot: string, whose = token) =>
    server.call("GET", `/projects/${project}/own_files/${slot}`, { token: whose });
  expect((await uploaded("regions")).bytes).toEqual(bytes);
  expect((await uploaded("regions", await server.signUp())).status).toBe(404);
  expect((await uploaded("excluded")).status).toBe(404);
  expect((await uploaded("he_image")).status).toBe(404);
  expect((await remove("regions")).status).toBe(200);
  const read = (file: Buffer, width: number) => {
    const form = new FormData();
    form.append("file", new Blob([file as Uint8Array<ArrayBuffer>]), name);
    form.append("chunk", "0");
    form.append("chunks", "1");
    const path = `/projects/${project}/label_image?width=${width}&height=400`;
    return server.call("POST", path, { token, body: form });
  };
  const { json } = await read(bytes, 400);
  expect(json.regions).toMatchObject([{ name: "Label 3" }]);
  const xs = json.regions[0].polygons[0][0].map(([x]: [number]) => x);
  expect([Math.min(...xs), Math.max(...xs)]).toEqual([0, 200]);
  // Nobody else may write into its memory before it was read.
  const { uploads } = server.context;
  const { labels: readLabels } = uploads;
  const taken = Array.from({ length: 8 }, () => takeChunkMemory());
  taken[0]?.[Symbol.dispose]();
  uploads.labels = (order) => {
    taken.push(takeChunkMemory());
    return readLabels(order);
  };
  expect((await read(bytes, 400)).json).toEqual(json);
  uploads.labels = readLabels;
  expect(taken.at(-1)).toBeNull();
  for (const memory of taken) memory?.[Symbol.dispose]();
  expect((await read(bytes, 600)).json).toMatchObject({
    code: "upload_file_invalid",
    error:
      "halves.tif is 50 × 50 pixels, but the image is 600 × 400: use labels of the whole image.",
  });
  expect((await read(Buffer.from("II*\0no image"), 400)).json.error).toContain(
    "halves.tif cannot be read as a TIFF",
  );
});

it("compares outlines with the nuclei that the last run has found", async () => {
  const rings = (...squares: [number, number, number][]) => ({
    offsets: Uint32Array.from({ length: squares.length + 1 }, (_, i) => 4 * i),
    xy: Float32Array.from(squares.flatMap((one) => square(...one).geometry.coordinates.flat(2))),
  });
  const folder = await emptyFolder();
  await writeField(folder, "nuclei/polygon", rings([70, 70, 6], [200, 100, 6]));
  await writeField(folder, "cells/polygon", rings([67, 67, 12], [197, 97, 12]));
  const contents: Record<string, Buffer | string> = {
    "step2_output/sample.segmentation.json": JSON.stringify({ method: "network" }),
  };
  Object.assign(contents, await contentsOf(folder, "step2_output"));
  await publishFiles(server, project, 2, contents);
  await send("outlines", "cells.geojson", [square(70, 70, 6), square(100, 100, 6)]);
  const [finding] = await findings();
  expect(finding.sentence).toMatch(
    /Agreement with the 2 nuclei found .*: 0\.50 with the nuclei, 0\.00 with the cells around them\.$/,
  );
});

it("uses the nuclei that were edited in the view, and says how those before and after agree with the last run", async () => {
  await remove("outlines");
  await publishFiles(server, project, 6, { [CELLS]: "cells" });
  const key = (await server.context.outputs.find(project, CELLS))!.sha256;
  let items = 0;
  const edit = async (cellsKey: string, removed: number[], ...added: unknown[]) => {
    const value = { how: added.length > 0 ? "added" : "deleted", removed, added, cellsKey };
    const changes = [{ id: `edit ${items++}`, kind: "outlines", value, revision: 0 }];
    const body = { id: randomUUID(), changes };
    return (await server.call("POST", `/projects/${project}/annotations`, { token, body })).json;
  };
  const use = async () =>
    (await server.call("POST", `/projects/${project}/use_nucleus_edits`, { token })).json;
  const standing = async () =>
    (await server.call("GET", `/projects/${project}/nucleus_edits`, { token })).json;
  expect(await standing()).toEqual({ fault: null, in_use: null });
  expect((await use()).error).toMatch(/^No nucleus of these results was changed/);
  await edit("of an earlier result", [0]);
  const { revision } = await edit(key, [5]);
  expect((await use()).error).toMatch(/^An edit changes nucleus 5, but there are 2/);
  const undo = { token, body: { revision } };
  await server.call("POST", `/projects/${project}/annotations/undo`, undo);
  await edit(key, [0]);
  await edit(key, [], ...[300, 320].map((x) => ring(x)));
  const parameters = async () => {
    const path = `/workflow_choices?project_id=${project}`;
    return (await server.call("GET", path, { token })).json.chosen.parameters;
  };
  const { uploads } = server.context;
  const { put } = uploads;
  uploads.put = async (...file) => {
    await put(...file);
    // A run that starts now has the choices that go with the file.
    expect(await parameters()).toEqual({ "morphological-analysis": { outlinesAre: "nuclei" } });
  };
  expect(await use()).toMatchObject({
    ...{ before: 2, after: 3, left_out: 1 },
    message:
      "The next run uses 3 nuclei instead of 2 (2 edits). 1 edit of another result is left out.",
  });
  const { in_use: said } = await standing();
  expect(said).toMatch(
    /^3 outlines .* 2 nuclei of the last run .*: 1\.000 before the edits, 0\.400 after them\.$/,
  );
  uploads.put = put;
  expect(await rerun()).toContain(2);
  await remove("outlines");
  expect(await parameters()).toEqual({});
  await use();
  expect(await parameters()).toEqual({ "morphological-analysis": { outlinesAre: "nuclei" } });
  // Outlines of another program are cells again.
  await send("outlines", "cells.geojson", [square(70, 70, 6)]);
  expect(await parameters()).toEqual({});
  expect((await standing()).in_use).toBe(null);
});
