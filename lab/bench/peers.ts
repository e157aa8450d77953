/**
 * Compares Stipple with other programs doing the same job on the same input, one after the other: `npm run bench:peers
 * -- [text h5 pyramid zip network bins core core-200k] [--out DIR] [--python PYTHON]`. Makes its inputs in `--out`
 * (including a whole slide and a quarter of an HD slide, which `npm run bench:sizes` can share) and, unless one is
 * given, a Python environment from lab/bench/peers/requirements.txt; then writes docs/peers.md from
 * lab/bench/peers/measured.json, which keeps the earlier figures of jobs that are not named.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { format, resolveConfig } from "prettier";
import { adjustedRandIndex } from "@stipple/tissue/metrics/labels";
import { makeFineCells } from "./fine-bins/fine-cells.ts";
import { makeCells, makeText, TYPES } from "./peers/input.ts";
import { peersPage, type Job, type Measured, type Stage, type Versions } from "./peers/report.ts";
import { layOut } from "./sizes/lay-out.ts";
import { openPiece } from "./sizes/piece.ts";
import { SIZES } from "./sizes/sizes.ts";

const HERE = join(import.meta.dirname, "peers");
const MEASURED = join(HERE, "measured.json");
const PAGE = join(import.meta.dirname, "../../docs/peers.md");
const ROUNDS = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: join(tmpdir(), "stipple-sizes") },
    python: { type: "string" },
  },
});
const out = join(values.out, "peers");
await mkdir(out, { recursive: true });
const python = values.python ?? pythonEnvironment();

const input = await inputOf("visium-full");
const h5 = join(input, "filtered_feature_bc_matrix.h5");
const image = join(input, "image.tif");
const text = await makeText(join(out, "text"), h5);
const cells = join(out, `cells-50000.h5`);
await makeCells(cells, 50_000);
const packed = [h5, image, text, cells];

const file = (name: string): string => join(out, name);
const jobs: Record<string, () => Job | Promise<Job>> = {
  text: () => both("text", "matrix.mtx.gz of a whole slide", "scipy.io.mmread", [[text], [text]]),
  h5: () => {
    const written = asSpaceRangerWrites(h5);
    const what = "filtered_feature_bc_matrix.h5 of a whole slide";
    return both("h5", what, "scanpy.read_10x_h5", [[written], [written]]);
  },
  pyramid: () =>
    both("pyramid", "tile pyramid of a whole slide's image", "libvips dzsave", [
      [image, file("pyramid-ours")],
      [image, file("pyramid-vips")],
    ]),
  zip: () => both("zip", "zip of the slide's files, stored", "Python's zipfile", [packed, packed]),
  network: () =>
    both(
      "network",
      "nucleus network, 16 squares of 1,024 px, one thread",
      "a network of StarDist's size",
      [[], [file("starlike.onnx")]],
    ),
  bins: binsToCells,
  core: () => singleCellCore("core", cells, 50_000),
  "core-200k": async () => {
    const many = file("cells-200000.h5");
    await makeCells(many, 200_000);
    return singleCellCore("core-200k", many, 200_000);
  },
};
const measured = JSON.parse(await readFile(MEASURED, "utf8").catch(() => "{}")) as Measured;
const versions = JSON.parse(run(python, join(HERE, "peers.py"), ["versions"])) as Versions;
for (const name of positionals.length > 0 ? positionals : Object.keys(jobs)) {
  measured[name] = {
    ...(await jobs[name]()),
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} × ${cpus()[0].model}, Node ${process.version}`,
    load: loadavg()[0],
    versions,
  };
  await writeFile(MEASURED, `${JSON.stringify(measured, null, 2)}\n`);
}
const style = { ...(await resolveConfig(PAGE)), parser: "markdown" };
await writeFile(PAGE, await format(peersPage(measured), style));
for (const name of ["pyramid-ours", "pyramid-vips_files", "pyramid-vips.dzi", "scanpy.h5ad"]) {
  await rm(file(name), { recursive: true, force: true });
}

/** The folder of a `bench:sizes` sample, made if missing. */
async function inputOf(name: string): Promise<string> {
  const size = SIZES.find((one) => one.name === name)!;
  const folder = join(values.out, name, "input");
  if (!existsSync(folder)) {
    await mkdir(join(values.out, name), { recursive: true });
    await layOut(folder, size, await openPiece(values.out, size));
  }
  return folder;
}

