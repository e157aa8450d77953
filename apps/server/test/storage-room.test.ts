import { CHUNK_BYTES, PLANS, TRIAL } from "@stipple/contract";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const OPTIONS = { platform: "visium", staining: "h_and_e", analysis_type: "basic" };
const create = (token: string) =>
  server.call("POST", "/create_project", {
    token,
    body: { project_name: "One more", analysis_options: OPTIONS },
  });
/** The first chunk of a TIFF declared to have this many chunks. */
const begin = (token: string, project: string, chunks: number, name = "tissue.tif") => {
  const bytes = Buffer.alloc(CHUNK_BYTES);
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  return server.sendChunk(token, project, "he_image", { name, bytes, chunk: 0, chunks });
};
const GB = 1024 ** 3;
/** Chunks of a file; three such files fit in a trial's storage. */
const THIRD = Math.floor((TRIAL.storageGb * GB) / 3 / CHUNK_BYTES);

it("keeps as many projects as the plan allows, even with concurrent calls", async () => {
  const token = await server.signUp();
  const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
  await server.context.database.db
    .insertInto("projects")
    .values(
      Array.from({ length: TRIAL.projects - 1 }, (_, at) => ({
        id: crypto.randomUUID(),
        user_id: id as string,
        name: `Project ${at}`,
        options: JSON.stringify(OPTIONS),
        created_at: new Date(),
      })),
    )
    .execute();
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  expect(refused?.json).toMatchObject({
    code: "projects_used_up",
    error: `Your plan allows ${TRIAL.projects} projects, and you have ${TRIAL.projects}. Delete a project you no longer need, or see /pricing.`,
  });
  expect((await server.call("POST", "/create_sample_project", { token })).json).toMatchObject({
    code: "projects_used_up",
  });
  // Deleting one project makes room for another.
  const [project] = (await server.call("GET", "/projects", { token })).json as { id: string }[];
  await server.call("DELETE", `/projects/${project?.id}`, { token });
  expect((await create(token)).status).toBe(201);
  // Other accounts are not affected.
  expect((await create(await server.signUp())).status).toBe(201);
});

it("takes no room for a sample project whose files could not be stored", async () => {
  const token = await server.signUp();
  const fill = vi.spyOn(server.context.uploads, "fill");
  fill.mockRejectedValueOnce(Object.assign(new Error("full"), { code: "ENOSPC" }));
  const refused = await server.call("POST", "/create_sample_project", { token });
  fill.mockRestore();
  expect(refused.json.code).toBe("storage_full");
  expect((await server.call("GET", "/projects", { token })).json).toEqual([]);
});

it("counts files being uploaded by their declared size", async () => {
  server.config.maxUploadBytes = 1024 * GB;
  const token = await server.signUp();
  const projects = await Promise.all([1, 2, 3, 4].map(() => server.newProject(token)));
  const answers = await Promise.all(projects.map((project) => begin(token, project, THIRD)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 403]);
  expect(answers.find(({ status }) => status === 403)?.json).toMatchObject({
    code: "storage_used_up",
    error: expect.stringContaining(`of the ${TRIAL.storageGb} GB in your plan`),
  });
  const at = answers.findIndex(({ status }) => status === 200);
  const last = projects[answers.findIndex(({ status }) => status === 403)];
  // Uploads in progress continue, and another file may replace the one in its slot.
  expect((await begin(token, projects[at], THIRD)).status).toBe(200);
  expect((await begin(token, projects[at], THIRD, "other.tif")).status).toBe(200);
  expect((await begin(token, last, THIRD)).status).toBe(403);
  await server.call("DELETE", `/upload/he_image?project_id=${projects[at]}`, { token });
  expect((await begin(token, last, THIRD)).status).toBe(200);
});

it("keeps the files and results of as many whole slides as any plan analyzes in a period", () => {
  // A 7 GB image plus the same again for counts and results.
  const slideGb = 14;
  for (const { analyses, storageGb, projects } of [TRIAL, ...PLANS]) {
    expect(storageGb).toBeGreaterThanOrEqual(Math.max(analyses, 10) * slideGb);
    expect(projects).toBeGreaterThan(analyses);
  }
});
