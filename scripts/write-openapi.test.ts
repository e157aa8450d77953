import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openApi } from "./write-openapi.ts";

interface Operation {
  parameters: { name: string; in: string }[];
  requestBody?: { required: boolean };
}

it("docs/openapi.json matches the contract (npm run openapi)", () => {
  const written = readFileSync(new URL("../docs/openapi.json", import.meta.url), "utf8");
  expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(openApi())));
});

it("declares every part of a path, and which calls need a body", () => {
  const paths = openApi()["paths"] as Record<string, Record<string, Operation>>;
  for (const [path, operations] of Object.entries(paths)) {
    const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(operations)) {
      const declared = parameters.filter((one) => one.in === "path").map(({ name }) => name);
      expect(declared, path).toEqual(parts);
    }
  }
  const needed = (path: string) => paths[path]!["post"]!.requestBody?.required;
  expect(needed("/api/login")).toBe(true);
  expect(needed("/api/upload/{group}")).toBe(true);
  expect(needed("/api/cancel-subscription")).toBe(false);
  expect(needed("/api/logout")).toBeUndefined();
});
