import { existsSync } from "node:fs";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
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

async function read(
  content: string | Buffer,
  warn?: (message: string) => void,
): ReturnType<typeof readPositions> {
  const path = join(folder, `tissue_positions_${files++}.csv`);
  await writeFile(path, content);
  return readPositions({ path, format: "csv" }, warn);
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

  it("speaks of bins where a sample has them", async () => {
    const path = join(folder, "bins.csv");
    await writeFile(path, `${HEADER}\n${lines}AAAC-1,1,50,104,7237,8330\n`);
    await expect(readPositions({ path, format: "csv" }, undefined, "bin")).rejects.toThrow(
      /lists the barcode AAAC-1 twice .*keep one row for each bin\.$/,
    );
  });

  it("names the invalid line", async () => {
    await expect(read(`${HEADER}\nAAAC-1,1,50,102,7237,\n`)).rejects.toThrow(
      /no number for pxl_col_in_fullres in line 2 \(barcode AAAC-1\)/,
    );
    await expect(read(`${lines}AAAC-1,1,1,1,1,1\n`)).rejects.toThrow(/AAAC-1 twice \(line 3\)/);
    await expect(read("barcode,in_tissue\n")).rejects.toThrow(
      /lacks the columns array_row, array_col, pxl_row_in_fullres, and/,
    );
    await expect(read("")).rejects.toThrow(/is empty: the copy or download/);
  });

  it("refuses places on the image that cannot be those of an array", async () => {
    const spots = (y: number, x: number): string =>
      Array.from("ACGT", (base, i) => {
        const [row, col] = [i >> 1, 2 * (i % 2) + (i >> 1)];
        return `${base.repeat(4)}-1,1,${row},${col},${100 + y * row},${100 + x * col}\n`;
      }).join("");
    expect((await read(spots(50, 29))).barcode).toHaveLength(4);
    for (const [y, x] of [
      [0, 0],
      [50, 0],
      [0, 29],
    ] as const) {
      await expect(read(spots(y, x))).rejects.toThrow(
        /\.csv puts all 4 spots at one place of the image or on a line/,
      );
    }
    // Few spots may lie on a line.
    expect((await read("AAAC-1,1,0,0,0,0\nAAAG-1,1,1,1,50,29\n")).barcode).toHaveLength(2);
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

describe("positions that another program saved", () => {
  const COLUMNS = HEADER.split(",");
  type Row = [string, number, number, number, number, number];
  const ROWS: Row[] = [
    ["TTGACCATGACATTGA-1", 0, 0, 0, 1500.25, 1480.5],
    ["TTGACCATGACATTGC-1", 1, 0, 2, 1500.25, 1680.5],
    ["TTGACCATGACATTGG-1", 1, 1, 1, 1673.5, 1580.5],
    ["TTGACCATGACATTGT-1", 1, 1, 3, 100_000, 1780],
  ];
  const expected = {
    barcode: ROWS.map(([barcode]) => barcode),
    inTissue: Uint8Array.from(ROWS, (row) => row[1]),
    arrayRow: Int32Array.from(ROWS, (row) => row[2]),
    arrayCol: Int32Array.from(ROWS, (row) => row[3]),
    x: Float64Array.from(ROWS, (row) => row[5]),
    y: Float64Array.from(ROWS, (row) => row[4]),
  };
  const lines = (header: string[] | null, rows: unknown[][], separator = ",", end = "\n"): string =>
    [...(header ? [header] : []), ...rows].map((row) => row.join(separator) + end).join("");
  const quoted = (row: readonly unknown[]): string[] => row.map((cell) => `"${String(cell)}"`);
  const numbered = ROWS.map((row, i) => [i + 1, ...row]);
  const commas = ROWS.map((row) => row.map((cell) => String(cell).replace(".", ",")));
  const big = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le").swap16();

  it.each<[string, string | Buffer, RegExp | null]>([
    [
      "R's row names and V1 to V6",
      lines(quoted(["", ..."123456"].map((n) => n && `V${n}`)), numbered.map(quoted)),
      /row names, other names of columns/,
    ],
    ["R's write.table", lines(quoted(COLUMNS), numbered, " "), /row names, blanks between/],
    ["pandas's index", lines(["", ...COLUMNS], numbered), /a column of row names/],
    ["pandas's index without names", lines(["", ..."012345"], numbered), /row names, other names/],
    ["pandas's numbers for names", lines([..."012345"], ROWS), /other names of columns/],
    ["barcodes as a column without a name", lines(["", ...COLUMNS.slice(1)], ROWS), null],
    ["Seurat's names", lines(["", "tissue", "row", "col", "imagerow", "imagecol"], ROWS), null],
    [
      "a first row that pandas took for names",
      lines(["TTGACCATGACATTGA-1", "0", "0.1", "0.2", "1500.25", "1480.5"], ROWS.slice(1)),
      /first row that had become/,
    ],
    [
      "a first row that R took for names",
      lines(["TTGACCATGACATTGA.1", "X0", "X0.1", "X0.2", "X1500.25", "X1480.5"], ROWS.slice(1)),
      /first row that had become/,
    ],
    [
      "a first row that readr took for names",
      lines(["TTGACCATGACATTGA-1", "0...2", "0...3", "0...4", "1500.25", "1480.5"], ROWS.slice(1)),
      /first row that had become/,
    ],
    ["quotes", lines(quoted(COLUMNS), ROWS.map(quoted)), null],
    ["semicolons", lines(COLUMNS, ROWS, ";"), /semicolons between columns/],
    ["Excel's sep=;", `sep=;\r\n${lines(COLUMNS, ROWS, ";")}`, /semicolons between columns/],
    ["blanks around commas", lines(COLUMNS, ROWS, " , "), null],
    ["tabs", lines(null, ROWS, "\t"), /tabs between columns/],
    ["semicolons and decimal commas", lines(COLUMNS, commas, ";"), /decimal commas, semicolons/],
    ["decimal commas in quotes", lines(COLUMNS, commas.map(quoted)), /decimal commas/],
    [
      "TRUE and FALSE",
      lines(
        COLUMNS,
        ROWS.map(([b, flag, ...row]) => [b, flag ? "TRUE" : "FALSE", ...row]),
      ),
      /TRUE and FALSE/,
    ],
    [
      "True and False",
      lines(
        null,
        ROWS.map(([b, flag, ...row]) => [b, flag ? "True" : "False", ...row]),
      ),
      /TRUE and FALSE/,
    ],
    [
      "scientific notation",
      lines(
        COLUMNS,
        ROWS.map(([b, ...row]) => [b, ...row.map((n) => n.toExponential())]),
      ),
      null,
    ],
    [
      "whole numbers as decimals",
      lines(
        COLUMNS,
        ROWS.map(([b, ...row]) => [b, ...row.map((n) => n.toFixed(3))]),
      ),
      null,
    ],
    ["UTF-16 with its mark", Buffer.from(`\ufeff${lines(COLUMNS, ROWS)}`, "utf16le"), /UTF-16/],
    ["UTF-16 of the other order", big(lines(COLUMNS, ROWS, "\t", "\r\n")), /UTF-16, tabs/],
    ["UTF-16 without a mark", Buffer.from(lines(null, ROWS), "utf16le"), /UTF-16/],
    ["carriage returns", lines(COLUMNS, ROWS, ",", "\r"), /lines that end in a carriage return/],
    [
      "empty columns and rows of a spreadsheet",
      lines(COLUMNS, [...ROWS.map((row) => [...row, "", ""]), Array(8).fill("")]),
      null,
    ],
    [
      "names in capitals with dots",
      lines(
        COLUMNS.map((name) => name.toUpperCase().replaceAll("_", ".")),
        ROWS,
      ),
      null,
    ],
  ])("are read by their meaning: %s", async (_name, content, oddity) => {
    const warnings: string[] = [];
    expect(await read(content, (text) => warnings.push(text))).toEqual(expected);
    if (oddity === null) expect(warnings).toEqual([]);
    else expect(warnings.join()).toMatch(oddity);
  });

  it.each(["NA", "NaN", "", "None"])("may have %j for places off tissue", async (missing) => {
    const warnings: string[] = [];
    const [[name, flag]] = ROWS;
    const rows = [[name, flag, 0, 0, missing, missing], ...ROWS.slice(1)];
    const positions = await read(lines(COLUMNS, rows), (text) => warnings.push(text));
    expect(positions.barcode).toEqual(expected.barcode.slice(1));
    expect(positions.unplaced).toEqual(new Set([name]));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^tissue_positions_\d+\.csv has no position for 1 spot off tissue, which was left out\.$/,
      ),
    ]);
    rows[0][1] = 1;
    await expect(read(lines(COLUMNS, rows))).rejects.toThrow(/no number for pxl_row.* in line 2/);
  });

  it("count as in tissue without in_tissue, with a warning", async () => {
    const warnings: string[] = [];
    const bare = ROWS.map(([b, , ...row]) => [b, ...row]);
    const header = COLUMNS.filter((name) => name !== "in_tissue");
    const positions = await read(lines(header, bare), (text) => warnings.push(text));
    expect(positions.inTissue).toEqual(Uint8Array.of(1, 1, 1, 1));
    expect(warnings[0]).toMatch(/has no column in_tissue/);
  });

  it.each<[string, string | Buffer, RegExp]>([
    [
      "decimal commas between commas",
      lines(COLUMNS, commas),
      /6 names of columns, but 8 cells .* decimal commas/,
    ],
    [
      "the same without names",
      lines(null, commas.slice(0, 3)),
      /8 columns without names .* decimal commas/,
    ],
    [
      "separators of thousands",
      lines(
        COLUMNS,
        ROWS.map((row) => [...row.slice(0, 4), '"1,500"', '"1,480"']),
      ),
      /numbers like 1,500, whose comma may mark decimals or thousands/,
    ],
    [
      "a column too few",
      lines(
        null,
        ROWS.map((row) => row.slice(0, 5)),
      ),
      /5 columns without names/,
    ],
    [
      "a cut-off line",
      lines(COLUMNS, ROWS).slice(0, -14),
      /has 4 cells in line 5, but 6 in others: the line is cut off/,
    ],
    [
      "columns in an unknown order",
      lines(
        null,
        ROWS.map(([b, flag, ...row]) => [b, ...row, flag]),
      ),
      /no whole number for array_col in line 1/,
    ],
    [
      "half a row",
      lines(
        COLUMNS,
        ROWS.map(([b, flag, row, ...rest]) => [b, flag, row + 0.5, ...rest]),
      ),
      /no whole number for array_row in line 2/,
    ],
    [
      "two spots at one place",
      lines(COLUMNS, [...ROWS, ["TTGACCATGACATTTT-1", 1, 1, 3, 7, 7]]),
      /two spots at row 1, column 3 of the array \(TTGACCATGACATTGT-1 and TTGACCATGACATTTT-1\)/,
    ],
    [
      "two capture areas",
      lines(COLUMNS, [...ROWS, ["TTGACCATGACATTGT-2", 1, 9, 9, 7, 7]]),
      /describes 2 capture areas \(barcodes end in -1, -2\), as after spaceranger aggr .*: analyze each from its own outs folder/,
    ],
    [
      "a web page",
      "<!DOCTYPE html><html></html>",
      /is a web page, not the table of positions: the download failed/,
    ],
    ["a packed web page", gzipSync("<html><body>Sign in"), /is a web page/],
    [
      "a Git LFS pointer",
      "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
      /is a Git LFS pointer/,
    ],
    ["zeros", Buffer.alloc(3000), /is filled with zeros/],
    [
      "a workbook",
      Buffer.from("PK\x03\x04...xl/worksheets", "latin1"),
      /Excel workbook.*save the sheet as CSV/,
    ],
    ["no spots", `${HEADER}\n`, /contains no spots/],
  ])("are refused by cause and remedy: %s", async (_name, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });

  it("may be Parquet with an index, other types, or barcodes as the index", async () => {
    const column = (
      name: string,
      data: unknown[],
      type: "STRING" | "INT64" | "DOUBLE" | "BOOLEAN",
    ) => ({ name, data, type }) as const;
    const of = (at: number): unknown[] => ROWS.map((row) => row[at]);
    const columns = [
      column("in_tissue", of(1).map(Boolean), "BOOLEAN"),
      column(
        "array_row",
        of(2).map((n) => BigInt(n as number)),
        "INT64",
      ),
      column("array_col", of(3).map(String), "STRING"),
      column("pxl_row_in_fullres", of(4), "DOUBLE"),
      column("pxl_col_in_fullres", of(5), "DOUBLE"),
    ];
    const path = join(folder, "tissue_positions.parquet");
    const index = column(
      "__index_level_0__",
      of(0).map((_, i) => BigInt(i)),
      "INT64",
    );
    for (const columnData of [
      [column("barcode", of(0), "STRING"), ...columns, index],
      [...columns, column("__index_level_0__", of(0), "STRING")],
    ]) {
      await writeFile(path, Buffer.from(parquetWriteBuffer({ columnData })));
      expect(await readPositions({ path, format: "parquet" })).toEqual(expected);
    }
    // Other programs write NaN where a spot off tissue has no place.
    const off = ROWS.findIndex((row) => row[1] === 0);
    const places = of(4).map((value, at) => (at === off ? Number.NaN : value));
    const columnData = [
      column("barcode", of(0), "STRING"),
      ...columns.with(3, column("pxl_row_in_fullres", places, "DOUBLE")),
    ];
    const unplaced = join(folder, "unplaced.parquet");
    await writeFile(unplaced, Buffer.from(parquetWriteBuffer({ columnData })));
    const { barcode } = await readPositions({ path: unplaced, format: "parquet" });
    expect(barcode).toEqual(expected.barcode.toSpliced(off, 1));
    // The content counts, not the name.
    await rename(path, join(folder, "renamed.csv"));
    const renamed = { path: join(folder, "renamed.csv"), format: "csv" } as const;
    expect(await readPositions(renamed)).toEqual(expected);
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
    await expect(readScalefactors(path)).rejects.toThrow(/is cut off \(its last bracket/);
    await writeFile(path, "{tissue_hires_scalef: 0.5}");
    await expect(readScalefactors(path)).rejects.toThrow(/not valid JSON/);
    expect(await readScalefactors(null)).toEqual({});
  });

  it.each<[string, unknown, RegExp]>([
    ["arrays of one", { a: [0.5], b: [89.4] }, /numbers in arrays/],
    ["an array around everything", [{ a: 0.5, b: 89.4 }], /an array around everything/],
    ["quotes", { a: "0.5", b: "89.4" }, /numbers in quotes/],
    ["decimal commas", { a: "0,5", b: "89,4" }, /numbers in quotes/],
    ["missing values", { a: "0.5", b: 89.4, bin_size_um: null, microns_per_pixel: "NA" }, /quotes/],
  ])("accepts numbers that another program saved in %s", async (_name, value, oddity) => {
    const path = join(folder, "saved.json");
    const json = JSON.stringify(value)
      .replace('"a"', '"tissue_hires_scalef"')
      .replace('"b"', '"spot_diameter_fullres"');
    for (const bytes of [json, Buffer.from(`\ufeff${json}`, "utf16le"), gzipSync(json)]) {
      await writeFile(path, bytes);
      const warnings: string[] = [];
      const warn = (text: string): void => void warnings.push(text);
      expect(await readScalefactors(path, warn)).toEqual({
        tissue_hires_scalef: 0.5,
        spot_diameter_fullres: 89.4,
      });
      expect(warnings).toEqual([expect.stringMatching(oddity)]);
    }
  });

  it("says what a file is that has no scale factors", async () => {
    const path = join(folder, "other.json");
    const refusal = async (content: string): Promise<unknown> => {
      await writeFile(path, content);
      return readScalefactors(path).catch((error: Error) => error.message);
    };
    expect(await refusal('{"message": "Not Found"}')).toMatch(/error message .*\(Not Found\)/);
    expect(await refusal('{"tissue_hires_scalef": [0.5, 0.5]}')).toMatch(/no positive number/);
    expect(await refusal("<html>")).toMatch(/is a web page, not the scale factors/);
    expect(await refusal("{'tissue_hires_scalef': 0.5, 'x': NaN}")).toEqual({
      tissue_hires_scalef: 0.5,
    });
  });
});
