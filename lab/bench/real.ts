/**
 * Accuracy on measured cells under their own image: a human pancreas tumor and a piece of mouse brain (../shared/data),
 * their transcripts counted in Visium spots and HD bins.
 *   npm run bench:real -- [--section pancreas|merfish] [--captures visium,hd16,hd8,hd2] [--half left|right|all]
 *     [--captured SHARE] [--reference] [--seed N] [--work DIR] [--write]
 *   npm run bench:real -- --purity RESULTS       what the counts of any results say about their names
 * Choose rules on the left half, and look at the right half once. --captured counts a share of the transcripts and judges
 * by the others. --reference types the judged half (left unless told) by the labeled cells of the other half. --write puts the figures (of seed 0) into
 * docs/real.json and docs/real.md. About two minutes a capture.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { analyzeSection } from "./real/analyze-section.ts";
import { writeSample, type Capture } from "./real/capture.ts";
import { capturedPart } from "./real/captured-part.ts";
import { judgeReal } from "./real/judge.ts";
import type { Half } from "./real/match-section.ts";
import { readMerfish } from "./real/merfish.ts";
import { readPancreas } from "./real/pancreas.ts";
import { purity } from "./real/purity.ts";
import { realReport, type RealResults } from "./real/report.ts";
import { writeReference } from "./real/write-reference.ts";

const { values } = parseArgs({
  options: {
    purity: { type: "string" },
    section: { type: "string", default: "pancreas" },
    captures: { type: "string", default: "visium,hd16,hd8" },
    half: { type: "string", default: "all" },
    reference: { type: "boolean", default: false },
    work: { type: "string", default: join(tmpdir(), "stipple-real") },
    captured: { type: "string", default: "1" },
    seed: { type: "string", default: "0" },
    write: { type: "boolean", default: false },
  },
});
if (values.purity) {
  console.log(JSON.stringify(rounded(await purity(values.purity))));
  process.exit();
}
const share = Number(values.captured);
const seed = Number(values.seed);
const whole = values.section === "merfish" ? await readMerfish() : await readPancreas();
const section = share < 1 ? capturedPart(whole, share) : whole;
const found: RealResults["captures"] = {};
for (const capture of values.captures.split(",") as Capture[]) {
  const input = join(values.work, `${section.name}-${capture}`);
  const half = (values.reference && values.half === "all" ? "left" : values.half) as Half;
  const other = half === "left" ? "right" : "left";
  const results = `${input}-results${values.reference ? `-${other}-reference` : ""}${seed > 0 ? `-seed-${seed}` : ""}`;
  if (!existsSync(join(input, "image.tif"))) await writeSample(section, capture, input);
  const reference = values.reference ? join(values.work, `${other}-half.h5ad`) : undefined;
  if (reference && !existsSync(reference)) await writeReference(reference, section, other);
  await analyzeSection({ input, results, reference, capture, seed });
  found[capture] = await judgeReal(section, results, half);
  console.log(capture, half, JSON.stringify(rounded(found[capture]), null, 1));
}
if (values.write) {
  const path = resolve(import.meta.dirname, "../../docs/real.json");
  const before = existsSync(path)
    ? (JSON.parse(await readFile(path, "utf8")) as RealResults)
    : undefined;
  const own = values.reference
    ? "withReference"
    : values.section === "merfish"
      ? "merfish"
      : share < 1
        ? "byOthers"
        : "captures";
  const all: RealResults = {
    captures: {},
    byOthers: {},
    withReference: {},
    merfish: {},
    ...before,
    [own]: { ...before?.[own], ...found },
  };
  await writeFile(path, await format(JSON.stringify(all), { parser: "json", printWidth: 100 }));
  await writeFile(
    path.replace(/json$/, "md"),
    await format(realReport(all), { parser: "markdown", printWidth: 100 }),
  );
}

function rounded(figures: unknown): unknown {
  return JSON.parse(
    JSON.stringify(figures, (_, value: unknown) =>
      typeof value === "number" ? Number(value.toFixed(3)) : value,
    ),
  );
}
