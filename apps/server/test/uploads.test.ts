import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { CHUNK_BYTES } from "@stipple/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lockSlot } from "../src/uploads/slot-rows.ts";
import { OVER_S3, startTestServer, type TestServer } from "./server.ts";
import { storedInput } from "./stored.ts";

let server: TestServer;
let token: string;
let project: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signUp();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  project = await server.newProject(token);
});

const stored = (name: string) => storedInput(server, project, name);
const chunksOf = async (address: string) => {
  const [group, type] = address.split("?");
  return (
    await server.call("GET", `/upload/${group}/chunks?project_id=${project}&${type ?? ""}`, {
      token,
    })
  ).json;
};
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
/** A file of length `size` that starts like a TIFF. */
function tiff(size: number): Buffer {
  const bytes = randomBytes(size);
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  return bytes;
}

describe("a file in chunks", () => {
  it("is assembled in any order, and repeats are harmless", async () => {
    const image = tiff(2 * CHUNK_BYTES + 1234);
    const send = (chunk: number) =>
      server.sendChunk(token, project, "he_image", {
        name: "tissue.tif",
        bytes: image.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES),
        chunk,
        chunks: 3,
      });
    expect((await send(2)).json).toMatchObject({ received: [2], chunks: 3, complete: false });
    expect((await send(2)).json).toMatchObject({ received: [2], complete: false });
    const [first, second] = await Promise.all([send(1), send(0)]);
    expect([first?.json.complete, second?.json.complete].sort()).toEqual([false, true]);
    expect((await stored("image.tif"))?.equals(image)).toBe(true);
    // The response to the last chunk was lost, so it is sent again.
    const repeated = await send(0);
    expect(repeated.json).toMatchObject({ complete: true, received: [0, 1, 2] });
    expect(repeated.json.warning).toContain("full resolution");
    expect(await chunksOf("he_image")).toEqual({
      file_name: "tissue.tif",
      received: [0, 1, 2],
      chunks: 3,
      complete: true,
      size: image.length,
      sha256: [0, 1, 2].map((at) =>
        sha256(image.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES)),
      ),
    });
  });

  it("can resume: the server reports which chunks it has", async () => {
    const bytes = tiff(CHUNK_BYTES);
    await server.sendChunk(token, project, "he_image", {
      name: "a.tif",
      bytes,
      chunk: 0,
      chunks: 2,
    });
    expect(await chunksOf("he_image")).toEqual({
      file_name: "a.tif",
      received: [0],
      chunks: 2,
      complete: false,
      size: null,
      sha256: [sha256(bytes)],
    });
  });

  it("is never assembled from chunks of two files with the same name", async () => {
    const [a, b] = [tiff(CHUNK_BYTES + 10), tiff(CHUNK_BYTES + 10)];
    const piece = (file: Buffer, chunk: number) =>
      file.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
    const whole = (file: Buffer) => sha256(sha256(piece(file, 0)) + sha256(piece(file, 1)));
    const send = async (file: Buffer, chunk: number, fileSha256: string) => {
      const part = { name: "tissue.tif", bytes: piece(file, chunk), chunk, chunks: 2, fileSha256 };
      return (await server.sendChunk(token, project, "he_image", part)).json;
    };
    await send(a, 0, "");
    // The last chunk of the other file: its sender knows that the stored first chunk is not its own.
    expect(await send(b, 1, whole(b))).toMatchObject({ received: [1], complete: false });
    // All chunks are there, but nothing has confirmed yet that they belong together.
    expect(await send(a, 0, "")).toMatchObject({ received: [0, 1], complete: false });
    expect(await send(b, 0, "")).toMatchObject({ received: [0], complete: false });
    expect(await send(b, 1, whole(b))).toMatchObject({ complete: true });
    expect((await stored("image.tif"))?.equals(b)).toBe(true);
    // The response was lost: repeating the chunk is harmless, but another file's chunk is not a repeat.
    expect(await send(b, 1, whole(b))).toMatchObject({ complete: true });
    expect(await send(b, 1, whole(a))).toMatchObject({ received: [1], complete: false });
    expect((await stored("image.tif"))?.equals(b)).toBe(true);
  });

  it("replaces an earlier file only when complete, even with another extension", async () => {
    const csv = Buffer.from("a,1,2,3,4,5\n");
    const address = "spatial_data?type=positions";
    await server.sendChunk(token, project, address, { name: "tissue_positions.csv", bytes: csv });
    const bad = await server.sendChunk(token, project, address, {
      name: "tissue_positions.parquet",
      bytes: Buffer.from("not parquet"),
    });
    expect(bad.status).toBe(422);
    expect((await stored("tissue_positions.csv"))?.equals(csv)).toBe(true);
    expect((await chunksOf(address)).file_name).toBe("tissue_positions.csv");
    const parquet = Buffer.from("PAR1 … PAR1");
    const good = await server.sendChunk(token, project, address, {
      name: "tissue_positions.parquet",
      bytes: parquet,
    });
    expect(good.json.complete).toBe(true);
    expect(await stored("tissue_positions.csv")).toBeNull();
  });

  it("can be replaced by another file of the same name and length", async () => {
    const address = "spatial_11?type=scale";
    const name = "scalefactors_json.json";
    for (const value of [1, 2]) {
      const bytes = Buffer.from(JSON.stringify({ tissue_hires_scalef: value }));
      expect((await server.sendChunk(token, project, address, { name, bytes })).status).toBe(200);
      expect((await stored("scalefactors_json.json"))?.equals(bytes)).toBe(true);
    }
  });

  it("can be replaced by another that begins like it, by a sender without digests", async () => {
    const image = tiff(2 * CHUNK_BYTES + 10);
    const other = Buffer.from(image);
    other[2 * CHUNK_BYTES] ^= 1;
    const send = async (file: Buffer) => {
      const complete: boolean[] = [];
      for (let chunk = 0; chunk < 3; chunk++) {
        const bytes = file.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
        const part = { name: "tissue.tif", bytes, chunk, chunks: 3 };
        complete.push((await server.sendChunk(token, project, "he_image", part)).json.complete);
      }
      return complete;
    };
    expect(await send(image)).toEqual([false, false, true]);
    // What is the same so far is the complete file.
    expect(await send(image)).toEqual([true, true, true]);
    expect(await send(other)).toEqual([true, true, true]);
    expect((await stored("image.tif"))?.equals(other)).toBe(true);
  });

  it("proceeds in several slots at once", async () => {
    const gz = gzipSync("x\n");
    const answers = await Promise.all([
      server.sendChunk(token, project, "filtered_matrix?type=barcodes", {
        name: "barcodes.tsv.gz",
        bytes: gz,
      }),
      server.sendChunk(token, project, "filtered_matrix?type=features", {
        name: "features.tsv.gz",
        bytes: gz,
      }),
      server.sendChunk(token, project, "filtered_matrix?type=matrix", {
        name: "matrix.mtx.gz",
        bytes: gz,
      }),
    ]);
    expect(answers.map(({ json }) => json.complete)).toEqual([true, true, true]);
    const { json } = await server.call("GET", `/status?project_id=${project}`, { token });
    expect(json.input_files).toEqual({
      barcodes: "barcodes.tsv.gz",
      features: "features.tsv.gz",
      matrix: "matrix.mtx.gz",
    });
  });
});

