import { deflateSync } from "node:zlib";
import type { Annotation } from "@stipple/contract";
import { annotationFileText, annotationsInFile } from "@stipple/contract/annotation-file";
import { describe, expect, it } from "vitest";
import { annotateCells, keyOfCells } from "./annotate-cells.ts";

const XY = { nRows: 6, nCols: 2, data: Float32Array.from({ length: 12 }, (_, i) => i) };
const KEY = keyOfCells(XY);
const RESULT = {
  xy: XY,
  types: {
    groupOf: Int32Array.of(0, 0, 1, 1, 2, -1),
    groups: [
      { name: "T cell", color: "#000001" },
      { name: "B cell", color: "#000002" },
      { name: "Neuron", color: "#000003" },
    ],
  },
  clusters: { groupOf: Int32Array.of(0, 0, 0, 1, 1, 1), groups: [0, 1].map(cluster) },
  domains: null,
};

function cluster(number: number) {
  return { name: String(number), color: `#00001${number}` };
}
const bits = (...cells: number[]) =>
  deflateSync(Uint8Array.of(cells.reduce((sum, cell) => sum | (1 << cell), 0))).toString("base64");
const labels = (...groups: number[]) =>
  deflateSync(new Uint8Array(Uint16Array.from(groups).buffer)).toString("base64");

let made = 0;
function item(kind: Annotation["kind"], value: object): Annotation {
  const at = new Date(Date.UTC(2026, 0, 1) + 60_000 * made++).toISOString();
  return { id: `a${made}`, kind, value, author: "ada@example.org", at, revision: 1 } as Annotation;
}
const named = (group: string, label?: string, color?: string, of = "type") =>
  item("name", { of, group, ...(label && { label }), ...(color && { color }) });
const group = (name: string, cells: string, assigned: string | null, cellsKey = KEY) =>
  item("group", { name, color: "#0000aa", cells, assigned, cellsKey });

/** What the last step makes of a file with these annotations. */
function annotated(...items: Annotation[]) {
  const text = annotationFileText(items)!;
  const fail = (what: string): never => {
    throw new Error(`own.json ${what}`);
  };
  return annotateCells("own.json", annotationsInFile(text, fail), RESULT);
}

describe("annotations of cells", () => {
  it("rename, merge, and assign types as the view does, and leave computed ones as they are", () => {
    const { types } = annotated(
      named("T cell", "Lymphocyte"),
      named("B cell", "Lymphocyte", "#00bb00"),
      group("Odd", bits(4, 5), "Glia"),
      group("Odd", bits(5), "B cell"),
    );
    expect(types!.groups).toEqual([
      { name: "Lymphocyte", color: "#000001", count: 5 },
      { name: "Glia", color: "#0000aa", count: 1 },
    ]);
    // The last assignment counts; a renamed type takes its cells along, and one without cells is gone.
    expect([...types!.groupOf]).toEqual([0, 0, 0, 0, 1, 0]);
    expect([...RESULT.types.groupOf]).toEqual([0, 0, 1, 1, 2, -1]);
  });

  it("mean a new type by the name that it has, even where another one was called so before", () => {
    const { types } = annotated(
      group("One", bits(0), "Immune"),
      group("Two", bits(1), "Tumor"),
      group("Three", bits(2), "Immune"),
      named("Immune", "Myeloid"),
      named("Tumor", "Immune"),
    );
    const names = [...types!.groupOf].map((at) => types!.groups[at]?.name);
    expect(names).toEqual(["Myeloid", "Immune", "Immune", "B cell", "Neuron", undefined]);
  });

  it("take the color of the type whose name others got", () => {
    const { types } = annotated(named("T cell", "Neuron"));
    expect(types!.groups.map(({ name, color }) => [name, color])).toEqual([
      ["Neuron", "#000003"],
      ["B cell", "#000002"],
    ]);
  });

  it("hold groups, clusterings, and names of clusters", () => {
    const found = annotated(
      named("1", "Rim", undefined, "cluster"),
      group("Edge", bits(0, 5), null),
      item("clusters", {
        name: "Mine",
        settings: {},
        groups: ["A", "B", "A"].map((name, at) => ({ name, color: `#00002${at}` })),
        labels: labels(0, 1, 2, 65_535, 0, 9),
        cellsKey: KEY,
      }),
    );
    expect(found.types).toBeNull();
    expect(found.clusters!.groups.map(({ name }) => name)).toEqual(["0", "Rim"]);
    expect(found.groups.map(({ cells, count }) => [[...cells], count])).toEqual([
      [[1, 0, 0, 0, 0, 1], 2],
    ]);
    const [mine] = found.clusterings;
    expect([...mine.groups.groupOf]).toEqual([0, 1, 0, -1, 0, -1]);
    expect(mine.groups.groups.map(({ name, count }) => [name, count])).toEqual([
      ["A", 3],
      ["B", 1],
    ]);
    expect(found.leftOut).toBeNull();
  });

  it("that refer to cells of another result are left out in one sentence, and names stay", () => {
    const found = annotated(
      named("T cell", "Lymphocyte"),
      group("Edge", bits(0), null, "other"),
      group("Odd", bits(0), "Glia", "other"),
      item("note", { text: "Here", x: 1, y: 2 }),
    );
    expect(found.groups).toEqual([]);
    expect(found.types!.groups.map(({ name }) => name)).toEqual(["Lymphocyte", "B cell", "Neuron"]);
    expect(found.notes).toHaveLength(1);
    expect(found.leftOut).toBe(
      "Left out of the annotations in own.json: 2 groups, because they refer to cells of another result, and this one has other cells.",
    );
  });

  it.each([
    ["{", /^own\.json is not valid JSON: save the annotations again/],
    ["[]", /^own\.json is not a file of annotations/],
    [
      annotationFileText([named("T cell", "x".repeat(81))])!,
      /^own\.json has an annotation that cannot be read, number 1 \(name, label\)/,
    ],
  ])("are refused in one sentence: %s", (text, message) => {
    const read = () =>
      annotationsInFile(text, (what) => {
        throw new Error(`own.json ${what}`);
      });
    expect(read).toThrow(message);
  });

  it("whose cells cannot be read are refused by name", () => {
    const broken = () => annotated(group("Edge", "AAAA", null));
    expect(broken).toThrow(/^own\.json has a group, Edge, whose cells cannot be read/);
    const short = () =>
      annotated(group("Edge", deflateSync(new Uint8Array(0)).toString("base64"), null));
    expect(short).toThrow(/whose cells cannot be read/);
  });

  it("need a file only if there are some", () => {
    expect(annotationFileText([])).toBeNull();
  });
});
