import { expect, it } from "vitest";
import { parseColor } from "../figures/palette.ts";
import { ciede2000, labSeenBy, VISIONS, type Lab } from "../figures/testing/color-vision.ts";
import { cellOntologyTerm } from "./cell-ontology.ts";
import { coarserNames } from "./coarser-names.ts";
import { ANY_EPITHELIUM, MARKER_SETS } from "./index.ts";
import { typeColor, typeColors, UNKNOWN_COLOR } from "./type-colors.ts";
import { TYPE_TABLE } from "./type-table.ts";

/** Tissues of every name that the analysis may give; coarser names occur everywhere. */
const tissuesOf = new Map<string, ReadonlySet<string>>();
for (const { name, lineage, tissues } of [...MARKER_SETS, ANY_EPITHELIUM]) {
  tissuesOf.set(name, new Set(tissues));
  for (const wider of coarserNames(name, lineage)) {
    if (!tissuesOf.has(wider)) tissuesOf.set(wider, new Set(["any"]));
  }
}

/** Whether two types can occur in one sample. */
function meet(a: string, b: string): boolean {
  const [one, other] = [tissuesOf.get(a)!, tissuesOf.get(b)!];
  return one.has("any") || other.has("any") || [...one].some((tissue) => other.has(tissue));
}

const seen = (color: string): Lab[] =>
  VISIONS.map((vision) => labSeenBy(vision, parseColor(color)));
const usual = (a: readonly Lab[], b: readonly Lab[]): number => ciede2000(a[0], b[0]);
const anyVision = (a: readonly Lab[], b: readonly Lab[]): number =>
  Math.min(...VISIONS.map((_, vision) => ciede2000(a[vision], b[vision])));

/** A color for a type that has none: as far as possible from those of the types it meets. */
function suggested(name: string): string {
  const others = [...tissuesOf.keys()]
    .filter((other) => typeColor(other) !== null && meet(name, other))
    .map((other) => seen(typeColor(other)!));
  const steps = [0, 51, 102, 153, 204, 255];
  const candidates = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => [r, g, b])));
  const ranked = candidates
    .map((rgb) => `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`)
    .map((color) => {
      const labs = seen(color);
      const apart = Math.min(...others.map((other) => usual(labs, other)));
      return { color, apart: labs[0][0] < 25 || labs[0][0] > 90 ? 0 : apart };
    });
  return ranked.reduce((best, one) => (one.apart > best.apart ? one : best)).color.toUpperCase();
}

it("gives every type of the catalog a color", () => {
  const without = [...tissuesOf.keys()].filter((name) => typeColor(name) === null);
  const lines = without.map((name) => `${name}: ${suggested(name)}`);
  expect(lines, "Add these to type-table.ts").toEqual([]);
});

it("keeps types apart that can occur in one sample, and any two types distinct", () => {
  const labs = new Map([...tissuesOf.keys()].map((name) => [name, seen(typeColor(name)!)]));
  const names = [...labs.keys()];
  const close = names.flatMap((a, at) =>
    names
      .slice(0, at)
      .filter((b) => usual(labs.get(a)!, labs.get(b)!) < (meet(a, b) ? 7 : 3))
      .map((b) => `${a} and ${b}`),
  );
  expect(close).toEqual([]);
  const missing = seen(UNKNOWN_COLOR);
  expect(names.filter((name) => usual(labs.get(name)!, missing) < 7)).toEqual([]);
});

it("keeps the most common types apart for color-blind readers, too", () => {
  const common = new Set(
    Object.values(TYPE_TABLE)
      .slice(0, 16)
      .map(([color]) => color),
  );
  const names = [...tissuesOf.keys()].filter((name) => common.has(typeColor(name)!));
  expect(names.length).toBe(16);
  const closest = names.flatMap((a, at) =>
    names
      .slice(0, at)
      .filter((b) => meet(a, b))
      .map((b) => anyVision(seen(typeColor(a)!), seen(typeColor(b)!))),
  );
  expect(Math.min(...closest)).toBeGreaterThan(8);
});

it("colors a type alike in every project, whatever it is called and however frequent it is", () => {
  const one = typeColors(["T cell", "Fibroblast", "Unknown"]);
  const other = typeColors(["fibroblasts", "Hepatocyte", "T cells"]);
  expect(one).toEqual([other[2], other[0], UNKNOWN_COLOR]);
  // The ontology's label, as in references.
  expect(typeColor("endothelial cell")).toBe(typeColor("Endothelial"));
  // Subtypes of one class differ.
  const { id } = cellOntologyTerm("PVALB interneuron")!;
  expect(cellOntologyTerm("SST interneuron")!.id).toBe(id);
  expect(typeColor("SST interneuron")).not.toBe(typeColor("PVALB interneuron"));
  expect(typeColor("constructor")).toBeNull();
});

it("gives labels of a user's reference colors by their letters, no two alike", () => {
  const labels = Array.from({ length: 60 }, (_, at) => `cluster ${at}`);
  const colors = typeColors(labels);
  expect(new Set(colors).size).toBe(60);
  expect(colors.every((color) => /^#[0-9A-F]{6}$/.test(color))).toBe(true);
  expect(typeColors([...labels].reverse())).toEqual([...colors].reverse());
  const few = typeColors(["cluster 1", "T cell"]);
  expect(typeColors(["Neuron", "cluster 1"])[1]).toBe(few[0]);
  expect(new Set(typeColors(Array.from({ length: 400 }, (_, at) => `x${at}`))).size).toBe(400);
});
