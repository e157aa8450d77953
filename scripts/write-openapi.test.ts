import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openApi } from "./write-openapi.ts";

it("docs/openapi.json matches the contract (npm run openapi)", () => {
  const written = readFileSync(new URL("../docs/openapi.json", import.meta.url), "utf8");
  expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(openApi())));
});
