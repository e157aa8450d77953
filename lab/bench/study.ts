/**
 * Measures joint spaces of simulated samples with known types and batch effects: `npm run bench:study -- [--samples 4]
 * [--cells 10000] [--genes 18000] [--umis 300] [--out DIR] [--python PYTHON]`. Sizes are lists (`--samples 4,20`): each is
 * measured in a process of its own (CPU seconds, wall time, peak memory). With a Python that has scanpy and harmonypy
 * (lab/bench/study/requirements.txt) the same samples go through these, too, and both results are judged by harmonypy's own
 * LISI and by scikit-learn's adjusted Rand index; without one, ours are reported alone. `--halves FOLDER` takes cells of a
 * measured Xenium section (shared/data/xenium-human-pancreas) instead, in halves of different depth and bleed. `--combine RESULTS` writes
 * copies of an analyzed sample as one file instead, as the server does.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeSimulatedSample } from "@stipple/pipeline/internal/study/testing/simulated-sample";
import { writeHalves } from "./study/halves.ts";

const HERE = join(import.meta.dirname, "study");

const { values } = parseArgs({
  options: {
    samples: { type: "string", default: "4" },
    cells: { type: "string", default: "10000" },
    genes: { type: "string", default: "18000" },
    umis: { type: "string", default: "300" },
    batch: { type: "string", default: "0.3" },
    out: { type: "string", default: join(tmpdir(), "stipple-study-bench") },
    python: { type: "string" },
    halves: { type: "string" },
    combine: { type: "string" },
  },
});

/** Shares of the simulated types: from abundant to rare. */
const SHARES = [0.25, 0.2, 0.15, 0.12, 0.1, 0.06, 0.05, 0.03, 0.02, 0.01, 0.006, 0.004];

console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`);
if (values.combine) {
  measureCombined(values.combine, values.samples.split(","));
  process.exit();
}
console.log(
  "\n| Cells | Samples | By | Wall, s | CPU, s | Peak memory, GB | iLISI before | after | cLISI before | after | ARI |",
);
console.log("| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
if (values.halves) {
  const folder = join(values.out, "halves");
  await writeHalves(values.halves, folder);
  measure(folder, ["A", "B"]);
} else {
  for (const n of values.samples.split(",").map(Number)) {
    for (const cells of values.cells.split(",").map(Number)) measure(...(await simulate(n, cells)));
  }
}

/** All samples as one file, in each format. */
function measureCombined(results: string, counts: readonly string[]): void {
  console.log("\n| Samples | File | Size, GB | Wall, s | CPU, s | Peak memory, GB |");
  console.log("| ---: | --- | ---: | ---: | ---: | ---: |");
  for (const count of counts) {
    for (const part of ["spatialdata", "h5ad", "seurat"]) {
      const folder = join(values.out, "combined");
      const given = [folder, part, results, count];
      const { wall, cpu, peak, bytes } = run(process.execPath, [
        join(HERE, "combine.ts"),
        ...given,
      ]);
      const figures = [(bytes ?? 0) / 1e9, wall, cpu, peak].map((value) => value.toFixed(2));
      console.log(`| ${count} | ${part} | ${figures.join(" | ")} |`);
    }
  }
}

async function simulate(n: number, cells: number): Promise<[string, string[]]> {
  const folder = join(values.out, `${n}x${cells}x${values.genes}x${values.umis}`);
  const names: string[] = [];
  for (let s = 0; s < n; s++) {
    const name = `S${s}`;
    names.push(name);
    if (existsSync(join(folder, name, "done"))) continue;
    await writeSimulatedSample(join(folder, name), {
      ...{ cells, genes: Number(values.genes), shares: SHARES, seed: s + 1 },
      // Depths from half to twice the mean, bleed from none to a third.
      umis: Number(values.umis) * 2 ** ((2 * s) / Math.max(1, n - 1) - 1),
      ...{ batch: Number(values.batch), bleed: (s % 4) / 9 },
    });
    await writeFile(join(folder, name, "done"), "");
  }
  return [folder, names];
}

interface Run {
  wall: number;
  cpu: number;
  peak: number;
  bytes?: number;
}

function measure(folder: string, names: string[]): void {
  const before = loadavg()[0];
  const ours = run(process.execPath, [
    "--max-old-space-size=6000",
    join(HERE, "ours.ts"),
    folder,
    ...names,
  ]);
  report(folder, names, "Stipple", "ours", ours);
  if (values.python) {
    const theirs = run(values.python, [join(HERE, "peers.py"), folder, ...names]);
    report(folder, names, "scanpy + harmonypy", "theirs", theirs);
  }
  console.log(`<!-- load before: ${before.toFixed(1)} -->`);
}

/** The program's last line says what it took. */
function run(program: string, args: string[]): Run {
  const text = execFileSync(program, args, {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  return JSON.parse(text.trim().split("\n").at(-1)!) as Run;
}

function report(
  folder: string,
  names: string[],
  by: string,
  result: string,
  { wall, cpu, peak }: Run,
): void {
  const judged = values.python
    ? (JSON.parse(
        execFileSync(values.python, [join(HERE, "judge.py"), folder, result, ...names], {
          encoding: "utf8",
        })
          .trim()
          .split("\n")
          .at(-1)!,
      ) as Record<string, number>)
    : null;
  const shape = names.reduce((sum, name) => {
    const path = join(folder, name, "step4_output/cells.counts.shape.json");
    return sum + (JSON.parse(readFileSync(path, "utf8")) as number[])[0];
  }, 0);
  const figures = ["ilisi_before", "ilisi_after", "clisi_before", "clisi_after", "ari"].map(
    (key) => (judged ? judged[key].toFixed(3) : "–"),
  );
  console.log(
    `| ${shape} | ${names.length} | ${by} | ${wall.toFixed(0)} | ${cpu.toFixed(0)} | ${peak.toFixed(2)} | ${figures.join(" | ")} |`,
  );
}
await mkdir(values.out, { recursive: true });
