import { existsSync, globSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./settings.ts";
import { FILES, SOURCES } from "./web-build.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** What the pages' sources import from outside their own folder: files, and packages that the browser gets. */
function imported(folder: string): string[] {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: ["**/*.test.ts"] });
  const places = files.flatMap((file) =>
    [...read(file).matchAll(/(?:from |\()"((?:\.\.?\/|@stipple\/)[^"]+)"/g)].map(([, name]) =>
      name.startsWith(".")
        ? normalize(join(file, "..", name))
        : name.replace(/^@stipple\/([^/]+).*/, "packages/$1/src/"),
    ),
  );
  return [...new Set(places)].filter((place) => !place.startsWith(`${folder}/`));
}

it("knows everything that the pages are made from", () => {
  const places = ["apps/web/src", "packages/viewer/src"].flatMap(imported);
  expect(places).toEqual(
    expect.arrayContaining(["docs/real.json", "docs/guide/*.md", "packages/numerics/src/"]),
  );
  const isKnown = (place: string): boolean =>
    FILES.includes(place) || SOURCES.some((source) => place.startsWith(`${source}/`));
  expect(places.filter((place) => !isKnown(place))).toEqual([]);
});

it("an image is built from all of it", () => {
  const [, stage = ""] = /AS pages\n([\s\S]*?)\nFROM/.exec(read("deploy/Dockerfile")) ?? [];
  const copied = [...stage.matchAll(/^COPY (\S+)/gm)].map(([, path]) => path);
  const included = [...read("deploy/Dockerfile.dockerignore").matchAll(/^!(\S+)/gm)].map(
    ([, p]) => p,
  );
  const isBelow = (path: string, folders: string[]): boolean =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const sent = included.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  const needed = [...SOURCES, ...FILES].filter((path) => path !== "package-lock.json");
  expect(needed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(needed.filter((path) => !isBelow(path, copied) || !isBelow(path, sent))).toEqual([]);
});
