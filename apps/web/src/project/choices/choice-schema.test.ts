import { expect, it } from "vitest";
import { choicesOf, labelOf, valueAt, withValue, type ChoiceSchema } from "./choice-schema.ts";

const schema: ChoiceSchema = {
  properties: {
    maxExpansionUm: { type: "number", default: 6, minimum: 0, maximum: 20 },
    beta: { anyOf: [{ type: "number", maximum: 0.9 }, { type: "null" }], default: null },
    nuclei: {
      properties: {
        size: { enum: ["small", "large"], default: "small" },
        network: { properties: { minVotes: { type: "number", default: 6 } } },
        thresholds: { type: "array" },
      },
    },
  },
};

it("lists single values, including nested ones, but no lists", () => {
  expect(choicesOf(schema).map(({ path }) => path.join("."))).toEqual([
    "maxExpansionUm",
    "beta",
    "nuclei.size",
    "nuclei.network.minVotes",
  ]);
  expect(choicesOf(schema)[1]?.schema).toMatchObject({ type: "number", maximum: 0.9 });
});

it("names them in words", () => {
  expect(choicesOf(schema).map(({ path }) => labelOf(path))).toEqual([
    "Max expansion (µm)",
    "Beta",
    "Size",
    "Network: min votes",
  ]);
});

it("sets and unsets values, leaving no empty groups", () => {
  const path = ["nuclei", "network", "minVotes"];
  const set = withValue({ beta: 0.3 }, path, 9);
  expect(set).toEqual({ beta: 0.3, nuclei: { network: { minVotes: 9 } } });
  expect(valueAt(set, path)).toBe(9);
  expect(withValue(set, path, undefined)).toEqual({ beta: 0.3 });
});
