import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { FiledAnnotation } from "@stipple/contract/annotation-file";
import { Random } from "@stipple/numerics/random";
import { expect, it } from "vitest";
import { keyOfCells } from "../annotations/annotate-cells.ts";
import { readResult } from "../store/results-folder.ts";
import { writeSimulatedResults } from "../store/testing/simulated-results.ts";
import { compareSamples, type StudiedSample } from "./compare-samples.ts";
import { shownComparison } from "./shown-comparison.ts";
import { sumSample, type SampleSums } from "./sum-sample.ts";
import { comparisonFiles, writeComparison } from "./write-comparison.ts";

const N_GENES = 60;

/** Two types; in tumors, the first gene of T cells is eight times as high, and there are more T cells. */
function sums(random: Random, isTumor: boolean): SampleSums {
  const type = (name: string, nCells: number, first: number): SampleSums["types"][number] => ({
    ...{ name, nCells },
    counts: Float64Array.from({ length: N_GENES }, (_, g) =>
      Math.round((g === 0 ? first : 100) * (0.9 + 0.2 * random.uniform())),
    ),
  });
  const id = Array.from({ length: N_GENES }, (_, g) => `G${g}`);
  return {
    ...{ species: "human", spatial: null, corrected: false, outdated: false },
    genes: { id, name: id.map((gene) => gene.toLowerCase()) },
    types: [
      type("T cell", isTumor ? 400 : 200, isTumor ? 800 : 100),
      type("B cell", 300 + Math.floor(10 * random.uniform()), 100),
      type("Rare", 3, 1),
    ],
  };
}

function samples(): StudiedSample[] {
  const random = new Random(3);
  return ["normal", "normal", "normal", "tumor", "tumor", "tumor"].map((condition, i) => ({
    ...{ name: `S${i}`, condition, patient: `P${i}`, batch: "" },
    sums: sums(random, condition === "tumor"),
  }));
}

it("says on the page as in the report that a type with many cells has too few counts", () => {
  const all = samples();
  for (const { sums } of all)
    sums.types.push({ ...sums.types[0], name: "Dim", counts: new Float64Array(N_GENES) });
  const { expression } = shownComparison(compareSamples(all, null));
  expect(expression.find(({ type }) => type === "Dim")).toMatchObject({
    ...{ refusal: "Too few counts to compare any gene.", units: 6, genes: 0 },
  });
});

it("finds what differs between conditions, and writes it down", async () => {
  const comparison = compareSamples(samples(), null);
  expect(comparison.groups).toEqual(["normal", "tumor"]);
  const share = comparison.composition.find(({ type }) => type === "T cell")!;
  expect(share.p).toBeLessThan(0.01);
  expect(Math.exp(share.logOdds)).toBeCloseTo(2, 0);
  const [b, rare, t, all] = comparison.expression;
  expect(rare).toEqual({
    type: "Rare",
    refusal: expect.stringMatching(/^Only units with at least 10 cells count\. No patient has/),
  });
  if (!b || !t || "refusal" in t || "refusal" in b) throw new Error("types were refused");
  const found = t.genes.filter(({ fdr }) => fdr < 0.05);
  expect(found.map(({ gene }) => comparison.genes.name[gene])).toEqual(["g0"]);
  expect(found[0].logFold).toBeCloseTo(3, 0);
  expect(b.genes.filter(({ fdr }) => fdr < 0.05)).toEqual([]);
  if (!all || "refusal" in all) throw new Error("all cells were refused");
  expect(all.type).toBe("All cells");
  expect(all.counts.map((counts) => counts[0])).toEqual(
    samples().map(({ sums }) => sums.types.reduce((sum, { counts }) => sum + counts[0], 0)),
  );

  const files = new Map([...comparisonFiles(comparison)].map(({ name, text }) => [name, text]));
  expect([...files.keys()].sort()).toEqual(
    [
      ...["cells.csv", "composition.csv", "de_All_cells.csv", "de_B_cell.csv", "de_T_cell.csv"],
      ...["pseudobulk_All_cells.csv", "pseudobulk_B_cell.csv", "pseudobulk_T_cell.csv"],
      ...["repeat.R", "report.html", "units.csv"],
    ].sort(),
  );
  expect(files.get("de_T_cell.csv")!.split("\n")[1]).toMatch(/^G0,g0,[23]\./);

  const folder = await mkdtemp(join(tmpdir(), "stipple-comparison-"));
  const earlier = ["de_Gone.csv", "pseudobulk_Gone.csv", "space_patterns.csv", "de_mine.csv"];
  for (const name of earlier) await writeFile(join(folder, name), "");
  await writeComparison(folder, comparison);
  expect((await readdir(folder)).sort()).toEqual([...files.keys(), "de_mine.csv"].sort());
  await rm(folder, { recursive: true });
  // The script of reports puts its button into the header.
  expect(files.get("report.html")).toContain("<header>");
  expect(files.get("report.html")).toContain("1 gene of a type differs at");
  expect(files.get("units.csv")!.split("\n")[1]).toBe("U1,normal,P0,,S0,1");
});

