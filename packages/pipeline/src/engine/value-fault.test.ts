import { expect, it } from "vitest";
import * as z from "zod";
import { valueFault } from "./value-fault.ts";

it.each([
  [z.enum(["human", "mouse"]), "cat", "must be human or mouse"],
  [z.int().max(200), 201, "must be at most 200"],
  [z.int().max(200), 1.5, "must be a whole number"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.number().lt(1), 1, "must be less than 1"],
  [z.number(), "1", "must be a number"],
  [z.array(z.string()).min(1), [], "must have at least 1 entry"],
  [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 entries"],
  [z.string().max(3), "four", "must have at most 3 characters"],
  [z.string().min(1), "", "must have at least 1 character"],
  [z.tuple([z.number(), z.number()]), null, "must be a list"],
  [z.email(), "nobody", "is not valid"],
])("says what a value must be: %#", (schema, value, words) => {
  expect(valueFault(schema.safeParse(value).error?.issues[0])).toBe(words);
});
