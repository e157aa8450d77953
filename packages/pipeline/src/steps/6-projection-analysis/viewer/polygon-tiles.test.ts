import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { writePolygonTiles } from "./polygon-tiles.ts";

const folder = await mkdtemp(join(tmpdir(), "stipple-tiles-"));
afterAll(() => rm(folder, { recursive: true }));

it("puts each whole outline into the tile of its cell's center", async () => {
  const [nCells, widthPx, heightPx] = [20_000, 9000, 5000];
  const random = new Random(3);
  // A few centers lie beyond the image.
  const xy = Float32Array.from(
    { length: 2 * nCells },
    (_, i) => (1.02 * random.uniform() - 0.01) * (i % 2 ? heightPx : widthPx),
  );
  const offsets = Uint32Array.from({ length: nCells + 1 }, (_, cell) => 3 * cell);
  const corners = Float32Array.from(
    { length: 6 * nCells },
    (_, i) => xy[2 * Math.floor(i / 6) + (i % 2)] + (i % 6),
  );
  const { tiles, offsets: ends } = await writePolygonTiles(
    folder,
    "polygons.bin",
    { nRows: nCells, nCols: 2, data: xy },
    { offsets, xy: corners },
    { widthPx, heightPx },
  );
  expect(tiles.columns * tiles.rows).toBeGreaterThan(15);
  expect(tiles.columns * tiles.tileSidePx).toBeGreaterThanOrEqual(widthPx);
  const bytes = new Uint8Array(await readFile(join(folder, tiles.file)));
  expect(ends.at(-1)).toBe(bytes.length);
  const seen = new Uint8Array(nCells);
  for (let tile = 0; tile < tiles.columns * tiles.rows; tile++) {
    // The bytes of one range, as a page receives them.
    const { buffer } = bytes.slice(ends[tile], ends[tile + 1]);
    const [n] = new Uint32Array(buffer, 0, 1);
    const cells = new Uint32Array(buffer, 4, n);
    const first = new Uint32Array(buffer, 4 + 4 * n, n + 1);
    const points = new Float32Array(buffer, 8 + 8 * n);
    expect(points.length).toBe(2 * first[n]);
    expect(buffer.byteLength).toBeLessThan(300_000);
    cells.forEach((cell, at) => {
      seen[cell]++;
      expect(points[2 * first[at]]).toBe(corners[6 * cell]);
      const column = Math.floor(xy[2 * cell] / tiles.tileSidePx);
      const inside = Math.min(tiles.columns - 1, Math.max(0, column));
      expect(inside).toBe(tile % tiles.columns);
    });
  }
  expect(seen.every((times) => times === 1)).toBe(true);
});
