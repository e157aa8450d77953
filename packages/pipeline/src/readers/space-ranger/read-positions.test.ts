import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPositions } from "./read-positions.ts";
import { readScalefactors } from "./read-scalefactors.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-positions-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const HEADER = "barcode,in_tissue,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres";
let files = 0;

async function read(content: string | Buffer): ReturnType<typeof readPositions> {
  const path = join(folder, `tissue_positions_${files++}.csv`);
  await writeFile(path, content);
  return readPositions({ path, format: "csv" });
}

describe("readPositions", () => {
  const expected = {
    barcode: ["AAAC-1", "AAAG-1"],
    inTissue: Uint8Array.of(1, 0),
    arrayRow: Int32Array.of(50, 3),
    arrayCol: Int32Array.of(102, 43),
    x: Float64Array.of(8230, 4170.5),
    y: Float64Array.of(7237, 1611.25),
  };
  const lines = "AAAC-1,1,50,102,7237,8230\nAAAG-1,0,3,43,1611.25,4170.5\n";

  it.each([
    ["Space Ranger 1 without header", lines],
    ["Space Ranger 2 with header", `${HEADER}\n${lines}`],
    [
      "Windows line ends and a byte-order mark",
      `\uFEFF${HEADER}\n${lines}`.replaceAll("\n", "\r\n"),
    ],
    ["no line end at the end", `${HEADER}\n${lines.trimEnd()}`],
    ["gzip", gzipSync(`${HEADER}\n${lines}`)],
    [
      "other column order and further columns",
      "pxl_col_in_fullres,pxl_row_in_fullres,note,array_col,array_row,in_tissue,barcode\n8230,7237,a,102,50,1,AAAC-1\n4170.5,1611.25,b,43,3,0,AAAG-1\n",
    ],
  ])("reads %s", async (_name, content) => {
    expect(await read(content)).toEqual(expected);
  });

  it("names the invalid line", async () => {
    await expect(read(`${HEADER}\nAAAC-1,1,50,102,7237,\n`)).rejects.toThrow(
      /no number for pxl_col_in_fullres in line 2 \(barcode AAAC-1\)/,
    );
    await expect(read(`${lines}AAAC-1,1,1,1,1,1\n`)).rejects.toThrow(/AAAC-1 twice \(line 3\)/);
    await expect(read("barcode,in_tissue\n")).rejects.toThrow(
      /lacks the columns array_row, array_col, pxl_row_in_fullres and/,
    );
    await expect(read("")).rejects.toThrow(/is empty: the copy or download/);
  });

  it("rejects damaged Parquet", async () => {
    const path = join(folder, "tissue_positions.parquet");
    await writeFile(path, "PAR1 and no more");
    await expect(readPositions({ path, format: "parquet" })).rejects.toThrow(
      /tissue_positions.parquet cannot be read as Parquet/,
    );
  });

  const hd = resolve(
    import.meta.dirname,
    "../../../../../../shared/data/visium-hd-layout/seurat_visium_hd/binned_outputs/square_008um/spatial",
  );
  it.runIf(existsSync(hd))("reads Space Ranger's own Parquet", async () => {
    const positions = await readPositions({
      path: join(hd, "tissue_positions.parquet"),
      format: "parquet",
    });
    expect(positions.barcode).toHaveLength(4992);
    expect(positions.x.every(Number.isFinite)).toBe(true);
  });
});

describe("readScalefactors", () => {
  it("reads numbers, ignores other entries, and names an invalid one", async () => {
    const path = join(folder, "scalefactors_json.json");
    await writeFile(
      path,
      '{"tissue_hires_scalef": 0.5, "spot_diameter_fullres": 89.4, "extra": "x"}',
    );
    expect(await readScalefactors(path)).toEqual({
      tissue_hires_scalef: 0.5,
      spot_diameter_fullres: 89.4,
    });
    await writeFile(path, '{"tissue_hires_scalef": "half"}');
    await expect(readScalefactors(path)).rejects.toThrow(/positive number for tissue_hires_scalef/);
    await writeFile(path, "{");
    await expect(readScalefactors(path)).rejects.toThrow(/is cut off: its last bracket/);
    await writeFile(path, "{'tissue_hires_scalef': 0.5}");
    await expect(readScalefactors(path)).rejects.toThrow(/not valid JSON/);
    expect(await readScalefactors(null)).toEqual({});
  });
});