it("tells a type called All cells from all cells together", () => {
  const given = samples();
  for (const { sums } of given) sums.types[0].name = "All cells";
  const { expression } = compareSamples(given, null);
  expect(expression.map(({ type }) => type)).toEqual([
    ...["All cells", "B cell", "Rare", "All cells together"],
  ]);
  const [own] = expression;
  if (!own || "refusal" in own) throw new Error("the type was refused");
  expect(own.counts.map((counts) => counts[0])).toEqual(
    given.map(({ sums }) => sums.types[0].counts[0]),
  );
});

it("says whose types were corrected, and where corrections are of cells of an earlier analysis", () => {
  const given = samples();
  given[0].sums.corrected = true;
  for (const at of [0, 3]) given[at].sums.outdated = true;
  expect(compareSamples(given, null).notes).toEqual([
    "Types are as the annotations of S0 name and assign them; spatial statistics are of the computed types.",
    "Types that were assigned in earlier analyses of S0, S3 are left out, because the cells are others now.",
  ]);
});

it("says which values of the design are written almost alike", () => {
  const given = samples();
  given.push({ ...given[5], name: "S6", patient: "P6" });
  given[3].condition = "Tumor";
  given[4].patient = "p 3";
  const groups = ["normal", "tumor"] as const;
  const conditions =
    'The conditions "Tumor" and "tumor" differ only in case or spaces and count as 2: if they are one, write them alike.';
  const patients =
    'The patients "P3" and "p 3" differ only in case or spaces and count as 2: if they are one, write them alike.';
  expect(() => compareSamples(given, null)).toThrow(`choose the two to compare. ${conditions}`);
  const { notes } = compareSamples(given, groups);
  expect(notes.slice(0, 3)).toEqual([
    "Left out, as they have neither condition: S3.",
    ...[conditions, patients],
  ]);
  expect(() => compareSamples(given.slice(0, 5), groups)).toThrow(
    `but a comparison needs at least two patients in each group: add samples. ${conditions}`,
  );
});

/** The files of the comparison of changed samples, by name. */
function filesOf(change: (sample: StudiedSample) => void): Map<string, string> {
  const given = samples();
  given.forEach(change);
  const files = comparisonFiles(compareSamples(given, null));
  return new Map(Array.from(files, ({ name, text }) => [name, text] as const));
}

it("writes all digits of counts", () => {
  const files = filesOf(({ sums }) => (sums.types[0].counts[0] = 12_345_678));
  expect(files.get("pseudobulk_T_cell.csv")!.split("\n")[1]).toMatch(/^G0,g0,12345678,/);
});

it("gives types whose names differ only in signs files of their own", () => {
  const files = filesOf(({ sums }) => {
    sums.types[0].name = "T cell (CD8)";
    sums.types[1].name = "T cell, CD8";
  });
  const [one, other] = ["pseudobulk_T_cell_CD8.csv", "pseudobulk_T_cell_CD8_2.csv"];
  expect(files.get(one)).not.toEqual(files.get(other) ?? files.get(one));
  expect(files.get("repeat.R")).toContain('compare("T_cell_CD8_2", ~ condition)');
});

