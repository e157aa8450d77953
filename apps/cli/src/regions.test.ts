import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Annotation } from "@stipple/contract";
import { annotationFileText } from "@stipple/contract/annotation-file";
import { readResult } from "@stipple/pipeline/results";
import { writeEditedNuclei } from "@stipple/pipeline/samples";
import { simulateTissue } from "@stipple/tissue";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rectangle } from "./testing/rectangle.ts";
import { runStipple, type CommandResult } from "./testing/run-stipple.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-regions-"));
const tissue = join(folder, "tissue");
const results = join(folder, "results");
/** Whole analyses of one tissue after another. */
const isLong = process.env["LONG_TESTS"] !== undefined;
/** The whole image, full-resolution pixels. */
const SIDE = 400;

function stipple(...more: string[]): Promise<CommandResult> {
  const args = "analyze --platform visium --threads 2 --set finalization.selfTest=false".split(" ");
  return runStipple([...args, "--input", tissue, "--out", results, ...more]);
}

async function geojson(name: string, ...features: object[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify({ type: "FeatureCollection", features }));
  return path;
}
async function cellTable(): Promise<Record<string, string>[]> {
  const path = join(results, "analysis_results/output/cell_metadata.csv");
  const [head, ...lines] = (await readFile(path, "utf8")).trim().split("\n");
  const names = head.split(",");
  return lines.map((line) =>
    Object.fromEntries(line.split(",").map((text, i) => [names[i], text])),
  );
}

describe("regions of an analysis", () => {
  beforeAll(() => simulateTissue({ out: tissue, seed: 3, sizeUm: 320, umPerPx: 0.8, nGenes: 220 }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("appear in the results, and a change of regions repeats only the last step", async () => {
    const left = rectangle("Left half", [0, 0, SIDE / 2, SIDE]);
    const run = await stipple("--regions", await geojson("halves.geojson", left));
    expect(run).toMatchObject({ code: 0, err: "" });
    const cells = await cellTable();
    expect(cells.length).toBeGreaterThan(50);
    const um = 0.8;
    for (const cell of cells) {
      const x = Number(cell["x"]);
      expect(cell["tissue_region"]).toBe(x < SIDE / 2 ? "Left half" : "");
      if (x > SIDE / 2) {
        expect(Number(cell["distance_to_Left_half_um"])).toBeCloseTo((x - SIDE / 2) * um, 0);
      } else expect(Number(cell["distance_to_Left_half_um"])).toBeLessThanOrEqual(0);
    }
    const composition = await readFile(
      join(results, "analysis_results/output/region_composition.csv"),
      "utf8",
    );
    const counted = composition.trim().split("\n").slice(1);
    expect(counted.reduce((sum, line) => sum + Number(line.split(",")[3]), 0)).toBe(
      cells.filter((cell) => cell["tissue_region"] !== "").length,
    );

    const report = await readFile(join(results, "analysis_results/output/report.html"), "utf8");
    expect(report).toMatch(/id="regions"[\s\S]*Left half/);

    const signed = { author: "member 2", at: "2026-02-03T04:05:06Z" };
    const right = rectangle("Right half", [SIDE / 2, 0, SIDE, SIDE], { signed });
    const note = { text: "A vessel", x: 10, y: 20 };
    const own = join(folder, "own.json");
    const items: Annotation[] = [
      { id: "n", kind: "note", value: note, revision: 1, author: null, at: "2026-01-02T03:04:05Z" },
    ];
    await writeFile(own, annotationFileText(items)!);
    const again = await stipple(
      ...["--start-step", "7", "--regions", await geojson("halves.geojson", left, right)],
      ...["--annotations", own],
    );
    expect(again).toMatchObject({ code: 0, err: "" });
    const page = await readFile(join(results, "analysis_results/output/report.html"), "utf8");
    expect(page).toMatch(/id="annotations"[\s\S]*A vessel/);
    const regions = /<section[^>]*id="regions"[\s\S]*?<\/section>/.exec(page)![0];
    expect(regions).toMatch(
      /Left half[\s\S]*unknown[\s\S]*Right half[\s\S]*member 2[\s\S]*2026-02-03 04:05/,
    );
    expect(again.out).not.toMatch(/Step 6/);
    const both = await cellTable();
    expect(new Set(both.map((cell) => cell["tissue_region"]))).toEqual(
      new Set(["Left half", "Right half"]),
    );
  });

  it.runIf(isLong)(
    "follow edited nuclei through the whole analysis: two deleted, all others kept",
    async () => {
      const before = await readResult(results, "nuclei/polygon");
      const edit = { removed: [0, 1], added: [] };
      const path = join(folder, "edited.geojson");
      const nuclei = before.offsets.length - 1;
      expect(await writeEditedNuclei(path, before, [edit])).toEqual({
        before: nuclei,
        after: nuclei - 2,
      });
      const given = ["--segmentation", path, "--set", "morphological-analysis.outlinesAre=nuclei"];
      const run = await stipple(...given);
      expect(run).toMatchObject({ code: 0, err: "" });
      expect(run.out).toContain("used as nuclei");
      expect((await readResult(results, "nuclei/polygon")).offsets).toHaveLength(nuclei - 1);
      expect(await cellTable()).toHaveLength(nuclei - 2);
    },
  );

  it.runIf(isLong)("that are kept alone have spots and cells", async () => {
    const left = rectangle("Piece", [0, 0, SIDE / 2, SIDE]);
    const run = await stipple("--crop", await geojson("piece.geojson", left));
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toMatch(/Kept: \d+ spots in a region of piece\.geojson\./);
    const cells = await cellTable();
    expect(cells.length).toBeGreaterThan(20);
    expect(Math.max(...cells.map((cell) => Number(cell["x"])))).toBeLessThan(SIDE / 2);
    const none = rectangle("Corner", [0, 0, 2, 2]);
    const empty = await stipple("--crop", await geojson("corner.geojson", none));
    expect(empty.code).toBe(1);
    expect(empty.err).toContain("No spot in tissue lies in the regions of corner.geojson");
  });

  it.runIf(isLong)("that are excluded have no spots and no cells", async () => {
    const top = rectangle("Fold", [0, 0, SIDE, SIDE / 2]);
    const run = await stipple("--exclude", await geojson("folds.geojson", top));
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toMatch(/Left out: \d+ spots in a region of folds\.geojson\./);
    const cells = await cellTable();
    expect(cells.length).toBeGreaterThan(20);
    expect(Math.min(...cells.map((cell) => Number(cell["y"])))).toBeGreaterThan(SIDE / 2);
    const all = rectangle("Everything", [0, 0, SIDE, SIDE]);
    const none = await stipple("--exclude", await geojson("all.geojson", all));
    expect(none.code).toBe(1);
    expect(none.err).toContain("The regions in all.geojson exclude every spot in tissue");
  });
});
