import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guidePage } from "./guide.ts";
import { GLOSSARY_SECTIONS, HELP_PAGES } from "./src/components/help-texts.ts";

const FOLDER = join(import.meta.dirname, "../../docs/guide");
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".md"))
  .map((file) => file.replace(".md", ""));
const texts = new Map(
  names.map((name) => [name, readFileSync(join(FOLDER, `${name}.md`), "utf8")]),
);
const pages = new Map([...texts].map(([name, text]) => [name, guidePage(text)]));
const hasSection = (name: string, id: string) => pages.get(name)!.html.includes(`<h2 id="${id}">`);

it("has a help page for every file of the guide, under its title", () => {
  expect(names.sort()).toEqual(Object.keys(HELP_PAGES).sort());
  for (const [name, title] of Object.entries(HELP_PAGES))
    expect(texts.get(name)!.split("\n")[0]).toBe(`# ${title}`);
});

it("explains every word that a page asks about", () => {
  expect(GLOSSARY_SECTIONS.filter((section) => !hasSection("glossary", section))).toEqual([]);
});

it("has no link to a page or section that does not exist", () => {
  const broken: string[] = [];
  for (const [name, { lead, html }] of pages) {
    for (const [, href] of (lead + html).matchAll(/href="([^"]*)"/g)) {
      const [path, section] = href!.split("#");
      const page = path!.replace("/help/", "");
      const isKnown = pages.has(page) && (!section || hasSection(page, section));
      if (!isKnown && !href!.startsWith("https://")) broken.push(`${name}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
});

it("every page is linked from where its question arises", () => {
  const code = globSync("src/**/*.tsx", { cwd: import.meta.dirname })
    .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))
    .join("");
  expect(names.filter((name) => !new RegExp(`page ?= ?"${name}"`).test(code))).toEqual([]);
});

it("converts headings, links, tables, and code, and escapes what looks like HTML", () => {
  const page = guidePage(
    "# A\n\nLead.\n\n## log₂ fold change\n\n[x](steps.md#step-0) a < b & `<i>`\n\n| a | b |\n| - | - |\n| 1 | **2** |\n",
  );
  expect(page.lead).toContain("<p>Lead.</p>");
  expect(page.html).toContain(`<h2 id="log₂-fold-change">log₂ fold change</h2>`);
  expect(page.html).toContain(
    `<a href="/help/steps#step-0">x</a> a &lt; b &amp; <code>&lt;i&gt;</code>`,
  );
  expect(page.html).toContain("<td><strong>2</strong></td>");
  expect(() => guidePage("No heading")).toThrow("begins with a heading");
});
