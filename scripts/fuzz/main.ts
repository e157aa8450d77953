/**
 * Reads mutated files of every format as the platform does, each in a process of its own: `npm run fuzz`.
 * `--files N` a format (default 10,000), `--formats tiff,h5`, `--seed N`, `--first N` to begin at a number.
 */
import { parseArgs } from "node:util";
import { ALL_FORMATS, type Format } from "./formats.ts";
import { runFuzz } from "./run-fuzz.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "10000" },
    formats: { type: "string", default: ALL_FORMATS.join(",") },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
  },
});
const formats = values.formats.split(",") as Format[];
const unknown = formats.filter((format) => !ALL_FORMATS.includes(format));
if (unknown.length > 0) {
  console.error(`There is no format ${unknown.join(", ")}; choose of ${ALL_FORMATS.join(", ")}.`);
  process.exit(2);
}
const options = {
  files: Number(values.files),
  seed: Number(values.seed),
  first: Number(values.first),
};

console.log("| Format | Files | Read | Refused | Failures | Slowest (ms) | Peak memory (MB) |");
console.log("|---|---|---|---|---|---|---|");
let failures = 0;
for (const format of formats) {
  const reports = await runFuzz([format], options, ({ index, kind, detail }) =>
    console.error(`${format} ${index}: ${kind}: ${detail}`),
  );
  const report = reports[format];
  failures += report.failures.length;
  const numbers = [report.files, report.read, report.refused, report.failures.length];
  const cells = [...numbers, Math.round(report.slowestMs), Math.round(report.peakMb)];
  console.log(
    `| ${[format, ...cells.map((value) => value.toLocaleString("en-US"))].join(" | ")} |`,
  );
}
process.exitCode = failures > 0 ? 1 : 0;
