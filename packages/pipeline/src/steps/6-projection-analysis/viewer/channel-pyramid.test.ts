import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { CancelledError } from "../../../errors.ts";
import { openTissueImage } from "../../../readers/images/open-tissue-image.ts";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { writeChannelPyramid } from "./channel-pyramid.ts";

const [WIDTH, HEIGHT] = [1100, 700];
const NAMES = ["DAPI", "NeuN", "GFAP", "Iba1"];
const { signal } = new AbortController();
/** Channel c increases to the right; the last one is dark except for a corner. */
const valueAt = (channel: number, x: number, y: number): number =>
  channel === 3 ? (x > 1090 && y > 690 ? 60_000 : 7) : 10_000 * channel + 4 * x;

let folder: string;
let written: Awaited<ReturnType<typeof writeChannelPyramid>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-channels-"));
  const path = join(folder, "if.tif");
  await writeTestTiff(
    path,
    NAMES.map((pageName, channel) => ({
      width: WIDTH,
      height: HEIGHT,
      samples: 1,
      pageName,
      data: Uint16Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
        valueAt(channel, i % WIDTH, Math.floor(i / WIDTH)),
      ),
    })),
  );
  written = await writeChannelPyramid(folder, await openTissueImage(path), 0.5, signal);
});
afterAll(() => rm(folder, { recursive: true }));

/** Serves a hierarchy from a folder the way zarrita reads it over HTTP. */
const store = {
  get: (key: string) =>
    readFile(join(folder, written.path, key)).then(
      (bytes) => new Uint8Array(bytes),
      () => undefined,
    ),
};

describe("writeChannelPyramid", () => {
  it("describes the channels and their initial display", () => {
    expect(written).toMatchObject({ path: "channels.ome.zarr", dtype: "uint16" });
    expect(written.channels.map(({ name }) => name)).toEqual(NAMES);
    expect(new Set(written.channels.map(({ color }) => color)).size).toBe(4);
    const [first] = written.channels;
    expect(first.color).toMatch(/^#[0-9a-f]{6}$/);
    // 1% and 99.8% of the way across.
    expect(Math.abs(first.low - 44)).toBeLessThan(5);
    expect(Math.abs(first.high - 4391)).toBeLessThan(5);
    expect(written.channels[3]).toMatchObject({ low: 7, high: 8 });
  });

  it("is an OME-Zarr pyramid that halves down to one tile", async () => {
    const group = await zarr.open.v2(store, { kind: "group" });
    const { multiscales, omero } = group.attrs as Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
    const [{ version, axes, datasets }] = multiscales;
    expect(version).toBe("0.4");
    expect(axes.map(({ name }: { name: string }) => name).join("")).toBe("cyx");
    expect(datasets.map(({ path }: { path: string }) => path)).toEqual(["0", "1", "2"]);
    expect(datasets[2].coordinateTransformations[0].scale).toEqual([1, 2, 2]);
    expect(omero.channels[1]).toMatchObject({
      label: "NeuN",
      window: { min: 0, max: 65_535, start: written.channels[1].low },
    });
    const shapes = [];
    for (const { path } of datasets) {
      const array = await zarr.open.v2(zarr.root(store).resolve(path), { kind: "array" });
      expect(array.dtype).toBe("uint16");
      expect(array.chunks).toEqual([1, 512, 512]);
      shapes.push(array.shape);
    }
    expect(shapes).toEqual([
      [4, 700, 1100],
      [4, 350, 550],
      [4, 175, 275],
    ]);
  });

  it("keeps the values, and their means at lower resolutions", async () => {
    const read = async (level: number, channel: number, y: number, x: number) => {
      const array = await zarr.open.v2(zarr.root(store).resolve(String(level)), { kind: "array" });
      const piece = await zarr.get(array, [channel, y, zarr.slice(x, x + 1)]);
      return Number((piece.data as Uint16Array)[0]);
    };
    for (const [channel, y, x] of [
      [0, 0, 0],
      [1, 511, 512],
      [2, 699, 1099],
      [3, 695, 1095],
    ]) {
      expect(await read(0, channel, y, x)).toBe(valueAt(channel, x, y));
    }
    expect(await read(1, 2, 100, 300)).toBe(valueAt(2, 600, 200) + 2);
    expect(await read(2, 0, 174, 270)).toBe(valueAt(0, 1080, 0) + 6);
  });

  it("keeps 8-bit values in one byte", async () => {
    const path = join(folder, "bytes.tif");
    await writeTestTiff(
      path,
      [0, 1].map((channel) => ({
        width: 40,
        height: 30,
        samples: 1,
        data: new Uint8Array(1200).fill(channel === 0 ? 3 : 250),
      })),
    );
    const image = await openTissueImage(path);
    const small = await writeChannelPyramid(join(folder, "bytes"), image, 1, signal);
    expect(small.dtype).toBe("uint8");
    expect(small.channels[0].name).toBe("Channel 1");
    expect(small.channels[1]).toMatchObject({ low: 250, high: 251 });
  });

  it("stops when canceled", async () => {
    const image = await openTissueImage(join(folder, "if.tif"));
    const cancelled = AbortSignal.abort();
    await expect(
      writeChannelPyramid(join(folder, "half"), image, 1, cancelled),
    ).rejects.toBeInstanceOf(CancelledError);
  });
});
