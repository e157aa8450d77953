import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readBarcodes, readFeatures } from "./read-lists.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-lists-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

const BARCODES = ["TTGACCATGACATTGA-1", "TTGACCATGACATTGC-1", "TTGACCATGACATTGG-1"];
const rows = (row: (barcode: string, i: number) => string): string => BARCODES.map(row).join("");

it.each<[string, string | Buffer]>([
  ["one per line", rows((b) => `${b}\n`)],
  ["gzip", gzipSync(rows((b) => `${b}\n`))],
  ["carriage returns", rows((b) => `${b}\r`)],
  ["UTF-16", Buffer.from(`\ufeff${rows((b) => `${b}\r\n`)}`, "utf16le")],
  ["a name of the column", `barcode\n${rows((b) => `${b}\n`)}`],
  ["R's write.csv", `"","x"\n${rows((b, i) => `"${i + 1}","${b}"\n`)}`],
  ["R's write.table", `"x"\n${rows((b, i) => `"${i + 1}" "${b}"\n`)}`],
  ["pandas's index", `\t0\n${rows((b, i) => `${i}\t${b}\n`)}`],
  ["further columns", rows((b) => `${b}\t1\t0.5\n`)],
])("reads barcodes saved with %s", async (_name, content) => {
  expect(await readBarcodes(await file("barcodes.tsv", content))).toEqual(BARCODES);
});

const FEATURES = [
  ["ENSG00000000003", "TSPAN6", "Gene Expression"],
  ["ENSG00000000005", "TNMD", "Gene Expression"],
  ["CD3", "CD3 (TotalSeq, B)", "Antibody Capture"],
  ["ENSG00000000419", "DPM1", "Gene Expression"],
];
const lines = (line: (feature: string[], i: number) => string): string =>
  FEATURES.map((feature, i) => `${line(feature, i)}\n`).join("");

it.each<[string, string | Buffer]>([
  ["as Space Ranger does", lines((f) => f.join("\t"))],
  ["names of columns", `gene_id\tgene_name\tfeature_type\n${lines((f) => f.join("\t"))}`],
  [
    "R's row names",
    `"","V1","V2","V3"\n${lines((f, i) => `"${i + 1}",${f.map((t) => `"${t}"`).join(",")}`)}`,
  ],
  ["pandas's index", `\t0\t1\t2\n${lines((f, i) => `${i}\t${f.join("\t")}`)}`],
  ["symbols first", lines(([id, symbol, type]) => `${symbol}\t${id}\t${type}`)],
  [
    "scanpy's var",
    `\tgene_ids\tfeature_types\n${lines(([id, symbol, type]) => `${symbol}\t${id}\t${type}`)}`,
  ],
  [
    "scanpy's var after quality control",
    `\tgene_ids\tfeature_types\tmt\tn_cells\n${lines(([id, symbol, type], i) => `${symbol}\t${id}\t${type}\tFalse\t${i}`)}`,
  ],
  ["UTF-16", Buffer.from(`\ufeff${lines((f) => f.join("\t"))}`, "utf16le")],
])("reads genes saved with %s", async (_name, content) => {
  const genes = await readFeatures(await file("features.tsv", content));
  expect(genes.id).toEqual(["ENSG00000000003", "ENSG00000000005", "ENSG00000000419"]);
  expect(genes.symbol).toEqual(["TSPAN6", "TNMD", "DPM1"]);
  expect([...genes.geneOf]).toEqual([0, 1, -1, 2]);
  expect(genes.leftOut).toEqual({ "Antibody Capture": 1 });
});

it("reads genes of one column or two, numbers among them, and the genome", async () => {
  const read = async (text: string): ReturnType<typeof readFeatures> =>
    readFeatures(await file("genes.tsv", text));
  expect((await read("Actb\nXist\n")).symbol).toEqual(["Actb", "Xist"]);
  expect((await read("7157\n5728\n1956\n")).id).toEqual(["7157", "5728", "1956"]);
  expect(await read("ENSG1\tA\nENSG2\tB\n")).toMatchObject({ id: ["ENSG1", "ENSG2"] });
  const named = "id\tname\tfeature_type\tgenome\n";
  const mixed = await read(`${named}G1\tA\tGene Expression\thg19\nG2\tB\tGene Expression\tmm10\n`);
  expect(mixed.genome).toEqual(["hg19", "mm10"]);
});

it("says that one list holds what belongs into the other, or is no list", async () => {
  const features = await file(
    "barcodes.tsv",
    lines((f) => f.join("\t")),
  );
  await expect(readBarcodes(features)).rejects.toThrow(
    /^barcodes\.tsv lists genes \(such as ENSG\d+\), not barcodes: rename it/,
  );
  const barcodes = await file(
    "features.tsv",
    rows((b) => `${b}\n`),
  );
  await expect(readFeatures(barcodes)).rejects.toThrow(/lists barcodes \(such as TTGA.*not genes/);
  const page = await file("barcodes.tsv.gz", gzipSync("<!doctype html><html>"));
  await expect(readBarcodes(page)).rejects.toThrow(
    /^barcodes\.tsv\.gz is a web page, not the list of barcodes: the download failed/,
  );
});
