import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import h5wasm, { File as H5File } from "h5wasm/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Random } from "@stipple/numerics/random";
import type { CountMatrix } from "../counts/count-matrix.ts";
import { readCounts, readSpots, type SpaceRangerCounts } from "./read-counts.ts";

let folder: string;
let warnings: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-counts-"));
  await h5wasm.ready;
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  warnings = [];
});

const BARCODES = ["AAAA-1", "CCCC-1", "GGGG-1"];
const FEATURES = [
  ["E1", "Actb", "Gene Expression"],
  ["E2", "Xist", "Gene Expression"],
  ["P1", "CD3", "Antibody Capture"],
  ["E3", "Actb", "Gene Expression"],
];
/** feature, barcode, count; the antibody row is not of a gene. */
const ENTRIES: [number, number, number][] = [
  [1, 1, 5],
  [4, 1, 2],
  [2, 2, 70_000],
  [3, 2, 9],
  [1, 3, 1],
  [2, 3, 1],
];
const DENSE = [
  [5, 0, 2],
  [0, 70_000, 0],
  [1, 1, 0],
];

function text(
  entries = ENTRIES,
  size = `${FEATURES.length} ${BARCODES.length} ${entries.length}`,
): string {
  const lines = entries.map((entry) => entry.join(" "));
  return `%%MatrixMarket matrix coordinate integer general\n%metadata\n${size}\n${lines.join("\n")}\n`;
}

const mex = {
  format: "mex" as const,
  barcodes: "",
  features: "",
  matrix: "",
};

async function writeText(
  parts: { barcodes?: string[]; features?: string; matrix?: string | Buffer } = {},
): Promise<typeof mex> {
  const files = {
    ...mex,
    barcodes: join(folder, "barcodes.tsv.gz"),
    features: join(folder, "features.tsv.gz"),
    matrix: join(folder, "matrix.mtx.gz"),
  };
  await writeFile(files.barcodes, gzipSync(`${(parts.barcodes ?? BARCODES).join("\n")}\n`));
  await writeFile(
    files.features,
    gzipSync(parts.features ?? FEATURES.map((feature) => `${feature.join("\t")}\n`).join("")),
  );
  const matrix = parts.matrix ?? text();
  await writeFile(files.matrix, typeof matrix === "string" ? gzipSync(matrix) : matrix);
  return files;
}

function writeH5(
  path: string,
  options: {
    legacy?: boolean;
    data?: number[];
    barcodes?: string[];
    ids?: string[];
    indptr?: number[];
    shape?: number[];
  } = {},
): void {
  const columns = [0, 1, 2].map((b) => ENTRIES.filter((entry) => entry[1] === b + 1));
  const indptr = BigInt64Array.from((options.indptr ?? [0, 2, 4, 6]).map(BigInt));
  const file = new H5File(path, "w");
  const group = options.legacy ? "mm10" : "matrix";
  file.create_group(group);
  const put = (name: string, data: unknown): void => {
    file.create_dataset({ name: `${group}/${name}`, data: data as string[] });
  };
  put("barcodes", options.barcodes ?? BARCODES);
  put("data", Int32Array.from(options.data ?? columns.flat().map((entry) => entry[2])));
  put("indices", BigInt64Array.from(columns.flat().map((entry) => BigInt(entry[0] - 1))));
  put("indptr", indptr);
  put("shape", Int32Array.from(options.shape ?? [4, 3]));
  if (options.legacy) {
    put(
      "genes",
      FEATURES.map(([id]) => id),
    );
    put(
      "gene_names",
      FEATURES.map(([, name]) => name),
    );
  } else {
    file.create_group(`${group}/features`);
    put("features/id", options.ids ?? FEATURES.map(([id]) => id));
    put(
      "features/name",
      FEATURES.map(([, name]) => name),
    );
    put(
      "features/feature_type",
      FEATURES.map(([, , type]) => type),
    );
  }
  file.close();
}

