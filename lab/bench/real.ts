/**
 * Accuracy on measured cells under their own image: the human pancreas tumor in ../shared/data/xenium-human-pancreas,
 * its transcripts counted in Visium spots and HD bins.
 *   npm run bench:real -- [--captures visium,hd16,hd8,hd2] [--half left|right|all] [--reference] [--work DIR] [--write]
 * Choose rules on the left half, and look at the right half once. --reference types the left half by the labeled cells of
 * the right half. --write puts the figures of the whole section into docs/real.json and docs/real.md. About two minutes a
 * capture.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { analysis, analysisSettings } from "@stipple/pipeline";
import { writeSample, type Capture } from "./real/capture.ts";
import { judgeReal, type AcceptedNames, type Half, type RealFigures } from "./real/judge.ts";
import { realReport, type RealResults } from "./real/report.ts";
import { hasPancreas, readPancreas } from "./real/section.ts";
import { writeReference } from "./real/write-reference.ts";

/** Names that count as right for a label of the section, and the lineage whose name counts as coarser. */
const PANCREAS = new Map<string, AcceptedNames>([
  ["Tumor epithelial", { names: ["Pancreatic tumor epithelial"], lineage: "Epithelial" }],
  ["Ductal epithelial", { names: ["Pancreatic ductal"], lineage: "Epithelial" }],
  ["Acinar", { names: ["Acinar cell"], lineage: "Epithelial" }],
  ["Endocrine", { names: ["Alpha cell", "Beta cell", "Delta cell"], lineage: "Endocrine" }],
  ["Fibroblast", { names: [], lineage: "Stromal" }],
  ["Smooth muscle", { names: ["Pericyte"], lineage: "Stromal" }],
  ["Endothelial", { names: ["Lymphatic endothelial"], lineage: "Endothelial" }],
  ["Macrophage", { names: ["Kupffer cell"], lineage: "Myeloid" }],
  ["Mast cell", { names: [], lineage: "Myeloid" }],
  ["T cell", { names: ["CD4 T cell", "CD8 T cell", "Regulatory T cell"], lineage: "Lymphocyte" }],
  ["Plasma cell", { names: [], lineage: "Lymphocyte" }],
]);

const { values } = parseArgs({
  options: {
    captures: { type: "string", default: "visium,hd16,hd8" },
    half: { type: "string", default: "all" },
    reference: { type: "boolean", default: false },
    work: { type: "string", default: join(tmpdir(), "stipple-real") },
    write: { type: "boolean", default: false },
  },
});
if (!hasPancreas()) throw new Error("../shared/data/xenium-human-pancreas is not there");
const section = await readPancreas();
const found: RealResults["captures"] = {};
for (const capture of values.captures.split(",") as Capture[]) {
  const input = join(values.work, `${section.name}-${capture}`);
  const results = `${input}-results${values.reference ? "-reference" : ""}`;
  if (!existsSync(join(input, "image.tif"))) await writeSample(section, capture, input);
  const reference = values.reference ? join(values.work, "right-half.h5ad") : undefined;
  if (reference && !existsSync(reference)) await writeReference(reference, section);
  const hd = capture !== "visium";
  const request = {
    input,
    results,
    reference,
    ...(capture === "hd2" && { fineBins: join(input, "square_002um.h5") }),
    settings: analysisSettings.parse({
      platform: hd ? "hd_visium" : "visium",
      staining: "if",
      analysisType: "basic",
      ...(hd && { resolution: capture === "hd16" ? "16" : "8" }),
    }),
    threads: 2,
    signal: new AbortController().signal,
  };
  for (const step of await analysis.plan(0, request)) {
    if (step <= 5) await analysis.runStep(step, request);
  }
  const half = (values.reference ? "left" : values.half) as Half;
  found[capture] = await judgeReal(section, results, PANCREAS, half);
  console.log(capture, half, JSON.stringify(rounded(found[capture]), null, 1));
}
if (values.write) {
  const path = resolve(import.meta.dirname, "../../docs/real.json");
  const before = existsSync(path)
    ? (JSON.parse(await readFile(path, "utf8")) as RealResults)
    : undefined;
  const command = "npm run bench:real -- --captures visium,hd16,hd8 --write";
  const own = values.reference ? "withReference" : "captures";
  const all: RealResults = {
    command,
    captures: {},
    withReference: {},
    ...before,
    [own]: { ...before?.[own], ...found },
  };
  await writeFile(path, await format(JSON.stringify(all), { parser: "json", printWidth: 100 }));
  await writeFile(
    path.replace(/json$/, "md"),
    await format(realReport(all), { parser: "markdown", printWidth: 100 }),
  );
}

function rounded(figures: RealFigures): unknown {
  return JSON.parse(
    JSON.stringify(figures, (_, value: unknown) =>
      typeof value === "number" ? Number(value.toFixed(3)) : value,
    ),
  );
}
