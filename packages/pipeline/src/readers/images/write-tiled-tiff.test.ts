import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CancelledError } from "../../errors.ts";
import { openInStrips, openTissueImage } from "./open-tissue-image.ts";
import { writeTiledTiff } from "@stipple/formats/tiff/write-tiled-tiff";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-tiled-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const WIDTH = 1301;
const HEIGHT = 1027;
const valueAt = (channel: number, x: number, y: number): number =>
  channel === 0 ? 20 * x + y : 60_000 - 40 * y;

function write(path: string, signal = new AbortController().signal): Promise<void> {
  return writeTiledTiff(
    path,
    {
      widthPx: WIDTH,
      heightPx: HEIGHT,
      bits: 16,
      channelNames: ["DAPI", "Rbfox3"],
      pages: [0, 1].map((channel) => ({
        rows: (y, count) =>
          Promise.resolve(
            Uint16Array.from({ length: WIDTH * count }, (_, i) =>
              valueAt(channel, i % WIDTH, y + Math.floor(i / WIDTH)),
            ),
          ),
      })),
    },
    signal,
  );
}

describe("writeTiledTiff", () => {
  it.each([
    ["libvips", openTissueImage],
    ["the unpacker", openInStrips],
  ])("writes channels and their smaller versions that %s reads", async (_, open) => {
    const path = join(folder, "channels.tif");
    await write(path);
    const image = await open(path);
    expect(image).toMatchObject({
      kind: "channels",
      channels: 2,
      channelNames: ["DAPI", "Rbfox3"],
      bitsPerSample: 16,
      tiled: true,
      overviewPx: 326 * 257,
    });
    const corner = { x: WIDTH - 3, y: HEIGHT - 2, width: 3, height: 2 };
    for (const channel of [0, 1]) {
      const { data } = await image.getChannel(channel, corner);
      expect([...data]).toEqual(
        Array.from({ length: 6 }, (_, i) =>
          valueAt(channel, corner.x + (i % 3), corner.y + Math.floor(i / 3)),
        ),
      );
      // A quarter of the size: read from the smallest version.
      const small = await image.getChannel(channel, {
        x: 0,
        y: 0,
        width: 1200,
        height: 1000,
        outWidth: 300,
        outHeight: 250,
      });
      const middle = small.data[100 * 300 + 200];
      expect(Math.abs(middle - valueAt(channel, 801.5, 401.5))).toBeLessThan(100);
    }
  });

  it("writes colors and their smaller versions", async () => {
    const path = join(folder, "colors.tif");
    const colorAt = (c: number, x: number, y: number): number =>
      [x >> 3, y >> 3, 255 - (x >> 3)][c];
    const rows = (y: number, count: number): Promise<Uint8Array> =>
      Promise.resolve(
        Uint8Array.from({ length: 3 * WIDTH * count }, (_, i) => {
          const pixel = Math.floor(i / 3);
          return colorAt(i % 3, pixel % WIDTH, y + Math.floor(pixel / WIDTH));
        }),
      );
    await writeTiledTiff(
      path,
      {
        widthPx: WIDTH,
        heightPx: HEIGHT,
        bits: 8,
        samples: 3,
        channelNames: [],
        pages: [{ rows }],
      },
      new AbortController().signal,
    );
    const image = await openTissueImage(path);
    expect(image).toMatchObject({ kind: "rgb", channels: 3, tiled: true, overviewPx: 326 * 257 });
    const { data } = await image.getRegion({ x: WIDTH - 2, y: HEIGHT - 1, width: 2, height: 1 });
    expect([...data]).toEqual(
      [WIDTH - 2, WIDTH - 1].flatMap((x) => [0, 1, 2].map((c) => colorAt(c, x, HEIGHT - 1))),
    );
    const whole = { x: 0, y: 0, width: 1200, height: 1000, outWidth: 300, outHeight: 250 };
    const small = (await image.getRegion(whole)).data.subarray(3 * (100 * 300 + 200));
    for (const c of [0, 1, 2]) expect(Math.abs(small[c] - colorAt(c, 802, 402))).toBeLessThan(2);
  });

  it("stops when canceled", async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(write(join(folder, "never.tif"), controller.signal)).rejects.toThrow(
      CancelledError,
    );
  });
});
