import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PLATFORM_FIXTURES } from "@stipple/pipeline/internal/readers/testing/platform-fixtures";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
let token: string;
let project: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signUp();
});
afterAll(() => server[Symbol.asyncDispose]());

/** A platform the API supports besides the two that the pages offer. */
describe("a project of first-generation Spatial Transcriptomics", () => {
  const options = { platform: "st", staining: "h_and_e", analysis_type: "basic" };
  beforeEach(async () => {
    const answer = await server.call("POST", "/create_project", {
      token,
      body: { project_name: "Olfactory bulb", analysis_options: { ...options, resolution: "8" } },
    });
    expect(answer.status).toBe(201);
    project = answer.json.project_id as string;
  });
  const send = (address: string, name: string, bytes: Uint8Array) =>
    server.sendChunk(token, project, address, { name, bytes });
  const table = Buffer.from("\tActb\n2x3\t1\n");

  it("is listed without the unused resolution", async () => {
    const { json } = await server.call("GET", "/projects", { token });
    expect(json[0].analysis_options).toEqual(options);
  });

  it("requires its own files, accepts them, and starts", async () => {
    const start = () =>
      server.call("POST", "/run_workflow", { token, body: { project_id: project, start_step: 0 } });
    expect((await start()).json.error).toBe(
      "Input files are missing: the table of counts (.tsv); the spot coordinates (.tsv); the histology image (.jpg, .png, .tif, or .btf). Upload them first.",
    );
    const { files } = await PLATFORM_FIXTURES.st(await mkdtemp(join(server.config.dataDir, "st-")));
    for (const [address, name, path] of [
      ["spatial_data?type=matrix", "Rep1_stdata.tsv.gz", files.counts],
      ["spatial_data?type=positions", "Rep1_selection.tsv", files.coordinates],
      ["he_image", "Rep1.JPG", files.he_image],
    ] as const) {
      const answer = await send(address, name, await readFile(path));
      expect([answer.status, answer.json.complete, answer.json.warning]).toEqual([
        200,
        true,
        undefined,
      ]);
    }
    const { json } = await server.call("GET", `/status?project_id=${project}`, { token });
    expect(Object.keys(json.input_files).sort()).toEqual(["coordinates", "counts", "he_image"]);
    expect([200, 202]).toContain((await start()).status);
  });

  it("refuses files of other platforms and non-tables", async () => {
    const h5 = await send("spatial_data?type=matrix", "filtered_feature_bc_matrix.h5", table);
    expect(h5.json).toMatchObject({ code: "upload_type_wrong" });
    expect(h5.json.error).toMatch(/accepted types are \.tsv\.gz and \.tsv\./);
    const barcodes = await send("filtered_matrix?type=barcodes", "barcodes.tsv.gz", table);
    expect(barcodes.json.code).toBe("upload_slot_unknown");
    const text = await send("spatial_data?type=positions", "spots.tsv", Buffer.from("none"));
    expect(text.json.error).toMatch(/spots\.tsv is not a table of spot coordinates/);
    const image = await send("he_image", "image.jpg", table);
    expect(image.json.error).toMatch(/image\.jpg is a text file, not a TIFF, PNG, or JPEG image/);
  });
});
