import { expect, it } from "vitest";
import { parameterOption } from "./parameter-option.ts";

it("adds parameters, also nested ones, and takes the last of several for one", () => {
  const all = ["a.b=1", "a.c.d=x", "a.c.e=[2]", "f.g=true", "a.b.h=3"].reduce(
    (before, text) => parameterOption(text, before),
    {},
  );
  expect(all).toEqual({ a: { b: { h: 3 }, c: { d: "x", e: [2] } }, f: { g: true } });
});

it("changes nothing but parameters, whatever they are called", () => {
  const all = parameterOption("a.__proto__.resolution=5", {});
  expect(JSON.stringify(all)).toBe('{"a":{"__proto__":{"resolution":5}}}');
  expect({}).not.toHaveProperty("resolution");
});