function read(
  matrix: SpaceRangerCounts["matrix"],
  otherMatrix: SpaceRangerCounts["matrix"] | null = null,
  keep = (barcodes: string[]): Uint8Array => new Uint8Array(barcodes.length).fill(1),
): Promise<CountMatrix> {
  const files = { matrix, otherMatrix } as SpaceRangerCounts;
  return readCounts(files, { keep, warn: (message) => warnings.push(message) });
}

function dense({ counts }: CountMatrix): number[][] {
  return Array.from({ length: counts.nRows }, (_, row) => {
    const values = new Array<number>(counts.nCols).fill(0);
    for (let k = counts.indptr[row]; k < counts.indptr[row + 1]; k++) {
      values[counts.indices[k]] = counts.data[k];
    }
    return values;
  });
}

describe("reading counts from text", () => {
  it("keeps Gene Expression rows, keyed by id", async () => {
    const matrix = await read(await writeText());
    expect(matrix.barcode).toEqual(BARCODES);
    expect(matrix.genes.id).toEqual(["E1", "E2", "E3"]);
    expect(matrix.genes.symbol).toEqual(["Actb", "Xist", "Actb"]);
    expect(dense(matrix)).toEqual(DENSE);
  });

  it("accepts entries in any order, integers written as decimals, and Windows line endings", async () => {
    const shuffled = text(ENTRIES.toReversed()).replaceAll("\n", "\r\n").replace("70000", "7e4");
    expect(dense(await read(await writeText({ matrix: shuffled })))).toEqual(DENSE);
  });

  it("accepts a byte-order mark before the matrix", async () => {
    const marked = await writeText({ matrix: `\ufeff${text()}` });
    expect(dense(await read(marked))).toEqual(DENSE);
  });

  it("accepts lines in other forms among plain ones", async () => {
    const odd = ["1 1 5", " 4  1\t2", "2 2 +70000", "", "03 2 9", "%", "1 3 1.0", "2 3 1"];
    const matrix = text().replace("1 1 5\n", "").split("4 1 2")[0] + `${odd.join("\n")}\n`;
    expect(dense(await read(await writeText({ matrix })))).toEqual(DENSE);
  });

  it("accepts uncompressed files named .gz, and two-column features", async () => {
    const files = await writeText({ features: "E1\tActb\nE2\tXist\nP1\tCD3\nE3\tActb\n" });
    await writeFile(files.matrix, text());
    expect((await read(files)).counts.nCols).toBe(4);
  });

  it("leaves out barcodes that are not wanted", async () => {
    const matrix = await read(await writeText(), null, () => Uint8Array.of(1, 0, 1));
    expect(matrix.barcode).toEqual(["AAAA-1", "GGGG-1"]);
    expect(dense(matrix)).toEqual([DENSE[0], DENSE[2]]);
  });

  it("parses lines split anywhere between pieces", async () => {
    const random = new Random(1);
    const entries: [number, number, number][] = [];
    for (let b = 1; b <= 3; b++)
      for (const g of [1, 2, 4]) entries.push([g, b, random.below(16e6)]);
    const lines = text(entries).split("\n");
    // Comments push the entries across a piece boundary.
    lines.splice(1, 0, ...new Array<string>(40_000).fill(`%${"x".repeat(26)}`));
    const matrix = await read(await writeText({ matrix: lines.join("\n") }));
    const sum = matrix.counts.data.reduce((total, value) => total + value, 0);
    expect(sum).toBe(entries.reduce((total, entry) => total + Math.fround(entry[2]), 0));
  });

  /** All values of the matrix, one in a line, features changing first, or barcodes if transposed. */
  function everyValue(isTransposed: boolean): string {
    const value = (f: number, b: number): number =>
      ENTRIES.find((entry) => entry[0] === f + 1 && entry[1] === b + 1)?.[2] ?? 0;
    const values = isTransposed
      ? [0, 1, 2, 3].flatMap((f) => [0, 1, 2].map((b) => value(f, b)))
      : [0, 1, 2].flatMap((b) => [0, 1, 2, 3].map((f) => value(f, b)));
    const size = isTransposed ? "3 4" : "4 3";
    return `%%MatrixMarket matrix array integer general\n%\n${size}\n${values.join("\n")}\n`;
  }
  const swapped = ENTRIES.map(([f, b, n]): [number, number, number] => [b, f, n]);

  it.each<[string, string | Buffer, boolean]>([
    ["all values instead of pairs", everyValue(false), false],
    ["all values, spots in rows", everyValue(true), true],
    ["spots in rows", text(swapped, "3 4 6"), true],
    [
      "real numbers that are whole",
      text().replace("integer", "real").replace("70000", "7.0000e+04"),
      false,
    ],
    ["carriage returns", text().replaceAll("\n", "\r"), false],
    ["UTF-16", gzipSync(Buffer.from(`\ufeff${text()}`, "utf16le")), false],
  ])("accepts a matrix with %s", async (_name, matrix, isTransposed) => {
    expect(dense(await read(await writeText({ matrix })))).toEqual(DENSE);
    const said = isTransposed
      ? [expect.stringMatching(/has spots in rows and genes in columns/)]
      : [];
    expect(warnings).toEqual(said);
  });

  it("needs more room than expected for many values", async () => {
    const features = Array.from({ length: 1500 }, (_, i) => `E${i}\n`).join("");
    const barcodes = Array.from({ length: 1000 }, (_, i) => `B${i}`);
    const ones = "1\n".repeat(1500 * 1000);
    const matrix = `%%MatrixMarket matrix array integer general\n1500 1000\n${ones}`;
    const { counts } = await read(await writeText({ features, barcodes, matrix }));
    expect(counts.data.length).toBe(1_500_000);
    expect(counts.data.every((value) => value === 1)).toBe(true);
  });

  it.each([
    ["a pattern", { matrix: text().replace("integer", "pattern") }, /tells only which genes were/],
    ["complex values", { matrix: text().replace("integer", "complex") }, /declared as complex/],
    ["half a matrix", { matrix: text().replace("general", "symmetric") }, /declared as symmetric/],
    ["too few values", { matrix: everyValue(false).slice(0, -4) }, /declares 12 counts but has 10/],
    [
      "fractions among all values",
      { matrix: everyValue(false).replace("70000", "0.7") },
      /normalized values/,
    ],
    [
      "a web page",
      { matrix: "<!doctype html><html>" },
      /is a web page, not the matrix: the download/,
    ],
    [
      "a Git LFS pointer",
      { matrix: "version https://git-lfs.github.com/spec/v1\n" },
      /"git lfs pull"/,
    ],
    ["an empty file", { matrix: "" }, /matrix\.mtx\.gz is empty/],
    ["a cut gzip", { matrix: gzipSync(text()).subarray(0, 60) }, /matrix\.mtx\.gz is incomplete/],
    [
      "barcodes of another sample",
      { barcodes: ["AAAA-1", "CCCC-1"] },
      /matrix\.mtx\.gz has 3 barcodes, but barcodes\.tsv\.gz lists 2/,
    ],
    [
      "features of another sample",
      { features: "E1\n" },
      /has 4 features, but features\.tsv\.gz lists 1/,
    ],
    ["missing entries", { matrix: text(ENTRIES, "4 3 7") }, /declares 7 counts but has 6/],
    ["too many entries", { matrix: text(ENTRIES, "4 3 5") }, /more counts than the 5/],
    ["a fraction", { matrix: text([[1, 1, 0.5]]) }, /invalid count in line 4 \("1 1 0\.5"\)/],
    ["a negative count", { matrix: text([[1, 1, -3]]) }, /invalid count in line 4/],
    ["a letter", { matrix: text().replace("4 1 2", "a 1 2") }, /has feature NaN .* in line 5/],
    [
      "an index of ten digits",
      { matrix: text().replace("4 1 2", "4294967297 1 2") },
      /has feature 4294967297 and barcode 1 in line 5/,
    ],
    ["an index outside", { matrix: text([[9, 1, 1]]) }, /feature 9 and barcode 1 in line 4/],
    [
      "a feature between two",
      { matrix: text([[1.5, 1, 1]]) },
      /feature 1\.5 and barcode 1 in line 4/,
    ],
    [
      "a pair given twice",
      {
        matrix: text([
          [1, 1, 1],
          [1, 1, 2],
        ]),
      },
      /two counts for the gene Actb/,
    ],
    ["another format", { matrix: "gene,AAAA-1\nActb,3\n" }, /is not a Matrix Market file/],
    [
      "no genes",
      { features: "P1\tCD3\tAntibody Capture\n".repeat(4) },
      /no feature of the type Gene Expression/,
    ],
  ])("refuses %s", async (_name, parts, message) => {
    await expect(read(await writeText(parts))).rejects.toThrow(message);
  });
});

