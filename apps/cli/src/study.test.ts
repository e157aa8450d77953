import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulateTissue } from "@stipple/tissue";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "@stipple/pipeline/errors";
import { checkRoom } from "./commands/check-room.ts";
import { placeReferences } from "./commands/reference-file.ts";
import { columnOf, readDesignTable } from "./study/design-table.ts";
import { runStudy } from "./study/run-study.ts";
import { readSheet } from "./study/sheet.ts";
import { rectangle } from "./testing/rectangle.ts";
import { runStipple, type CommandResult } from "./testing/run-stipple.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-study-"));
const out = join(folder, "out");

function study(sheet: string): Promise<CommandResult> {
  return stipple("run", sheet, "--out", out, "--threads", "2");
}
function stipple(...args: string[]): Promise<CommandResult> {
  return runStipple(["study", ...args]);
}
function sheet(...lines: string[]): string {
  const path = join(folder, "sheet.csv");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}
function matrixOf(sample: string): string {
  const path = join(folder, sample, "filtered_feature_bc_matrix");
  return join(
    path,
    readdirSync(path).find((name) => name.startsWith("matrix"))!,
  );
}

/** The left half of images of 300 µm at 0.8 µm per pixel. */
function writeLeftRegion(): void {
  const path = join(folder, "left.geojson");
  writeFileSync(path, JSON.stringify(rectangle("Left", [0, 0, 187, 375])));
}

/** Gives a type another name. */
function writeName(type: string): void {
  const value = { of: "type", group: type, label: "Renamed" };
  const named = { id: "a", kind: "name", value, author: null, at: "2026-01-01T00:00:00Z" };
  const file = { format: "stipple annotations", version: 1, annotations: [named] };
  writeFileSync(join(folder, "named.json"), JSON.stringify(file));
}