/** The counts in the layout written by Space Ranger itself. */
function asSpaceRangerWrites(path: string): string {
  const written = file("space-ranger.h5");
  if (!existsSync(written)) {
    run(python, join(HERE, "peers.py"), ["relayout", path, `${written}.new`]);
    renameSync(`${written}.new`, written);
  }
  return written;
}

/** Aggregates the 2 µm bins of a quarter of an HD slide into cell counts, using the nuclei found there. */
async function binsToCells(): Promise<Job> {
  const hd = await inputOf("hd2-quarter");
  const results = file("hd-cells");
  const labels = await makeFineCells(hd, results);
  const fine = join(hd, "binned_outputs/square_002um/filtered_feature_bc_matrix.h5");
  const what = "2 µm bins of a quarter of an HD slide to its cells";
  return both("bins", what, "bin2cell's way in scipy", [
    [fine, results],
    [fine, labels],
  ]);
}

/** scanpy's core and ours on the same cells, and the similarity of their clusters. */
function singleCellCore(name: string, cells: string, nCells: number): Job {
  const what = `single-cell core, ${nCells.toLocaleString("en")} cells`;
  const ours = [cells, file("components.f4"), file("labels-ours.txt")];
  const theirs = [cells, file("labels-scanpy.txt"), file("scanpy.h5ad")];
  const job = both(name, what, "scanpy", [ours, theirs], 1);
  run(python, join(HERE, "peers.py"), ["relabel", ours[1], file("labels-same.txt")]);
  const labels = (name: string): string[] => readFileSync(file(name), "utf8").trim().split("\n");
  const own = labels("labels-ours.txt");
  const truth = own.map((_, cell) => cell % TYPES);
  return {
    ...job,
    rand: {
      sameComponents: adjustedRandIndex(own, labels("labels-same.txt")),
      ownComponents: adjustedRandIndex(own, labels("labels-scanpy.txt")),
      truth: adjustedRandIndex(own, truth),
      scanpyTruth: adjustedRandIndex(labels("labels-scanpy.txt"), truth),
    },
  };
}

/** Runs a job with both programs, alternating; each stage reports its fastest round. */
function both(
  job: string,
  what: string,
  peer: string,
  [ourPaths, peerPaths]: [string[], string[]],
  rounds = ROUNDS,
): Job {
  const least: { ours: Map<string, Stage>; peer: Map<string, Stage> } = {
    ours: new Map(),
    peer: new Map(),
  };
  for (let round = 0; round < rounds; round++) {
    for (const [who, program, script, paths] of [
      ["ours", process.execPath, "ours.ts", ourPaths],
      ["peer", python, "peers.py", peerPaths],
    ] as const) {
      for (const line of run(program, join(HERE, script), [job, ...paths])
        .trim()
        .split("\n")) {
        const stage = JSON.parse(line) as Stage;
        const before = least[who].get(stage.stage);
        if (!before || stage.cpu < before.cpu) least[who].set(stage.stage, stage);
        console.log(job, who, line);
      }
    }
  }
  return { job, what, peer, ours: [...least.ours.values()], theirs: [...least.peer.values()] };
}

function run(program: string, script: string, parameters: string[]): string {
  return execFileSync(program, [script, ...parameters], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 26,
  });
}

function pythonEnvironment(): string {
  const folder = join(out, "python");
  const program = join(folder, "bin/python");
  if (existsSync(join(folder, "complete"))) return program;
  execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
  const requirements = join(HERE, "requirements.txt");
  const install = ["-m", "pip", "install", "--quiet", "--requirement", requirements];
  execFileSync(program, install, { stdio: "inherit" });
  execFileSync("touch", [join(folder, "complete")]);
  return program;
}
