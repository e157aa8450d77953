/**
 * What every rule of steps 4 and 5 is worth: each is taken out in turn (`ablations/rules.ts`) on tissues that did not
 * choose it, and the change of rates and names is compared with the spread between seeds.
 *   npm run bench:ablations -- [--only RULES] [--tissues NAMES] [--seeds 0,1] [--all-seeds 0,1,2,3] [--work DIR] [--write]
 * --only and --tissues take parts of names, separated by semicolons. The model with all rules is measured with
 * --all-seeds, and without each rule with --seeds. Figures are kept in WORK/figures.json, so that an interrupted run goes
 * on. --write puts the table into docs/notebook/ablations.md. About half a minute a rule and seed.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { format } from "prettier";
import { ablationTable, type Measured } from "./ablations/table.ts";
import { RULES } from "./ablations/rules.ts";
import { TISSUES } from "./ablations/tissues.ts";

/** Heading of what follows the tables. */
const MEANING = "## What follows";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    tissues: { type: "string", default: "" },
    seeds: { type: "string", default: "0" },
    "all-seeds": { type: "string", default: "0,1,2,3" },
    work: { type: "string", default: join(tmpdir(), "stipple-ablations") },
    write: { type: "boolean", default: false },
  },
});
await mkdir(values.work, { recursive: true });
const kept = join(values.work, "figures.json");
const measured: Measured = existsSync(kept)
  ? (JSON.parse(readFileSync(kept, "utf8")) as Measured)
  : {};
const chosen = TISSUES.filter(({ name }) => partsOf(values.tissues).some((p) => name.includes(p)));
const rules = RULES.filter(({ name }) => partsOf(values.only).some((part) => name.includes(part)));
// One tissue is prepared at a time: two runs would write the same files.
for (const tissue of chosen) await tissue.prepare(values.work);
for (const seed of values["all-seeds"].split(",")) await measure("", seed, chosen);
for (const seed of values.seeds.split(",")) {
  for (const { name, on } of rules) {
    await measure(
      name,
      seed,
      chosen.filter((tissue) => on === "both" || on === tissue.on),
    );
  }
}
const table = ablationTable(measured);
console.log(table);
if (values.write) {
  const path = resolve(import.meta.dirname, "../../docs/notebook/ablations.md");
  // What the figures mean is written by hand.
  const [, meaning = ""] = readFileSync(path, "utf8").split(MEANING);
  const text = `${table}\n${MEANING}${meaning}`;
  await writeFile(path, await format(text, { parser: "markdown", printWidth: 100 }));
}

/** Measures the tissues that are not yet measured without a rule (none: with all). */
async function measure(rule: string, seed: string, tissues: typeof TISSUES): Promise<void> {
  const known = ((measured[rule] ??= {})[seed] ??= {});
  const missing = tissues.map(({ name }) => name).filter((name) => !known[name]);
  if (missing.length === 0) return;
  const own = (file: string): string => join(import.meta.dirname, "ablations", file);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [own("run-one.ts"), values.work, seed, ...missing],
    {
      maxBuffer: 1 << 26,
      env: {
        ...process.env,
        ABLATION: rule,
        NODE_OPTIONS: `--import ${pathToFileURL(own("edit-sources.ts")).href}`,
      },
    },
  );
  for (const line of stdout.split("\n")) {
    if (!line.startsWith("figures ")) continue;
    const [tissue, figures] = JSON.parse(line.slice(8)) as [string, Measured[""][""][""]];
    known[tissue] = figures;
    console.log(rule || "all rules", seed, tissue, JSON.stringify(figures));
  }
  writeFileSync(`${kept}.new`, JSON.stringify(measured));
  renameSync(`${kept}.new`, kept);
}

function partsOf(list: string): string[] {
  return list.split(";").map((part) => part.trim());
}
