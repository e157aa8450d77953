import { expect, it } from "vitest";
import { distinctColor } from "@stipple/viewer/cells";
import { annotationTexts } from "./texts.ts";

const { entry } = annotationTexts.history;
const base = { revision: 1, at: "", author: "ada", undone: false, restored: null };
const item = (label: string, what: "added" | "changed" | "removed", kind = "note" as const) => ({
  kind,
  label,
  what,
});

it("says what a change did", () => {
  const one = { ...base, count: 1, items: [item("A fold", "added")] };
  expect(entry(one)).toBe("Added note “A fold”");
  expect(entry({ ...one, restored: "First" })).toBe("Restored version “First”");
  const name = { kind: "name" as const, label: "T cell", what: "changed" as const };
  expect(entry({ ...base, count: 1, items: [name] })).toBe("Renamed or recolored “T cell”");
  const many = { ...base, count: 5, items: [item("a", "removed"), item("b", "removed")] };
  expect(entry(many)).toBe("Removed note “a”, “b” and 3 more");
  expect(entry({ ...many, count: 2, items: [item("a", "removed"), item("b", "added")] })).toBe(
    "Changed “a”, “b”",
  );
});

it("finds a color unlike those there are", () => {
  const taken: string[] = [];
  for (let i = 0; i < 12; i++) taken.push(distinctColor(taken));
  expect(new Set(taken).size).toBe(12);
  for (const color of taken) expect(color).toMatch(/^#[0-9a-f]{6}$/);
});