describe("stipple study run", () => {
  beforeAll(async () => {
    for (const [name, seed] of [
      ["one", 1],
      ["two", 2],
    ] as const) {
      await simulateTissue({
        ...{ out: join(folder, name), seed, sizeUm: 300 },
        ...{ umPerPx: 0.8, nGenes: 200 },
      });
    }
    cpSync(join(folder, "two"), join(folder, "cut"), { recursive: true });
    rmSync(join(folder, "cut/filtered_feature_bc_matrix.h5"), { force: true });
    const bytes = readFileSync(matrixOf("cut"));
    writeFileSync(matrixOf("cut"), bytes.subarray(0, Math.floor(bytes.length / 2)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("analyzes every sample, names the one that fails, and continues where it stopped", async () => {
    const path = sheet(
      "sample,folder,platform,condition,patient",
      "A1,one,visium,tumor,P1",
      "A2,cut,visium,normal,P1",
      'A3,two,visium,"tumor, treated",P2',
    );
    const first = await study(path);
    expect(first.code).toBe(1);
    expect(first.out).toContain("2 of 3 samples are analyzed.");
    const table = readFileSync(join(out, "study.csv"), "utf8").trim().split("\n");
    expect(table[0]).toMatch(/^sample,condition,patient,verdict,spots,cells,.*,failure$/);
    expect(table[1]).toMatch(/^A1,tumor,P1,(Good|Limited|Poor),\d+,\d+,200,/);
    expect(table[2]).toMatch(/^A2,normal,P1,,,,.*matrix\.mtx/);
    expect(table[3]).toMatch(/^A3,"tumor, treated",P2,/);
    expect(readdirSync(join(out, "A1/analysis_results/output"))).toContain("report.html");

    cpSync(matrixOf("two"), matrixOf("cut"));
    const second = await study(path);
    expect(second).toMatchObject({ code: 0, err: "" });
    expect(second.out.match(/Its results are up to date\./g)).toHaveLength(2);
    expect(second.out).toContain("3 of 3 samples are analyzed.");

    // Files that comparisons read are in the table as well.
    writeLeftRegion();
    writeName("Unknown");
    const noted = sheet(
      "sample,folder,platform,condition,patient,regions,annotations",
      "A1,one,visium,tumor,P1,left.geojson,named.json",
      "A2,cut,visium,normal,P1,,",
      'A3,two,visium,"tumor, treated",P2,,',
    );
    expect(await study(noted)).toMatchObject({ code: 0, err: "" });
    const [head, ...rows] = readFileSync(join(out, "study.csv"), "utf8").split("\n");
    expect(head).toMatch(/^sample,condition,patient,regions,annotations,verdict,/);
    expect(rows[0]).toMatch(/^A1,tumor,P1,\.\.\/left\.geojson,\.\.\/named\.json,/);
    expect(rows[1]).toMatch(/^A2,normal,P1,,,(Good|Limited|Poor),/);
  });

  it("keeps every sample in its table if it is stopped", async () => {
    const sheetOfThree = await readSheet(join(folder, "sheet.csv"));
    const { signal } = new AbortController();
    const say = (line: string): void => {
      if (line.startsWith("Sample 2")) throw new Error("Stopped");
    };
    const run = { out, threads: 1, signal, listener: {}, say, checkRoom };
    await expect(runStudy(sheetOfThree, run)).rejects.toThrow("Stopped");
    const rows = readFileSync(join(out, "study.csv"), "utf8").trim().split("\n").slice(1);
    expect(rows.map((row) => row.split(",", 2))).toEqual([
      ["A1", "tumor"],
      ["A2", "normal"],
      ["A3", '"tumor'],
    ]);
    expect(rows[1]).toMatch(/,not analyzed yet$/);
    expect(await study(join(folder, "sheet.csv"))).toMatchObject({ code: 0, err: "" });
  });

  it("starts no sample for which there is no room, unless it is forced to", async () => {
    const analyzed = await readSheet(join(folder, "sheet.csv"));
    const path = sheet("sample,folder,platform", "A1,one,visium", "A2,cut,visium");
    const into = join(folder, "roomless");
    const listener = { stepStarted: () => expect.unreachable() };
    const { signal } = new AbortController();
    const run = { out: into, threads: 1, signal, listener, say: () => undefined };
    const none = { ...run, checkRoom: () => Promise.reject(new InputError("No room")) };
    expect(await runStudy(await readSheet(path), none)).toMatchObject([
      { failure: "No room" },
      { failure: "No room" },
    ]);
    // What is there needs no room, and is not made again.
    const there = { ...none, out, force: true };
    const three = await runStudy(analyzed, there);
    expect(three.filter((outcome) => "quality" in outcome)).toHaveLength(3);
  });

  it("compares conditions, or says in a sentence why it cannot", async () => {
    const compare = (...options: string[]): ReturnType<typeof stipple> =>
      stipple("compare", out, "--condition", "condition", ...options);
    const refused = await compare("--groups", "normal,tumor");
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('Only one patient has the condition "normal"');
    const withComma = await compare("--groups", "tumor, treated, normal");
    expect(withComma.err).toContain('Only one patient has the condition "tumor, treated"');
    expect((await compare("--patient", "donor")).err).toContain("study.csv has no column donor");

    cpSync(join(out, "A1"), join(out, "A4"), { recursive: true });
    const design = sheet("sample,condition", "A1,normal", "A2,normal", "A3,tumor", "A4,tumor");
    const done = await compare("--design", design);
    expect(done).toMatchObject({ code: 0, err: "" });
    const text = (name: string): string => readFileSync(join(out, "comparison", name), "utf8");
    expect(text("composition.csv")).toMatch(/^cell_type,share_normal,share_tumor,/);
    expect(text("report.html")).toContain("tumor compared with normal");
    expect(text("repeat.R")).toContain('levels = c("normal", "tumor")');
    expect(readdirSync(join(out, "comparison")).some((name) => name.startsWith("de_"))).toBe(true);
    const [, type] = /^(?:.*\n)([^,\n]+),/.exec(text("composition.csv"))!;
    writeName(type);
    sheet(
      "sample,condition,annotations",
      ...["A1,normal", "A2,normal", "A3,tumor", "A4,tumor"].map((row) => `${row},named.json`),
    );
    expect(await compare("--design", design)).toMatchObject({ code: 0, err: "" });
    expect(text("cells.csv").split("\n")[0].split(",")).toContain("Renamed");
    writeFileSync(design, "sample,condition\nA1,normal\nA9,tumor\n");
    expect((await compare("--design", design)).err).toContain("has no folder A9");
  });

  it.each([["compare", "--condition", "condition"], ["combine", "--out", "combined"], ["embed"]])(
    "%s names the folder that is no study's",
    async (command, ...options) => {
      const { code, err } = await stipple(command, folder, ...options);
      expect(code).toBe(1);
      expect(err).toBe(
        `${folder} contains no study.csv: use the folder that stipple study run wrote, or name a table with --design.\n`,
      );
    },
  );

  it.each([["compare", "--condition", "condition"], ["combine"], ["embed"]])(
    "%s says before any work that it cannot write",
    async (command, ...options) => {
      const file = join(out, "study.csv");
      const { code, err, out: said } = await stipple(command, out, ...options, "--out", file);
      expect([code, said]).toEqual([1, ""]);
      expect(err).toBe(
        `Cannot write to ${file}: choose an --out folder that you have permission to write to.\n`,
      );
    },
  );

  it("compares the cells of regions alone, or says which sample has none", async () => {
    const compare = (...options: string[]): ReturnType<typeof stipple> =>
      stipple("compare", out, "--condition", "condition", ...options);
    const text = (name: string): string => readFileSync(join(out, "comparison", name), "utf8");
    const nCells = (): number =>
      (text("cells.csv").match(/(?<=,)\d+/g) ?? []).reduce((sum, cells) => sum + Number(cells), 0);
    // Of the comparison above, of the same samples.
    const whole = nCells();
    const design = sheet(
      "sample,condition,regions",
      ...["A1,normal", "A2,normal", "A3,tumor", "A4,tumor"].map((row) => `${row},left.geojson`),
    );
    const done = await compare("--region", "Left", "--design", design);
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(text("report.html")).toMatch(/Only cells in the regions called ("|&quot;)Left\1 are/);
    expect(nCells() / whole).toBeGreaterThan(0.3);
    expect(nCells() / whole).toBeLessThan(0.7);
    expect((await compare("--region", "Core", "--design", design)).err).toContain(
      'left.geojson has no region called "Core"; its regions are Left: name one of them.',
    );
    // That of A1 is found from the study's own table.
    expect((await compare("--region", "Left")).err).toContain(
      "study.csv has no file of regions for A2",
    );
    sheet("sample,condition", "A1,normal", "A3,tumor");
    expect((await compare("--region", "Left", "--design", design)).err).toContain(
      "sheet.csv has no column regions: give the sample sheet as --design.",
    );
    sheet("sample,condition,regions", "A1,normal,left.geojson", "A3,tumor,");
    expect((await compare("--region", "Left", "--design", design)).err).toContain(
      "sheet.csv has no file of regions for A3",
    );
  });

  it("combines the samples", async () => {
    const into = join(folder, "combined");
    const done = await stipple("combine", out, "--out", into, "--threads", "1");
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(readdirSync(into).sort()).toEqual(["report.html", "seurat", "study.h5ad", "study.zarr"]);
    const report = readFileSync(join(into, "report.html"), "utf8");
    expect(report).toContain("3 samples");
    expect(report).toContain("No comparison: The samples have 3 conditions");
    const metadata = readFileSync(join(into, "seurat/metadata.csv"), "utf8").split("\n");
    expect(metadata[0]).toMatch(/^index,sample,condition,patient,cell_type,/);
    expect(metadata.at(-2)).toMatch(/^A3_cell_\d+,A3,"tumor, treated",P2,/);
    const path = sheet(
      "sample,folder,platform,condition",
      "A1,one,visium,normal",
      "A3,two,visium,tumor",
    );
    const options = ["--only", "seurat", "--design", path];
    expect(await stipple("combine", out, "--out", into, ...options)).toMatchObject({ err: "" });
    expect(readFileSync(join(into, "seurat/metadata.csv"), "utf8")).toMatch(
      /^index,sample,condition,cell_type,/,
    );
    const only = await stipple("combine", out, "--out", into, "--only", "pdf");
    expect(only.err).toContain('"pdf" is not one of h5ad, spatialdata, seurat, report.');
  });

  it("places the cells of all samples in one space", async () => {
    const design = sheet("sample,condition,batch", "A1,normal,1", "A2,tumor,2", "A3,tumor,2");
    const done = await stipple("embed", out, "--design", design);
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(done.out).toMatch(/cells of 3 samples in one space, from observed counts of/);
    expect(done.out).toContain("Batches and conditions cannot be told apart (normal, tumor)");
    expect(readdirSync(join(out, "space")).sort()).toEqual([
      ...["cells.parquet", "clusters.csv", "mixing.txt"],
    ]);
    const spots = await stipple("embed", out, "--of", "spots");
    expect(spots.err).toMatch(/A1 has \d+ spots with enough counts, but a joint space needs 20/);
    expect((await stipple("embed", out, "--of", "spots", "--on", "rate")).err).toContain(
      "Rates are those of cells",
    );
  });

  it("takes references by the names that they are kept under", async () => {
    const rows = ["A1,one,visium,blood-pbmc68k", "A2,two,visium,blood-pbmc68k", "A3,two,visium,"];
    const { samples } = await readSheet(sheet("sample,folder,platform,reference", ...rows));
    await using opened = new AsyncDisposableStack();
    await placeReferences(samples, opened);
    const [first, second, none] = samples.map(({ files }) => files.reference);
    expect(first).toMatch(/blood-pbmc68k\.h5ad$/);
    expect(second).toBe(first);
    expect(none).toBeUndefined();
    const missing = sheet("sample,folder,platform,reference", "A1,one,visium,no.h5ad");
    await expect(readSheet(missing)).rejects.toThrow("the file no.h5ad of A1 does not exist");
  });

  it("reads what a spreadsheet must not run as a formula as it was meant", async () => {
    const rows = ["A1,one,visium,'-/-", "A2,two,visium,-/-", "A3,two,visium,''wild"];
    const path = sheet("sample,folder,platform,genotype", ...rows);
    const expected = ["-/-", "-/-", "''wild"];
    const { samples } = await readSheet(path);
    expect(samples.map(({ design }) => design.genotype)).toEqual(expected);
    const design = await readDesignTable(path);
    expect(design.rows.map(({ values }) => values.genotype)).toEqual(expected);
  });

  it("reads decimal commas between semicolons", async () => {
    const design = await readDesignTable(sheet("sample;dose", "A1;0,5", "A2;1,5"));
    expect(design.rows.map(({ values }) => values.dose)).toEqual(["0,5", "1,5"]);
  });

  it("says what is wrong with every row before anything is analyzed", async () => {
    const path = sheet(
      "sample,folder,platform,resolution,tissue",
      "A1,one,visium,,",
      "A1,two,visium,,",
      "A2,nowhere,visium,,",
      "A3,one,xenium,,",
      "A4,one,hd_visium,,",
      "../A5,one,visium,,",
      "A6,one,visium,,moon",
      "A7,,visium,,",
      "A8,one,visium,,lung, left",
      "study.csv,one,visium,,",
    );
    const faults = await readSheet(path).catch((error: Error) => error.message.split("\n"));
    expect(faults).toEqual([
      "sheet.csv, line 3: there is a sample A1 already; give each its own name.",
      "sheet.csv, line 4: the folder nowhere of A2 does not exist; check its path.",
      expect.stringMatching(/^sheet\.csv, line 5: "xenium" is not a platform; use one of visium, /),
      "sheet.csv, line 6: HD Visium needs a bin size; write 8 or 16 into the column resolution for A4.",
      expect.stringMatching(/^sheet\.csv, line 7: "\.\.\/A5" cannot name a sample/),
      expect.stringMatching(/^sheet\.csv, line 8: the column tissue of A6 has a value/),
      "sheet.csv, line 9: A7 has no folder; fill in the column folder.",
      'sheet.csv, line 10: "left" is past the last column: name that column, or put quotation marks around text that contains a comma or semicolon.',
      'sheet.csv, line 11: "study.csv" is the name of something else in the study\'s folder; give the sample another.',
    ]);
    await expect(readSheet(sheet("sample,folder,platform", "A1,one,visium"))).rejects.toThrow(
      "sheet.csv lists one sample, but a study compares at least two",
    );
    const past = sheet("sample,note,condition", "A1,old, left,tumor");
    await expect(readDesignTable(past)).rejects.toThrow('sheet.csv, line 2: "tumor" is past the');
    const twins = sheet("sample,folder,platform,condition,Condition", "A1,one,visium,a,b");
    const refusal = "sheet.csv has two columns Condition: give each its own name, or remove one.";
    await expect(readSheet(twins)).rejects.toThrow(refusal);
    const design = await readDesignTable(twins);
    expect(() => columnOf(design, "condition")).toThrow(refusal);
    await expect(readSheet(sheet("name,folder", "A1,one"))).rejects.toThrow(
      "sheet.csv lacks the columns sample, platform",
    );
  });
});
