import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReferenceDescription } from "@stipple/contract/kept-reference";
import { simulateTissue } from "@stipple/tissue";
import { afterAll, describe, expect, it } from "vitest";
import { writeReference } from "../../../e2e/reference-file.ts";
import { referenceFile } from "./commands/reference-file.ts";
import { runStipple, type CommandResult } from "./testing/run-stipple.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-references-"));
const data = join(folder, "data");

function stipple(...args: string[]): Promise<CommandResult> {
  return runStipple(args, { ...process.env, STIPPLE_DATA_DIR: data });
}
const add = (file: string, ...options: string[]) =>
  stipple("reference", "add", file, "--labels", "cell_type", "--tissue", "Colon", ...options);

describe("stipple reference", () => {
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("keeps a condensed reference that a run uses by its name and records", async () => {
    const tissue = join(folder, "tissue");
    await simulateTissue({ out: tissue, seed: 3, sizeUm: 320, umPerPx: 0.8, nGenes: 220 });
    const file = join(folder, "all cells.h5ad");
    await writeReference(file, tissue);
    const added = await add(file, "--citation", "Doe 2020", "--license", "CC BY 4.0");
    expect(added).toMatchObject({ code: 0, err: "" });
    expect(added.out).toMatch(
      /^Kept all-cells: \d+ labels, \d+ human cells, \d+ genes, \d+ kB\.\n$/,
    );
    const stored = readdirSync(join(data, "files/references/shared")).map(
      (name) => statSync(join(data, "files/references/shared", name)).size,
    );
    expect(stored).toHaveLength(2);
    expect(Math.max(...stored)).toBeLessThan(300_000);

    const listed = await stipple("reference", "list");
    expect(listed.out).toMatch(/^intestine +all-cells +human .*all cells\.h5ad; Doe 2020$/m);
    const again = await add(file, "--name", "all-cells");
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(again.err).toContain("A reference all-cells is kept already");

    const results = join(folder, "results");
    const run = await stipple(
      ..."analyze --platform visium --threads 2 --reference all-cells".split(" "),
      ...["--input", tissue, "--out", results],
    );
    expect(run).toMatchObject({ code: 0, err: "" });
    const path = join(results, "analysis_results/output/provenance.json");
    const provenance = JSON.parse(await readFile(path, "utf8")) as {
      sample: { typing: { method: string; reference: { kept: ReferenceDescription } } };
    };
    const { method, reference } = provenance.sample.typing;
    expect(method).toBe("reference");
    expect(reference.kept).toMatchObject({
      name: "all-cells",
      tissue: "intestine",
      source: "all cells.h5ad",
      citation: "Doe 2020",
      license: "CC BY 4.0",
    });
    expect(reference.kept.sourceSha256).toMatch(/^[0-9a-f]{64}$/);

    const removed = await stipple("reference", "remove", "all-cells");
    expect(removed.out).toMatch(/^Removed all-cells\./);
    expect((await stipple("reference", "list")).out).not.toContain("all-cells");
  });

  it("lists built-in references, which cannot be removed or replaced", async () => {
    expect((await stipple("reference", "list")).out).toMatch(
      /^blood +blood-pbmc68k +human +10 +700 +built in +scanpy .*; Zheng et al\. 2017/m,
    );
    const removed = await stipple("reference", "remove", "blood-pbmc68k");
    expect(removed).toMatchObject({ code: 1, out: "" });
    expect(removed.err).toContain("blood-pbmc68k is part of this version and cannot be removed.");
    const added = await add(join(folder, "none.h5ad"), "--name", "blood-pbmc68k");
    expect(added.err).toContain("A reference blood-pbmc68k is built in: choose another --name.");
  });

  it("analyzes with a built-in reference without opening the storage", async () => {
    const given = await referenceFile("blood-pbmc68k");
    expect(readFileSync(given.path!).subarray(1, 4).toString()).toBe("HDF");
    await given[Symbol.asyncDispose]();
    expect(existsSync(given.path!)).toBe(true);
  });

  it.each([
    ["a missing file", "none.h5ad", [], "none.h5ad does not exist"],
    ["a table", "table.csv", [], "cannot be read as an h5ad file"],
    ["an address inside", "http://localhost:1/x.h5ad", [], "points inside"],
    ["an unusable name", "table.csv", ["--name", "a/b"], "The name a/b cannot be used"],
  ])("refuses %s with one sentence", async (_, name, options, sentence) => {
    const path = join(folder, name);
    await writeFile(join(folder, "table.csv"), "cell,label\n");
    const { code, out, err } = await add(name.includes("://") ? name : path, ...options);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(sentence);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });

  it("says which references are kept when an analysis names another", async () => {
    const { code, err } = await stipple(
      ..."analyze --platform visium --reference atlas".split(" "),
      ...["--input", folder, "--out", join(folder, "no-results")],
    );
    expect(code).toBe(1);
    expect(err).toBe(
      "There is no reference atlas: choose one of blood-pbmc68k, or add one with stipple reference add.\n",
    );
  });
});