it.each([
  ["R's table of one row", '[{"tissue_hires_scalef":0.1}]'],
  ["Python's dictionary", "{'tissue_hires_scalef': 0.1, 'bin_size_um': None}"],
])("scale factors are accepted as the pipeline reads them: %s", async (_how, content) => {
  const file = { name: "scalefactors_json.json", bytes: Buffer.from(content) };
  const answer = await server.sendChunk(token, project, "spatial_11?type=scale", file);
  expect(answer.json).toMatchObject({ complete: true });
});

describe("a chunk is refused, and nothing is lost,", () => {
  const good = () => tiff(CHUNK_BYTES);
  const send = (part: Parameters<TestServer["sendChunk"]>[3]) =>
    server.sendChunk(token, project, "he_image", part);

  it.each([
    ["when it is empty", { chunk: 1, bytes: Buffer.alloc(0) }, 400, /chunk 1 of t\.tif is empty/],
    ["when its index is not below the total", { chunk: 3 }, 400, /from 0 to 2/],
    ["when its index is not a number", { chunk: "x" }, 400, /from 0 to 2/],
    [
      "when it is short and not the last",
      { chunk: 1, bytes: Buffer.alloc(5) },
      400,
      /every chunk except the last/,
    ],
    ["when its checksum differs", { chunk: 1, sha256: "00" }, 400, /damaged in transit/],
    ["when it is too large", { chunk: 1, bytes: Buffer.alloc(CHUNK_BYTES + 1) }, 413, /at most/],
  ])("%s", async (_why, part, status, sentence) => {
    await send({ name: "t.tif", bytes: good(), chunk: 0, chunks: 3 });
    const answer = await send({ name: "t.tif", bytes: good(), chunks: 3, ...part });
    expect(answer.status).toBe(status);
    expect(answer.json.error).toMatch(sentence);
    // The code tells the sender that the same chunk is worth retrying.
    expect(answer.json.code === "upload_chunk_damaged").toBe("sha256" in part);
    expect((await chunksOf("he_image")).received).toEqual([0]);
  });

  it("accepts a correct checksum", async () => {
    const bytes = good();
    const right = { name: "t.tif", bytes, chunks: 2, sha256: sha256(bytes) };
    expect((await send(right)).status).toBe(200);
  });
});

