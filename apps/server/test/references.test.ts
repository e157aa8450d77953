import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  writeLabeled,
  type Shape,
} from "@stipple/pipeline/internal/reference/testing/labeled-cells";
import { CHUNK_BYTES, type ListedReference } from "@stipple/contract";
import { openLibrary } from "@stipple/formats/hdf5/library";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { addReference, removeNamed } from "../src/admin/references.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { damage } from "./stored.ts";

let server: TestServer;
let folder: string;
let ada: string;
let project: string;
const CSR = { encoding: "csr", labels: "categorical" } as const;

beforeAll(async () => {
  await openLibrary();
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), "stipple-references-"));
  ada = await server.signUp();
  project = await server.newProject(ada, "Islets");
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const listAll = async (token = ada) => (await server.call("GET", "/references", { token })).json;
/** Without those that are built in. */
const list = async (token = ada) =>
  (await listAll(token)).filter((one: ListedReference) => !one.is_built_in);
const keep = (body: object, token = ada) =>
  server.call("POST", "/references", {
    token,
    body: { project_id: project, name: "islets", tissue: "Pancreas", ...body },
  });
const take = (id: string, projectId = project, token = ada) =>
  server.call("POST", `/projects/${projectId}/reference`, { token, body: { reference_id: id } });
const slot = async (projectId: string) =>
  (await server.call("GET", `/upload/reference/chunks?project_id=${projectId}`, { token: ada }))
    .json;

async function upload(name: string, shape: Partial<Shape> = {}): Promise<void> {
  const bytes = await readFile(writeLabeled(folder, name, { ...CSR, ...shape }));
  const sent = await server.sendChunk(ada, project, "reference", { name: `${name}.h5ad`, bytes });
  expect(sent.json).toMatchObject({ complete: true });
}

it("keeps an uploaded reference, which other projects of its owner use", async () => {
  expect((await keep({})).json.error).toBe("Upload a reference to this project first.");
  await upload("two columns", { alsoColumn: "cluster" });
  const refused = await keep({});
  expect([refused.status, refused.json.error]).toEqual([
    422,
    "The reference two columns.h5ad has several columns of labels (cell_type, cluster): say which one to use.",
  ]);
  const kept = await keep({ labels: "cluster", citation: "Doe 2020" });
  expect(kept.status).toBe(201);
  expect(kept.json).toMatchObject({
    name: "islets",
    tissue: "pancreas",
    species: "human",
    labels: ["Acinar", "Beta", "Delta"],
    cells: 60,
    source: "two columns.h5ad",
    citation: "Doe 2020",
    is_own: true,
    is_built_in: false,
  });
  expect(await list()).toEqual([kept.json]);
  expect((await keep({ labels: "cluster" })).json.error).toBe(
    "A reference islets is kept already.",
  );

  const other = await server.newProject(ada, "Other");
  expect((await take(kept.json.id, other)).json.message).toContain("now uses the reference islets");
  expect(await slot(other)).toMatchObject({ file_name: "islets.h5ad", complete: true });
  // What is kept is condensed; it cannot be condensed again.
  expect((await keep({ project_id: other, name: "again" })).json.error).toContain("condensed");

  const bob = await server.signUp();
  const his = await server.newProject(bob, "His");
  expect(await list(bob)).toEqual([]);
  expect((await take(kept.json.id, his, bob)).status).toBe(404);
  expect((await take(kept.json.id, project, bob)).status).toBe(404);
  const remove = (token: string) => server.call("DELETE", `/references/${kept.json.id}`, { token });
  expect((await remove(bob)).status).toBe(404);
  expect((await remove(ada)).status).toBe(200);
  expect(await list()).toEqual([]);
  // The project has its own copy.
  expect(await slot(other)).toMatchObject({ file_name: "islets.h5ad", complete: true });
});

