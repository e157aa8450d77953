import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../errors.ts";
import { readSpaceRangerCells } from "./read-space-ranger-cells.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-outlines-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function square(id: number | string, x: number, side: number): object {
  const ring = [
    [x, 10],
    [x + side, 10],
    [x + side, 10 + side],
    [x, 10 + side],
    [x, 10],
  ];
  return {
    type: "Feature",
    geometry: { type: "Polygon", coordinates: [ring] },
    properties: { cell_id: id, note: 'a "quoted" } brace' },
  };
}

async function file(name: string, features: object[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify({ type: "FeatureCollection", features }, null, 1));
  return path;
}

describe("readSpaceRangerCells", () => {
  it("pairs cells and nuclei by id, and removes the repeated point of each ring", async () => {
    const cells = await file("cell_segmentations.geojson", [
      square(717, 100.5, 20),
      square(3, 50, 10),
    ]);
    const nuclei = await file("nucleus_segmentations.geojson", [
      square("cellid_000000717-1", 105, 8),
    ]);
    const read = await readSpaceRangerCells({ cells, nuclei });
    expect([...read.ids]).toEqual([3, 717]);
    expect([...read.cells.offsets]).toEqual([0, 4, 8]);
    expect([...read.cells.xy.subarray(8, 12)]).toEqual([100.5, 10, 120.5, 10]);
    expect([...read.nuclei.xy.subarray(0, 4)]).toEqual([50, 10, 60, 10]);
    expect([...read.nuclei.xy.subarray(8, 12)]).toEqual([105, 10, 113, 10]);
  });

  it("reads files much larger than a piece", async () => {
    const features = Array.from({ length: 20_000 }, (_, i) => square(i + 1, i, 5));
    const cells = await file("many.geojson", features);
    const read = await readSpaceRangerCells({ cells, nuclei: null });
    expect(read.ids).toHaveLength(20_000);
    expect(read.cells.xy[2 * read.cells.offsets[12_345]]).toBe(12_345);
  });

  it("rejects truncated, unrelated, and empty files in one sentence", async () => {
    const whole = JSON.stringify({ features: [square(1, 0, 5), square(2, 9, 5)] });
    const cut = join(folder, "cut.geojson");
    await writeFile(cut, whole.slice(0, -20));
    const refuse = (cells: string): Promise<unknown> =>
      readSpaceRangerCells({ cells, nuclei: null });
    await expect(refuse(cut)).rejects.toThrow(/cut\.geojson is incomplete/);
    await expect(refuse(await file("empty.geojson", []))).rejects.toThrow(
      /contains no cell outlines/,
    );
    await expect(refuse(await file("id.geojson", [square("x", 0, 5)]))).rejects.toThrow(/cell_id/);
    await expect(
      refuse(await file("twice.geojson", [square(4, 0, 5), square(4, 9, 5)])),
    ).rejects.toThrow(/twice\.geojson has two outlines for cell 4/);
    for (const geometry of [
      { type: "Polygon" },
      { type: "Polygon", coordinates: [1, 2] },
      { type: "Polygon", coordinates: [[null, [1, 2], [3, 4]]] },
      { type: "MultiPolygon" },
      { type: "MultiPolygon", coordinates: [null, [[1, 2, 3]]] },
      [],
    ]) {
      const odd = await file("odd.geojson", [{ geometry, properties: { cell_id: 7 } }]);
      await expect(refuse(odd)).rejects.toThrow(/odd\.geojson has no polygon for cell 7/);
    }
    const text = join(folder, "text.geojson");
    await writeFile(text, "hello");
    await expect(refuse(text)).rejects.toThrow(InputError);
  });
});