it("reads the counts of proteins, from either format, and says if there are none", async () => {
  const path = join(folder, "filtered_feature_bc_matrix.h5");
  writeH5(path, {});
  const all = { keep: (barcodes: string[]) => new Uint8Array(barcodes.length).fill(1) };
  const options = { ...all, features: "Antibody Capture" as const, warn: () => undefined };
  for (const matrix of [{ format: "h5" as const, path }, await writeText()]) {
    const proteins = await readCounts({ matrix }, options);
    expect(proteins.genes.symbol).toEqual(["CD3"]);
    expect(proteins.genes.leftOut).toEqual({ "Gene Expression": 3 });
    expect(dense(proteins)).toEqual([[0], [9], [0]]);
  }
  const genes = await writeText({ features: FEATURES.map(([id]) => `${id}\t${id}\n`).join("") });
  await expect(readCounts({ matrix: genes }, options)).rejects.toThrow(
    "has no feature of the type Antibody Capture",
  );
});

describe("reading counts from H5", () => {
  const path = (): string => join(folder, "filtered_feature_bc_matrix.h5");

  it.each([false, true])("reads the 10x layout (older: %s)", async (legacy) => {
    writeH5(path(), { legacy });
    const matrix = await read({ format: "h5", path: path() });
    expect(matrix.barcode).toEqual(BARCODES);
    expect(matrix.genes.symbol).toEqual(
      legacy ? ["Actb", "Xist", "CD3", "Actb"] : ["Actb", "Xist", "Actb"],
    );
    if (!legacy) expect(dense(matrix)).toEqual(DENSE);
  });

  it("reads rows of barcodes as it reads columns of them", async () => {
    writeH5(path(), { shape: [3, 4] });
    expect(dense(await read({ format: "h5", path: path() }))).toEqual(DENSE);
  });

  it("reads a row that starts in one piece of the file and ends in the next", async () => {
    const n = 200_000;
    const file = new H5File(path(), "w");
    file.create_group("matrix");
    file.create_group("matrix/features");
    const put = (name: string, data: unknown): void => {
      file.create_dataset({ name: `matrix/${name}`, data: data as string[] });
    };
    put("barcodes", Array.from({ length: n }, String));
    put(
      "data",
      Int32Array.from({ length: 3 * n }, (_, k) => k + 1),
    );
    put(
      "indices",
      Int32Array.from({ length: 3 * n }, (_, k) => k % 3),
    );
    put(
      "indptr",
      Int32Array.from({ length: n + 1 }, (_, i) => 3 * i),
    );
    put("shape", Int32Array.of(3, n));
    put("features/id", ["E1", "E2", "E3"]);
    file.close();
    const { counts } = await read({ format: "h5", path: path() });
    expect(counts.indptr.every((at, i) => at === 3 * i)).toBe(true);
    expect(counts.indices.every((gene, k) => gene === k % 3)).toBe(true);
    expect(counts.data.every((count, k) => count === k + 1)).toBe(true);
  });

  it("rejects damaged files and values that are not counts", async () => {
    writeH5(path(), { data: [1, 2, -3, 4, 5, 6] });
    await expect(read({ format: "h5", path: path() })).rejects.toThrow(
      /value -3 for barcode CCCC-1/,
    );
    writeH5(path(), { ids: [0, 0, 1, 2].map((n) => `ENSG0000000000${n}`) });
    await expect(read({ format: "h5", path: path() })).rejects.toThrow(
      /lists the gene ENSG00000000000 twice: copy or download/,
    );
    writeH5(path(), { barcodes: ["AAAA-1"] });
    await expect(read({ format: "h5", path: path() })).rejects.toThrow(/contradicts itself/);
    writeH5(path(), { indptr: [0, 2, 3, 3, 6] });
    await expect(read({ format: "h5", path: path() })).rejects.toThrow(
      /lists its counts gene by gene \(CSR\).*tocsc/,
    );
    writeH5(path());
    const whole = await readFile(path());
    await writeFile(path(), whole.subarray(0, whole.length >> 1));
    await expect(read({ format: "h5", path: path() })).rejects.toThrow(/is incomplete/);
    await writeFile(path(), "not HDF5");
    await expect(read({ format: "h5", path: path() })).rejects.toThrow(
      /is a text file, not the matrix: copy or download/,
    );
  });

  it("reports a damaged header only with its own message", async () => {
    writeH5(path());
    const bytes = await readFile(path());
    const header = bytes.lastIndexOf("OHDR");
    bytes.fill(0x55, header + 4, header + 32);
    await writeFile(path(), bytes);
    const print = vi.spyOn(console, "error");
    try {
      await expect(read({ format: "h5", path: path() })).rejects.toThrow(
        /^filtered_feature_bc_matrix\.h5 is damaged/,
      );
      expect(print).not.toHaveBeenCalled();
    } finally {
      print.mockRestore();
    }
  });

  /** Older files: one group for each genome, whose features are `genes` of those of DENSE. */
  function writeGenomes(groups: { name: string; genes: number[]; barcodes?: number[] }[]): void {
    const file = new H5File(path(), "w");
    for (const { name, genes, barcodes = [0, 1, 2] } of groups) {
      file.create_group(name);
      const put = (part: string, data: unknown): void => {
        file.create_dataset({ name: `${name}/${part}`, data: data as string[] });
      };
      const columns = barcodes.map((b) => genes.flatMap((g, i) => (DENSE[b][g] ? [i] : [])));
      put(
        "barcodes",
        barcodes.map((b) => BARCODES[b]),
      );
      put(
        "genes",
        genes.map((g) => ["E1", "E2", "E3"][g]),
      );
      put(
        "gene_names",
        genes.map((g) => ["Actb", "Xist", "Actb"][g]),
      );
      put(
        "data",
        Int32Array.from(columns.flatMap((is, k) => is.map((i) => DENSE[barcodes[k]][genes[i]]))),
      );
      put("indices", BigInt64Array.from(columns.flat().map(BigInt)));
      let end = 0n;
      put("indptr", BigInt64Array.from([0n, ...columns.map((is) => (end += BigInt(is.length)))]));
      put("shape", Int32Array.of(genes.length, barcodes.length));
    }
    file.close();
  }

  it("reads the genes of all genomes, in whatever order they list the barcodes", async () => {
    writeGenomes([
      { name: "hg19", genes: [0] },
      { name: "mm10", genes: [1, 2], barcodes: [2, 0, 1] },
    ]);
    const matrix = await read({ format: "h5", path: path() }, null, () => Uint8Array.of(1, 1, 1));
    expect(dense(matrix)).toEqual(DENSE);
    expect(matrix.genes.genome).toEqual(["hg19", "mm10", "mm10"]);
    expect(warnings).toEqual([
      "filtered_feature_bc_matrix.h5 holds 2 genomes (hg19: 1 genes, mm10: 2 genes); the genes of all were read.",
    ]);
    const some = await read({ format: "h5", path: path() }, null, (barcodes) =>
      Uint8Array.from(barcodes, (barcode) => Number(barcode !== "CCCC-1")),
    );
    expect(dense(some)).toEqual([DENSE[0], DENSE[2]]);
  });

  it("refuses genomes with different barcodes, and samples in the place of genomes", async () => {
    writeGenomes([
      { name: "hg19", genes: [0] },
      { name: "mm10", genes: [1, 2], barcodes: [0, 1] },
    ]);
    await expect(read({ format: "h5", path: path() })).rejects.toThrow(
      /holds 2 genomes \(hg19, mm10\) with different barcodes \(3 and 2\).*: use the raw matrix/,
    );
    writeGenomes([
      { name: "liver", genes: [0, 1] },
      { name: "brain", genes: [0, 1] },
    ]);
    await expect(read({ format: "h5", path: path() })).rejects.toThrow(
      /several matrices \(\w+, \w+\) with the same genes \(such as E1\), so they are samples/,
    );
  });

  it("keeps the genome of each gene", async () => {
    writeH5(path());
    const file = new H5File(path(), "a");
    const genome = ["hg19", "mm10", "", "mm10"];
    file.create_dataset({ name: "matrix/features/genome", data: genome });
    file.close();
    const { genes } = await read({ format: "h5", path: path() });
    expect(genes.genome).toEqual(["hg19", "mm10", "mm10"]);
  });

  it.each<[string, string[], RegExp]>([
    ["an h5ad", ["obs", "var", "X"], /is an AnnData file \(h5ad\).*scipy\.io\.mmwrite/],
    ["molecules", ["barcode_idx", "umi", "count"], /is a molecule_info file.*from the same outs/],
    ["slices", ["feature_slices"], /is a feature_slice file of HD Visium/],
    ["a loom file", ["matrix", "row_attrs", "col_attrs"], /is a loom file/],
    ["something else", ["images"], /contains no 10x matrix/],
  ])("says what it is given instead: %s", async (_name, groups, message) => {
    const file = new H5File(path(), "w");
    for (const name of groups) file.create_group(name);
    file.close();
    await expect(read({ format: "h5", path: path() })).rejects.toThrow(message);
  });

  it("tells the unfiltered matrix from one of another sample", async () => {
    const filtered = await writeText({
      barcodes: BARCODES.slice(0, 2),
      matrix: text(ENTRIES.slice(0, 4), "4 2 4"),
    });
    writeH5(path());
    const unfiltered = { format: "h5" as const, path: path() };
    const cause = ": one is of the unfiltered matrix, or the files are from different samples";
    await expect(read(filtered, unfiltered)).rejects.toThrow(cause);
    await expect(read(unfiltered, filtered)).rejects.toThrow(`, without GGGG-1${cause}`);
  });

  it("is compared with the text files", async () => {
    const files = await writeText();
    writeH5(path());
    expect(dense(await read(files, { format: "h5", path: path() }))).toEqual(DENSE);
    writeH5(path(), { barcodes: ["AAAA-1", "CCCC-1", "TTTT-1"] });
    await expect(read(files, { format: "h5", path: path() })).rejects.toThrow(
      ", without GGGG-1: the files are from different samples; take both from one",
    );
    writeH5(path());
    const shallow = await writeText({ matrix: text(ENTRIES.slice(1)) });
    await expect(read(shallow, { format: "h5", path: path() })).rejects.toThrow(
      /matrix\.mtx\.gz has 5 counts and .*\.h5 6, for the same spots and genes: .* different runs/,
    );
    const h5 = { format: "h5" as const, path: path() };
    const spots = readSpots({ matrix: h5, otherMatrix: shallow });
    await expect(spots).rejects.toThrow(
      /\.h5 has 6 counts and matrix\.mtx\.gz 5, for the same spots/,
    );
    await writeText();
    await writeFile(path(), "damaged");
    expect(dense(await read(files, { format: "h5", path: path() }))).toEqual(DENSE);
    expect(warnings).toHaveLength(1);
  });
});
