import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packRates } from "@stipple/contract/packed-rates";
import { openViewer } from "@stipple/pipeline/view";
import { geneName } from "./viewer/synthetic-project.ts";

/**
 * What the server computes for a gene over several samples: CPU ms, for the first gene after the views were opened and for
 * the next ones. Reads the samples that bench:sections has written.
 *
 *   node lab/bench/first-gene.ts --samples 8 --cells 100000 --data FOLDER
 */
const { values } = parseArgs({
  options: {
    samples: { type: "string", default: "8" },
    cells: { type: "string", default: "100000" },
    data: { type: "string", default: resolve(import.meta.dirname, "../../.stipple-bench") },
  },
});
const results = join(resolve(values.data), values.cells, "results");
if (!existsSync(results)) throw new Error(`There is no ${results}: run bench:sections first.`);

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const before = cpuMs();
const viewers = [];
for (let at = 0; at < Number(values.samples); at++) {
  const viewer = await openViewer(results);
  await viewer.warm();
  viewers.push(viewer);
}
console.log(`Opened: ${Math.round(cpuMs() - before)} ms`);
for (const gene of [0, 300, 600, 900]) {
  const start = cpuMs();
  for (const viewer of viewers) packRates(await viewer.gene(geneName(gene), "rate"));
  console.log(`${geneName(gene)}: ${Math.round(cpuMs() - start)} ms`);
}
