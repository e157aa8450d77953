import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "..");
const files = globSync(
  ["*.md", "docs/**/*.md", "{apps,deploy,e2e,lab,packages,scripts}/**/*.{md,ts,tsx,yaml}"],
  { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist)(\/|$)/.test(name) },
);
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const documents = files.filter((name) => name.endsWith(".md"));
const recordsIn = (folder: string): string[] =>
  documents.filter((name) => dirname(name) === folder && /^\d{4}-/.test(basename(name)));
const inForce = recordsIn("docs/decisions");
const earlier = recordsIn("docs/notebook/decisions");

/** Anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Links of a document to files of the repository that lead nowhere. */
function brokenLinks(name: string): string[] {
  const text = read(name).replaceAll(/```[\s\S]*?```/g, "");
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link]) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path, anchor] = link.split("#") as [string, string?];
    const target = path === "" ? name : normalize(join(dirname(name), path));
    const leads =
      existsSync(join(root, target)) &&
      (anchor === undefined || !target.endsWith(".md") || anchorsOf(read(target)).has(anchor));
    return leads ? [] : [`${name}: ${link}`];
  });
}

it("links in documents lead somewhere", () => {
  // The help pages link to routes of the pages; apps/web/guide.test.ts checks them.
  const checked = documents.filter((name) => !name.startsWith("docs/guide/"));
  expect(checked.length).toBeGreaterThan(50);
  expect(checked.flatMap(brokenLinks)).toEqual([]);
});

it("decisions that code and documents name exist", () => {
  const numbers = new Set(
    [...inForce, ...earlier].map((name) => Number(basename(name).slice(0, 4))),
  );
  const named = files
    .filter((name) => /\.(ts|tsx|md|yaml)$/.test(name) && name !== "scripts/docs.test.ts")
    .flatMap((name) =>
      [
        ...read(name).matchAll(
          /\b(docs\/(?:notebook\/)?decisions)\/(\d{4})|\b[Dd]ecision (\d+)\b/g,
        ),
      ].map(([, folder, path, number]) => ({ name, folder, path, number: Number(path ?? number) })),
    );
  expect(named.length).toBeGreaterThan(20);
  expect(
    named.filter(
      ({ folder, path, number }) =>
        !numbers.has(number) ||
        (folder !== undefined &&
          ![...inForce, ...earlier].some((record) => record.startsWith(`${folder}/${path}-`))),
    ),
  ).toEqual([]);
});

it("values of the chart that documents and files name exist", () => {
  const values = parse(read("deploy/helm/stipple/values.yaml")) as Record<string, object>;
  const named = globSync("deploy/**/*.{md,yaml}", { cwd: root, exclude: ["**/templates/**"] })
    .flatMap((file) => [
      ...read(file).matchAll(/\b([a-z][A-Za-z]+)\.(?!md|yaml)([a-z][A-Za-z]+)\b/g),
    ])
    .filter(([, part]) => Object.hasOwn(values, part) && typeof values[part] === "object");
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(([, part, name]) => !Object.hasOwn(values[part], name))).toEqual([]);
});

const words = (name: string): number => read(name).split(/\s+/).filter(Boolean).length;

it("documents stay short: 45,000 words outside the notebook", () => {
  const kept = documents.filter(
    (name) => name.startsWith("docs/") && !name.startsWith("docs/notebook/"),
  );
  expect(kept.reduce((sum, name) => sum + words(name), 0)).toBeLessThanOrEqual(45_000);
  // The model of expression has the longest description.
  const steps = kept.filter((name) => /methods\/[0-35-7]-/.test(name));
  expect(steps).toHaveLength(7);
  expect(steps.filter((name) => words(name) > 1_500)).toEqual([]);
});

it("at most 35 decisions are in force, each half a page with its status", () => {
  expect(inForce.length).toBeLessThanOrEqual(35);
  expect(inForce.filter((name) => words(name) > 260)).toEqual([]);
  expect(inForce.filter((name) => !/\n\nStatus: in force\./.test(read(name)))).toEqual([]);
  expect(earlier.filter((name) => !/^# .+\n\n> History: /.test(read(name)))).toEqual([]);
});

it("both lists of decisions name every record", () => {
  for (const records of [inForce, earlier]) {
    const list = read(join(dirname(records[0]), "README.md"));
    expect(records.filter((name) => !list.includes(`](${basename(name)})`))).toEqual([]);
  }
});