describe("an assembled file is checked", () => {
  const gz = gzipSync(randomBytes(5000));
  it.each([
    [
      "filtered_matrix?type=matrix",
      "matrix.mtx.gz",
      gz.subarray(0, 3000),
      /matrix\.mtx\.gz is truncated or damaged/,
    ],
    [
      "filtered_matrix?type=barcodes",
      "barcodes.tsv.gz",
      Buffer.from("AAAC-1\n"),
      /not a gzip file/,
    ],
    ["filtered_matrix?type=features", "features.tsv.gz", gzipSync(""), /contains an empty file/],
    [
      "filtered_matrix?type=barcodes",
      "features.tsv.gz",
      gzipSync("ENSG00000000001\tABC\tGene Expression\n"),
      /holds genes, not barcodes/,
    ],
    [
      "he_image",
      "photo.tif",
      Buffer.from("this is text"),
      /photo\.tif is a text file, not a TIFF, PNG, or JPEG image/,
    ],
    [
      "spatial_11?type=hires",
      "tissue_hires_image.png",
      Buffer.from("\x89PNG\r\n\x1a\n…", "latin1"),
      /not a complete PNG/,
    ],
    ["spatial_11?type=scale", "scalefactors_json.json", Buffer.from("{"), /is cut off/],
    [
      "spatial_11?type=scale",
      "scalefactors_json.json",
      Buffer.from('{"tissue_hires_scalef": "big"}'),
      /no positive number for tissue_hires_scalef/,
    ],
    [
      "spatial_data?type=matrix",
      "m.h5",
      Buffer.from("nope"),
      /m\.h5 is a text file, not the matrix/,
    ],
    [
      "spatial_data?type=positions",
      "tissue_positions.csv",
      Buffer.from("one,two\n"),
      /fewer than 5/,
    ],
  ])("%s: %s", async (address, name, bytes, sentence) => {
    const answer = await server.sendChunk(token, project, address, { name, bytes });
    expect([answer.status, answer.json.code]).toEqual([422, "upload_file_invalid"]);
    expect(answer.json.error).toMatch(sentence);
    // The slot is ready for another attempt.
    expect(await chunksOf(address)).toMatchObject({ complete: false, received: [] });
  });
});

/** A small separate file system, where this machine allows mounting one. */
function mountSmallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), "stipple-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmdirSync(folder);
    return null;
  }
}

it("reports a full disk, loses nothing, and continues once there is space", async (test) => {
  if (OVER_S3) return test.skip("files lie in the bucket, not on the small disk");
  const disk = mountSmallDisk();
  if (!disk) return test.skip("file systems cannot be mounted here");
  try {
    await using full = await startTestServer({ STIPPLE_DATA_DIR: disk });
    const person = await full.signUp();
    const id = await full.newProject(person);
    const small = { name: "tissue_positions.csv", bytes: Buffer.from("a,1,2,3,4,5\n") };
    await full.sendChunk(person, id, "spatial_data?type=positions", small);
    const image = { name: "a.tif", bytes: tiff(2 * 1024 * 1024) };
    const refused = await full.sendChunk(person, id, "he_image", image);
    expect([refused.status, refused.json.code]).toEqual([507, "storage_full"]);
    execFileSync("mount", ["-o", "remount,size=32m", disk]);
    const retried = await full.sendChunk(person, id, "he_image", image);
    expect([retried.status, retried.json.complete]).toEqual([200, true]);
    const { json } = await full.call("GET", `/status?project_id=${id}`, { token: person });
    expect(Object.keys(json.input_files).sort()).toEqual(["he_image", "positions"]);
  } finally {
    execFileSync("umount", [disk]);
    rmdirSync(disk);
  }
});