it("writes R code that knows conditions which tables write with an apostrophe", () => {
  const files = filesOf((sample) => {
    sample.condition = sample.condition === "tumor" ? "-/-" : "+/+";
  });
  expect(files.get("units.csv")!.split("\n")[1]).toBe("U1,'+/+,P0,,S0,1");
  const script = files.get("repeat.R")!;
  expect(script).toContain('levels = c("+/+", "-/-")');
  expect(script).toContain(String.raw`sub("^'('*[=+@-])", "\\1", values)`);
});

it("sums samples of the same patient and condition into one unit", () => {
  const given = samples();
  given[1].patient = "P0";
  given.push({ ...given[0], name: "S6", patient: "P6" });
  const { units } = compareSamples(given, null);
  expect(units[0]).toMatchObject({ patient: "P0", samples: ["S0", "S1"] });
  given[1].batch = "second";
  expect(() => compareSamples(given, null)).toThrow(
    'The "normal" samples S0 and S1 of patient P0 are in two batches',
  );
});

it("pairs no sample without a patient by its name", () => {
  const given = samples();
  given[4] = { ...given[4], name: "P0", patient: "" };
  expect(() => compareSamples(given, null)).toThrow(
    "The sample P0 has no patient, but P0 is the patient of another sample: fill in its patient",
  );
});

it("draws no conclusions from copies of a sample", () => {
  const [normal, , , tumor] = samples();
  const copies = [normal, normal, tumor, tumor].map((one, i) => ({
    ...one,
    ...{ name: `S${i}`, patient: `P${i}` },
  }));
  const { composition, expression, notes } = compareSamples(copies, null);
  const t = expression.find(({ type }) => type === "T cell")!;
  if ("refusal" in t) throw new Error("The type was refused.");
  expect(t.genes[0].logFold).toBeCloseTo(3, 0);
  for (const { p, fdr, low } of [...composition, ...t.genes]) {
    expect([p, fdr, low]).toEqual([NaN, NaN, NaN]);
  }
  expect(notes).toEqual([
    expect.stringMatching(/^S0, S1 have the same cells with the same counts: copies/),
    expect.stringMatching(/^S2, S3 have the same cells/),
  ]);
});

it("compares the genes that all samples have, and says how many are left out", () => {
  const [first, ...others] = samples();
  const { id, name } = first.sums.genes;
  const other = { id: [...id.slice(0, -2), "H1"], name: [...name.slice(0, -2), "H1"] };
  const types = first.sums.types.map((type) => ({ ...type, counts: type.counts.slice(0, -1) }));
  const fewer = { ...first, sums: { ...first.sums, genes: other, types } };
  const { genes, notes } = compareSamples([fewer, ...others], null);
  expect(genes.id).toEqual(id.slice(0, -2));
  expect(notes).toContain(`3 of ${id.length + 1} genes are not in all samples and are left out.`);
});

it("says in a sentence what cannot be compared", () => {
  const [first, ...others] = samples();
  expect(() => compareSamples([first], null)).toThrow("A study compares at least two samples");
  const with2 = (sums: Partial<SampleSums>): StudiedSample[] => [
    { ...first, sums: { ...first.sums, ...sums } },
    ...others,
  ];
  expect(() => compareSamples(with2({ species: "mouse" }), null)).toThrow(
    "S0 is mouse and S1 is human: compare samples of one species.",
  );
  expect(() => compareSamples(with2({ types: [] }), null, "Core")).toThrow(
    'S0 has no cells in its region "Core": draw it around cells',
  );
  const id = Array.from({ length: N_GENES }, (_, g) => `H${g}`);
  expect(() => compareSamples(with2({ genes: { id, name: id } }), null)).toThrow(
    "S0 and S1 share 0 of 60 genes: compare samples measured with the same genes.",
  );
  const third = [{ ...first, condition: "metastasis" }, ...others];
  expect(() => compareSamples(third, null)).toThrow("The samples have 3 conditions");
  expect(() => compareSamples(third, ["normal", "benign"])).toThrow(
    "are not two of the conditions",
  );
  expect(() =>
    compareSamples(
      [first, ...others].map((one) => ({ ...one, condition: "" })),
      null,
    ),
  ).toThrow("the samples have none");
});

