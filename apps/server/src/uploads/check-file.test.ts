import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { deflateSync, gzipSync } from "node:zlib";
import { acceptedExtension, platformById } from "@stipple/contract";
import { typeRefusal } from "@stipple/contract/recognition/accepted-type";
import { describedFile } from "@stipple/contract/recognition/testing/contents";
import { FOLDERS } from "@stipple/contract/recognition/testing/folders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalFolder } from "../storage/local-folder.ts";
import type { Storage } from "../storage/storage.ts";
import { faultOfFile } from "./check-file.ts";

let folder: string;
let storage: Storage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-check-"));
  storage = await openLocalFolder(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function faultOf(
  name: string,
  bytes: Uint8Array,
  extension: string,
  { slot = "matrix" }: { slot?: string } = {},
): Promise<string | null> {
  await storage.put("incoming/file", bytes);
  return faultOfFile(storage, "incoming/file", { fileName: name, extension, slot });
}

/** A PNG that declares this many pixels and contains none. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write("IHDR", 4, "latin1");
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  header.set([8, 2], 16);
  const body = deflateSync(Buffer.alloc(1000));
  const end = Buffer.from("\0\0\0\0IEND\xaeB`\x82", "latin1");
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), header, body, end]);
}

describe("a file that would fill the machine", () => {
  it("is decompressed no further than text may expand, if gzip", async () => {
    // 1 GiB in 1 MB; 16 million lines per piece.
    const piece = gzipSync(Buffer.alloc(32 * 2 ** 20, "AA\n"), { level: 9 });
    const bomb = Buffer.concat(new Array<Buffer>(32).fill(piece));
    expect(await faultOf("barcodes.tsv.gz", bomb, ".tsv.gz")).toMatch(
      /^barcodes\.tsv\.gz unpacks to more than \d+ bytes, far more than text would\. Upload/,
    );
  });

  it("is refused if gzip with an endless line", async () => {
    const line = gzipSync(Buffer.alloc(3 * 2 ** 20, "1 "));
    expect(await faultOf("matrix.mtx.gz", line, ".mtx.gz")).toMatch(/a line of more than 1048576/);
    const lines = gzipSync(Buffer.alloc(3 * 2 ** 20, "1 1 1\n"));
    expect(await faultOf("matrix.mtx.gz", lines, ".mtx.gz")).toBeNull();
  });

  it("is refused if PNG declaring far more pixels than its bytes allow", async () => {
    expect(
      await faultOf("tissue_hires_image.png", png(60_000, 60_000), ".png", { slot: "hires" }),
    ).toMatch(/^tissue_hires_image\.png would unpack to far more pixels/);
    expect(
      await faultOf("tissue_hires_image.png", png(2_000, 2_000), ".png", { slot: "hires" }),
    ).toBeNull();
  });

  it("is not called damaged if reading it fails", async () => {
    await storage.put("incoming/file", gzipSync(Buffer.from("1 1 1\n")));
    const failing: Storage = {
      ...storage,
      get: async (key, range) => {
        const stream = await storage.get(key, range);
        if (!range) stream.destroy(new Error("no connection"));
        return stream;
      },
    };
    const order = { fileName: "matrix.mtx.gz", extension: ".mtx.gz", slot: "matrix" };
    await expect(faultOfFile(failing, "incoming/file", order)).rejects.toThrow("no connection");
  });
});

it("takes pictures by their content, whatever follows them or their name says", async () => {
  const look = (bytes: Buffer) =>
    faultOf("tissue_hires_image.png", bytes, ".png", { slot: "hires" });
  expect(await look(Buffer.from("\xff\xd8\xff\xe0 a JPEG image", "latin1"))).toBeNull();
  const picture = png(2_000, 2_000);
  expect(await look(Buffer.concat([picture, Buffer.from("a program's own notes")]))).toBeNull();
  expect(await look(picture.subarray(0, -12))).toMatch(/is not a complete PNG image/);
});

it("takes positions by their content, whatever their name says", async () => {
  const look = (bytes: Buffer) =>
    faultOf("tissue_positions.parquet", bytes, ".parquet", { slot: "positions" });
  expect(await look(Buffer.from("AAAC-1,1,0,0,100,200\n".repeat(9)))).toBeNull();
  expect(await look(Buffer.from("PAR1 cut off"))).toMatch(/is not a complete Parquet file/);
  expect(await look(Buffer.from([0, 1, 2, 3]))).toMatch(/^tissue_positions\.parquet is /);
});

it.each([
  ["filtered_feature_bc_matrix.h5", ".h5", "h5"],
  ["atlas.h5ad", ".h5ad", "reference"],
])("refuses an HDF5 file that is cut off: %s", async (name, extension, slot) => {
  const whole = Buffer.alloc(3000);
  whole.write("\x89HDF\r\n\x1a\n", "latin1");
  whole[13] = 8;
  whole.writeBigUInt64LE(3000n, 40);
  expect(await faultOf(name, whole, extension, { slot })).toBeNull();
  expect(await faultOf(name, whole.subarray(0, 2000), extension, { slot })).toBe(
    `${name} is incomplete: it has 2000 of 3000 bytes. Copy or download it again, then upload it.`,
  );
});

it("leaves no stream of a refused file behind, because it is removed at once", async () => {
  await storage.put("incoming/file", Buffer.from("AAAC-1\n"));
  const opened: Readable[] = [];
  const watched: Storage = {
    ...storage,
    get: async (key, range) => {
      const stream = await storage.get(key, range);
      opened.push(stream);
      return stream;
    },
  };
  const order = { fileName: "barcodes.tsv.gz", extension: ".tsv.gz", slot: "barcodes" };
  const fault = await faultOfFile(watched, "incoming/file", order);
  expect(fault).toMatch(/not a gzip file/);
  expect(opened.map((stream) => stream.readableEnded)).toEqual([true]);
});

describe("files of a folder", () => {
  it.each(FOLDERS)("are accepted or refused as the recognizer says: $name", async (folder) => {
    const { platform = "visium", takes = {}, names = {} } = folder;
    const { slots } = platformById(platform);
    for (const line of folder.files) {
      const { path, bytes } = await describedFile(line);
      const name = path.split("/").at(-1)!;
      const slot = slots.find(({ id }) => takes[id as keyof typeof takes] === path);
      const extension = slot && acceptedExtension(slot, name);
      const isGzip = bytes[0] === 0x1f;
      if (extension && extension.endsWith(".gz") === isGzip) {
        expect(await faultOf(name, bytes, extension, { slot: slot.id }), path).toBeNull();
      }
      const words = names[path];
      // A Zarr store is not refused as an archive, but as any other file.
      if (!words?.startsWith("is ") || !/(?<!\.zarr)\.(gz|zip)$/.test(name)) continue;
      for (const each of slots) expect(typeRefusal(each, name)).toContain(words);
    }
  });
});