it("states which extensions a slot accepts", async () => {
  const bytes = Buffer.from("x");
  const tiffEnding = await server.sendChunk(token, project, "he_image", {
    name: "scan.tiff",
    bytes,
  });
  expect([tiffEnding.status, tiffEnding.json.code]).toEqual([400, "upload_type_wrong"]);
  expect(tiffEnding.json.error).toBe(
    "scan.tiff is not accepted as Histology image: accepted types are .tif and .btf. Rename it to scan.tif; the content stays as it is.",
  );
  const unknown = await server.sendChunk(token, project, "other?type=matrix", {
    name: "m.h5",
    bytes,
  });
  expect(unknown.json.code).toBe("upload_slot_unknown");
});

it("keeps a file's original name out of the path", async () => {
  const answer = await server.sendChunk(token, project, "he_image", {
    name: "../../../../evil.tif",
    bytes: tiff(100),
  });
  expect(answer.status).toBe(200);
  expect((await stored("image.tif"))?.length).toBe(100);
});

it("is accessible only to the owner", async () => {
  const stranger = await server.signUp();
  const answer = await server.sendChunk(stranger, project, "he_image", {
    name: "a.tif",
    bytes: tiff(100),
  });
  expect([answer.status, answer.json.code]).toEqual([404, "project_not_found"]);
});

it("is removed from its slot, complete or partial, together with its file", async () => {
  const remove = (as = token) =>
    server.call("DELETE", `/upload/he_image?project_id=${project}`, { token: as });
  await server.sendChunk(token, project, "he_image", { name: "a.tif", bytes: tiff(100) });
  await server.sendChunk(token, project, "he_image", {
    name: "b.tif",
    bytes: tiff(CHUNK_BYTES),
    chunk: 0,
    chunks: 2,
  });
  expect((await remove(await server.signUp())).status).toBe(404);
  expect((await remove()).status).toBe(200);
  expect(await chunksOf("he_image")).toMatchObject({
    file_name: null,
    received: [],
    complete: false,
  });
  expect(await stored("image.tif")).toBeNull();
  expect((await remove()).status).toBe(200);
  // The remaining chunk of a removed upload does not make a file.
  const rest = { name: "b.tif", bytes: tiff(100), chunk: 1, chunks: 2 };
  expect((await server.sendChunk(token, project, "he_image", rest)).json).toMatchObject({
    received: [1],
    complete: false,
  });
});

it("is also checked for Space Ranger's cells", async () => {
  const send = (text: string) =>
    server.sendChunk(token, project, "segmentation", {
      name: "cell_segmentations.geojson",
      bytes: Buffer.from(text),
    });
  expect((await send("cell,x,y")).json.error).toContain(
    "is a text file, not the outlines of cells",
  );
  expect((await send('{"type":"FeatureCollection","features":[]}')).json.complete).toBe(true);
  expect((await stored("cell_segmentations.geojson"))?.length).toBeGreaterThan(10);
});

it("a slot's row that one call makes and another removes at this moment is there for a third", async () => {
  const { database } = server.context;
  const { db } = database;
  const row = { project_id: project, slot: "he_image" };
  let isRemoved = false;
  const isSettled = async (): Promise<boolean> =>
    isRemoved || (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length > 0;
  const others = [
    () => db.insertInto("uploads").values(row).execute(),
    async () => {
      const removal = db.deleteFrom("uploads").where("project_id", "=", project).execute();
      void removal.then(() => (isRemoved = true));
      await expect.poll(isSettled).toBe(true);
    },
  ];
  const locked = await database.transaction((transaction) => {
    const interrupted = transaction.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await others.shift()?.();
        return result;
      },
    });
    return lockSlot(interrupted, project, row.slot);
  });
  expect(locked).toMatchObject(row);
});