it("keeps a reference once when it is asked for twice at the same time", async () => {
  await upload("twice");
  const both = await Promise.all([keep({}), keep({})]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
  const [kept, ...more] = await list();
  expect(more).toEqual([]);
  await server.call("DELETE", `/references/${kept.id}`, { token: ada });
});

it.each([
  ["normalized values", { values: new Float32Array(60 * 90).fill(0.5) }, /has normalized values/],
  ["one label", { given: Array.from({ length: 60 }, () => "Beta") }, /fewer than two labels/],
])("does not keep a reference with %s", async (name, shape, message) => {
  await upload(name, shape);
  const { status, json } = await keep({ name: "wrong" });
  expect(status).toBe(422);
  expect(json.error).toMatch(message);
  expect(await list()).toEqual([]);
});

it("does not keep a reference that the server has damaged", async () => {
  await upload("sound");
  const { storage, uploads } = server.context;
  const inputs = await uploads.inputs(project);
  const { storageKey, size } = inputs.find((file) => file.slot === "reference")!;
  await damage(storage, storageKey, "flip", size - 1);
  const { status, json } = await keep({ name: "damaged" });
  expect([status, json.error]).toEqual([
    422,
    "sound.h5ad is damaged on the server: upload it to the project again.",
  ]);
  await upload("sound");
  expect((await keep({ name: "sound" })).status).toBe(201);
  const [kept] = (await list()).filter((one: ListedReference) => one.name === "sound");
  await server.call("DELETE", `/references/${kept.id}`, { token: ada });
});

it("offers the operator's references to everyone, who cannot remove them", async () => {
  const { storage } = server.context;
  const file = writeLabeled(folder, "atlas", CSR);
  const limits = { maxBytes: 1e6, signal: new AbortController().signal };
  await addReference(storage, file, { tissue: "pancreas", labelColumn: "cell_type" }, limits);
  // One that cannot be read does not hide the others.
  await storage.put("references/shared/torn.json", "{");
  const [atlas] = await list();
  expect(atlas).toMatchObject({ name: "atlas", is_own: false });
  expect((await take(atlas.id)).status).toBe(200);
  expect(await slot(project)).toMatchObject({ file_name: "atlas.h5ad" });
  await storage.remove(["references/shared/torn.json"]);
  const removed = await server.call("DELETE", `/references/${atlas.id}`, { token: ada });
  expect(removed.status).toBe(404);
});

it("leaves a project its reference when another cannot be stored", async () => {
  await upload("kept so far");
  const [blood] = (await listAll()).filter((one: ListedReference) => one.is_built_in);
  const { storage } = server.context;
  const put = vi.spyOn(storage, "put");
  put.mockRejectedValueOnce(Object.assign(new Error("full"), { code: "ENOSPC" }));
  expect((await take(blood.id)).json.code).toBe("storage_full");
  put.mockRestore();
  expect(await slot(project)).toMatchObject({ file_name: "kept so far.h5ad", complete: true });
  // A file that has arrived in part does not come after the one that was chosen.
  const part = { name: "large.h5ad", bytes: Buffer.alloc(CHUNK_BYTES), chunks: 2 };
  await server.sendChunk(ada, project, "reference", part);
  expect((await take(blood.id)).status).toBe(200);
  expect(await slot(project)).toMatchObject({ file_name: "blood-pbmc68k.h5ad", complete: true });
});

it("says where a reference is from without the signature of its URL", async () => {
  const file = writeLabeled(folder, "signed", CSR);
  const web = createServer((_, answer) => createReadStream(file).pipe(answer));
  await new Promise<void>((listening) => web.listen(0, "127.0.0.1", listening));
  const place = `http://127.0.0.1:${(web.address() as AddressInfo).port}/signed.h5ad`;
  const order = { tissue: "pancreas", labelColumn: "cell_type" };
  const options = { maxBytes: 1e8, signal: new AbortController().signal, allows: () => true };
  const { storage } = server.context;
  await addReference(storage, `${place}?part=2&X-Amz-Signature=abc123&sig=def`, order, options);
  web.close();
  const one = (await list()).find(({ name }: ListedReference) => name === "signed");
  expect(one.source).toBe(`${place}?part=2&X-Amz-Signature=[removed]&sig=[removed]`);
  await removeNamed(storage, "signed");
});

it("offers built-in references, which need no storage and cannot be removed or replaced", async () => {
  const [blood] = (await listAll()).filter((one: ListedReference) => one.is_built_in);
  expect(blood).toMatchObject({
    name: "blood-pbmc68k",
    tissue: "blood",
    species: "human",
    cells: 700,
    citation: expect.stringContaining("Zheng et al. 2017"),
    license: "BSD-3-Clause (scanpy)",
    is_own: false,
  });
  expect((await take(blood.id)).json.message).toContain("now uses the reference blood-pbmc68k");
  expect(await slot(project)).toMatchObject({ file_name: "blood-pbmc68k.h5ad", complete: true });
  const removed = await server.call("DELETE", `/references/${blood.id}`, { token: ada });
  expect(removed.status).toBe(404);
  await upload("blood");
  expect((await keep({ name: "blood-pbmc68k" })).json.error).toBe(
    "A reference blood-pbmc68k is kept already.",
  );
  expect(await listAll()).toContainEqual(blood);
});

it("removes an account's references with the account", async () => {
  const { storage } = server.context;
  await upload("own");
  expect((await keep({ name: "own" })).status).toBe(201);
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of storage.list("references")) found.push(key);
    return found.length;
  };
  expect(await keys()).toBe(4);
  const body = { password: "secret1" };
  expect((await server.call("POST", "/delete-account", { token: ada, body })).status).toBe(200);
  expect(await keys()).toBe(2);
});
