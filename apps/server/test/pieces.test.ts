import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TRIAL } from "@stipple/contract";
import { writeTwoPieces } from "@stipple/pipeline/internal/readers/testing/platform-fixtures";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { storedBytes } from "../src/billing/storage-room.ts";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
let token: string;
let project: string;
let userId: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signUp();
  userId = (await server.call("GET", "/verify-subscription", { token })).json.id;
  project = await server.newProject(token, "Two sections");
  const folder = await mkdtemp(join(tmpdir(), "stipple-pieces-"));
  const { files } = await writeTwoPieces(folder);
  await server.context.uploads.fill(project, new Map(Object.entries(files)));
  await rm(folder, { recursive: true });
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (method: "GET" | "POST", path: string, body?: object) =>
  server.call(method, path, { token, ...(body ? { body } : {}) });
const pieces = async (id: string) => (await call("GET", `/projects/${id}/pieces`)).json;
const projects = async () => (await call("GET", "/projects")).json as { name: string }[];
const stored = () => storedBytes(server.context.database.db, userId);

it("creates a project for each piece, with the same files and only its spots", async () => {
  const found = await pieces(project);
  expect(found.fault).toBeNull();
  expect(found.pieces).toMatchObject([
    { name: "Piece 1", n_spots: 11 },
    { name: "Piece 2", n_spots: 12 },
  ]);
  const before = await stored();
  const { status, json } = await call("POST", `/projects/${project}/split`);
  expect(status).toBe(201);
  expect(json.projects.map(({ name }: { name: string }) => name)).toEqual([
    "Two sections – Piece 1",
    "Two sections – Piece 2",
  ]);
  // Only the two small files are new.
  expect((await stored()) - before).toBeLessThan(10_000);
  for (const [at, { id }] of json.projects.entries()) {
    const [finding] = (await call("GET", `/projects/${id}/own_files`)).json;
    expect(finding).toMatchObject({ slot: "kept", is_fault: false });
    expect(finding.sentence).toContain(`kept are ${[11, 12][at]} of 23 spots in tissue`);
    const { input_files: files } = (await call("GET", `/status?project_id=${id}`)).json;
    expect(files).toMatchObject({ kept: `Piece ${at + 1}.geojson` });
    expect(Object.keys(files).length).toBeGreaterThan(4);
    expect((await call("POST", "/workflow_plan", { project_id: id })).json).toMatchObject({
      files_fault: null,
      counts_analysis: true,
    });
  }
  const [{ id }] = json.projects;
  expect(await pieces(id)).toEqual({ pieces: [], noun: "spot", fault: null });
  const again = await call("POST", `/projects/${id}/split`);
  expect(again.json.error).toBe(
    "The tissue on this slide is one piece: there is nothing to split.",
  );
});

it("refuses in a sentence before the files are there", async () => {
  const early = await server.newProject(token, "Early");
  const sentence = "Pieces can be looked for when all required files are uploaded.";
  expect(await pieces(early)).toEqual({ pieces: [], noun: "spot", fault: sentence });
  const refused = await call("POST", `/projects/${early}/split`);
  expect(refused.json).toMatchObject({ code: "invalid_request", error: sentence });
});

it("leaves none behind that it could not fill", async () => {
  const before = await projects();
  const put = vi.spyOn(server.context.uploads, "putText");
  put.mockRejectedValueOnce(Object.assign(new Error("full"), { code: "ENOSPC" }));
  const refused = await call("POST", `/projects/${project}/split`);
  put.mockRestore();
  expect(refused.json.code).toBe("storage_full");
  expect(await projects()).toEqual(before);
});

it("creates none where the plan has no room for all", async () => {
  const room = TRIAL.projects - (await projects()).length - 1;
  const options = { platform: "visium", staining: "h_and_e", analysis_type: "basic" };
  const more = Array.from({ length: room }, () => ({
    ...{ id: crypto.randomUUID(), user_id: userId, name: "One more", created_at: new Date() },
    options: JSON.stringify(options),
  }));
  await server.context.database.db.insertInto("projects").values(more).execute();
  const refused = await call("POST", `/projects/${project}/split`);
  expect(refused.json.code).toBe("projects_used_up");
  expect(await projects()).toHaveLength(TRIAL.projects - 1);
});