it("sums observed counts by type from stored results", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stipple-sums-"));
  try {
    const { results } = await writeSimulatedResults(folder, { cells: 300, spots: 60, genes: 40 });
    const { types } = await sumSample(results);
    const counts = await readResult(results, "cells/counts");
    const typeOf = await readResult(results, "cells/cell_type");
    const names = await readResult(results, "types/name");
    for (const { name, nCells, counts: sum } of types) {
      const wanted = new Float64Array(40);
      let n = 0;
      typeOf.forEach((type, cell) => {
        if (names[type] !== name) return;
        n++;
        for (let i = counts.indptr[cell]; i < counts.indptr[cell + 1]; i++) {
          wanted[counts.indices[i]] += counts.data[i];
        }
      });
      expect(nCells).toBe(n);
      expect(sum).toEqual(wanted);
    }
    expect(types.reduce((sum, { nCells }) => sum + nCells, 0)).toBe(300);

    // A triangle with a hole, and what lies in it by the areas of triangles.
    const xy = await readResult(results, "cells/xy");
    const [outer, hole] = [
      [0, 0, 4000, 0, 0, 4000],
      [500, 500, 1500, 500, 500, 1500],
    ];
    const inside = Array.from({ length: xy.nRows }, (_, cell) => {
      const at = [xy.data[2 * cell], xy.data[2 * cell + 1]] as const;
      return isInTriangle(outer, at) && !isInTriangle(hole, at);
    });
    const number = inside.filter(Boolean).length;
    expect(number).toBeGreaterThan(10);
    expect(number).toBeLessThan(290);
    const part = await sumSample(results, {
      within: [[Float64Array.from(outer), Float64Array.from(hole)]],
    });
    expect(part.types.reduce((sum, { nCells }) => sum + nCells, 0)).toBe(number);
    const umis = inside.map((isIn, cell) =>
      isIn
        ? counts.data
            .slice(counts.indptr[cell], counts.indptr[cell + 1])
            .reduce((sum, count) => sum + count, 0)
        : 0,
    );
    expect(part.types.flatMap((type) => [...type.counts]).reduce((sum, n) => sum + n, 0)).toBe(
      umis.reduce((sum, n) => sum + n, 0),
    );
    expect(part.spatial).toBeNull();

    // People renamed a type, and say that the first eight cells are of another one.
    const bits = Uint8Array.from({ length: Math.ceil(xy.nRows / 8) }, (_, i) =>
      i === 0 ? 255 : 0,
    );
    const said = (kind: "name" | "group", value: object): FiledAnnotation =>
      ({ ...{ id: kind, kind, value, revision: 1 }, author: null, at: "" }) as FiledAnnotation;
    const assigned = (cellsKey: string) =>
      said("group", {
        ...{ name: "Odd", color: "#000000", assigned: "Odd", cellsKey },
        cells: deflateSync(bits).toString("base64"),
      });
    const { name: first, nCells } = types[0];
    const renamed = said("name", { of: "type", group: first, label: "Renamed" });
    const own = await sumSample(results, { annotations: [renamed, assigned(keyOfCells(xy))] });
    const moved = typeOf.slice(0, 8).filter((type) => names[type] === first).length;
    const cells = new Map(own.types.map((type) => [type.name, type.nCells]));
    expect(own).toMatchObject({ corrected: true, outdated: false });
    expect([cells.get("Renamed"), cells.get("Odd")]).toEqual([nCells - moved, 8]);
    const total = (of: typeof types) => of.flatMap(({ counts: one }) => [...one]);
    expect(total(own.types).reduce((sum, n) => sum + n)).toBe(
      total(types).reduce((sum, n) => sum + n),
    );
    const colored = said("name", { of: "type", group: first, color: "#00ff00" });
    const other = await sumSample(results, { annotations: [assigned("other"), colored] });
    expect(other).toMatchObject({ corrected: false, outdated: true, types });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Whether a point is on the same side of all three edges. */
function isInTriangle(
  [ax, ay, bx, by, cx, cy]: readonly number[],
  [x, y]: readonly [number, number],
): boolean {
  const side = (px: number, py: number, qx: number, qy: number): boolean =>
    (qx - px) * (y - py) - (qy - py) * (x - px) > 0;
  const first = side(ax, ay, bx, by);
  return first === side(bx, by, cx, cy) && first === side(cx, cy, ax, ay);
}
