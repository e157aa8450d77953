import { expect, it } from "vitest";
import { sharedTypes, type TypeNames } from "./shared-types.ts";

const none: TypeNames = new Map();
const type = (name: string, color: string, count: number) => ({ name, color, count });

it("gives the same name the same color in all sections, and no two names the same", () => {
  const { types, names } = sharedTypes([
    {
      types: [type("T cell", "#ff0000", 5), type("Unknown", "#cccccc", 90)],
      typeNames: none,
    },
    { types: [type("B cell", "#ff0000", 7), type("T cell", "#00ff00", 4)], typeNames: none },
  ]);
  expect(names).toEqual([
    ["T cell", "Unknown"],
    ["B cell", "T cell"],
  ]);
  expect(types.map(({ name, count }) => [name, count])).toEqual([
    ["T cell", 9],
    ["B cell", 7],
    ["Unknown", 90],
  ]);
  expect(types[0]!.color).toBe("#ff0000");
  expect(new Set(types.map(({ color }) => color)).size).toBe(3);
});

it("respects names and colors that people gave, before those of the analyses", () => {
  const renamed: TypeNames = new Map([["3", { name: "T cell", color: "#0000ff" }]]);
  const { types, names } = sharedTypes([
    { types: [type("T cell", "#ff0000", 5)], typeNames: none },
    { types: [type("3", "#ff0000", 2)], typeNames: renamed },
  ]);
  expect(names).toEqual([["T cell"], ["T cell"]]);
  expect(types).toEqual([{ name: "T cell", color: "#0000ff", count: 7 }]);
});
