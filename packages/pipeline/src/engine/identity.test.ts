import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describedFile } from "@stipple/contract/recognition/testing/contents";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LAST_STEP, STEP_NUMBERS, stepNumber } from "@stipple/contract";
import { FIELDS, type StoredKey } from "../fields.ts";
import { openAnalysis, type RunRequest } from "../run.ts";
import { analysisSettings, type AnalysisSettings } from "../settings.ts";
import type { StepDefinition } from "../step.ts";
import { steps } from "../steps/index.ts";
import { digestInputs } from "../store/input-digests.ts";
import { readManifests } from "../store/manifest.ts";

/** The product's steps with all their declarations, except that each just writes minimal values for its fields. */
let ran: number[] = [];
const declared = steps.map((step): StepDefinition => ({
  ...step,
  run: async ({ write }) => {
    ran.push(step.number);
    for (const key of step.writes) {
      const { kind } = FIELDS[key];
      if (kind !== "files") await write(key as StoredKey, SMALLEST[kind] as never);
    }
  },
}));
/** Without looking into files, which hold no data here. */
const analysis = openAnalysis(declared.map((step) => ({ ...step, check: null })));
const SMALLEST = {
  text: ["one"],
  json: { value: 1 },
  column: Float32Array.of(1),
  matrix: { nRows: 1, nCols: 1, data: Float32Array.of(1) },
  sparse: {
    nRows: 1,
    nCols: 1,
    indptr: Uint32Array.of(0, 1),
    indices: Uint32Array.of(0),
    data: Float32Array.of(1),
  },
  polygons: { offsets: Uint32Array.of(0, 1), xy: Float32Array.of(1, 1) },
};

let folder: string;
let finished: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-"));
  finished = join(folder, "finished");
  const input = join(finished, "input");
  await mkdir(input, { recursive: true });
  for (const name of [
    "tissue_positions.csv",
    "barcodes.tsv.gz",
    "features.tsv.gz",
    "matrix.mtx.gz",
    "scalefactors_json.json",
    "tissue_hires_image.png",
    "tissue_lowres_image.png",
    "image.tif",
  ]) {
    await writeFile(join(input, name), (await describedFile(name)).bytes);
  }
  await analysis.run(requestIn(finished));
});
afterAll(() => rm(folder, { recursive: true }));

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(folder, "case-"));
  await cp(finished, home, { recursive: true });
  ran = [];
});

function requestIn(
  place: string,
  settings: Partial<AnalysisSettings> = {},
  more: Partial<RunRequest> = {},
): RunRequest {
  return {
    input: join(place, "input"),
    results: join(place, "results"),
    settings: analysisSettings.parse(settings),
    threads: 1,
    signal: new AbortController().signal,
    ...more,
  };
}

/** What a run from the last step would execute, except that step itself. */
async function stale(request: RunRequest): Promise<number[]> {
  return (await analysis.plan(LAST_STEP, request)).filter((number) => number !== LAST_STEP);
}

it("leaves alone folders that have names of its own but are someone else's", async () => {
  const results = join(home, "paper");
  await mkdir(join(results, "figures"), { recursive: true });
  await writeFile(join(results, "figures", "figure-1.png"), "mine");
  await expect(analysis.run({ ...requestIn(home), results })).rejects.toThrow(
    `${results} has a folder figures that is not from Stipple and would be replaced: choose`,
  );
  expect(await readFile(join(results, "figures", "figure-1.png"), "utf8")).toBe("mine");
});

describe("a finished run", () => {
  it("resumes in another folder, even if file times differ", async () => {
    const input = join(home, "input");
    const later = new Date(Date.now() + 60_000);
    await utimes(join(input, "image.tif"), later, later);
    expect(await stale(requestIn(home))).toEqual([]);
    // Even if nothing is remembered about the files.
    await rm(join(home, "results", ".inputs.json"));
    expect(await stale(requestIn(home))).toEqual([]);
    await analysis.run(requestIn(home), LAST_STEP);
    expect(ran).toEqual([LAST_STEP]);
  });

  it("refuses a reference that cannot be read before the first step", async () => {
    const reference = join(home, "cells.h5ad");
    await writeFile(reference, "no cells");
    const request = requestIn(home, {}, { reference });
    await expect(
      openAnalysis(declared).run(request, stepNumber("feature-initialization")),
    ).rejects.toThrow("The reference cells.h5ad cannot be read as an h5ad file");
    expect(ran).toEqual([]);
    expect(await stale(requestIn(home))).toEqual([]);
  });

  it("reruns nothing for a renamed file", async () => {
    const input = join(home, "input");
    await rename(join(input, "image.tif"), join(input, "slide of Tuesday.btf"));
    await rename(join(input, "tissue_positions.csv"), join(input, "tissue_positions_list.csv"));
    expect(await stale(requestIn(home))).toEqual([]);
  });

  it("keeps the image steps for another tissue or species, whose types are fitted to the spots", async () => {
    const fromTypes = STEP_NUMBERS.filter(
      (number) => number >= stepNumber("vector-transformation"),
    );
    for (const other of [{ tissue: "brain" }, { species: "mouse" }] as const) {
      expect(await analysis.plan(LAST_STEP, requestIn(home, other))).toEqual(fromTypes);
    }
  });

  it("keeps the image steps for another reference, whose labels are fitted to the spots", async () => {
    const fromTypes = STEP_NUMBERS.filter(
      (number) => number >= stepNumber("vector-transformation"),
    );
    await writeFile(join(home, "input", "reference.h5ad"), "\x89HDF\r\n\x1a\nlabels", "latin1");
    expect(await analysis.plan(LAST_STEP, requestIn(home))).toEqual(fromTypes);
    await analysis.run(requestIn(home), LAST_STEP);
    expect(ran).toEqual(fromTypes);
    await writeFile(join(home, "input", "reference.h5ad"), "\x89HDF\r\n\x1a\nothers", "latin1");
    expect(await analysis.plan(LAST_STEP, requestIn(home))).toEqual(fromTypes);
  });

  it("keeps cells, counts, and types when basic becomes advanced, which only adds", async () => {
    expect(await stale(requestIn(home, { analysisType: "advanced" }))).toEqual([
      stepNumber("projection-analysis"),
    ]);
  });

  it("reruns the steps that read the image, and those that depend on them, for another image", async () => {
    const { bytes } = await describedFile("image.tif = 70x60");
    await writeFile(join(home, "input", "image.tif"), bytes);
    expect(await stale(requestIn(home))).toEqual(STEP_NUMBERS.slice(0, LAST_STEP));
  });

  it("reruns a step for a changed parameter, and records it", async () => {
    const parameters = { "cluster-analysis": { resolution: 0.5 } };
    const request = requestIn(home, {}, { parameters });
    expect(await stale(request)).toEqual([
      stepNumber("cluster-analysis"),
      stepNumber("projection-analysis"),
    ]);
    await analysis.run(request, LAST_STEP);
    const manifest = readManifests(request.results)[stepNumber("cluster-analysis")];
    expect(manifest?.params).toMatchObject({ resolution: 0.5 });
    expect(await stale(request)).toEqual([]);
  });

  it("updates the sample name in the last step without rerunning any other", async () => {
    expect(await stale(requestIn(home, { sampleName: "Liver 3" }))).toEqual([]);
  });

  it("starts at an earlier step whose file is missing", async () => {
    await rm(join(home, "results", "step3_output"), { recursive: true });
    expect(await stale(requestIn(home))).toEqual([3, 4, 5, 6]);
  });

  it("is also recognized by digests from elsewhere, without any local file", async () => {
    const request = requestIn(home);
    const names = ["tissue_positions.csv", "barcodes.tsv.gz", "features.tsv.gz", "matrix.mtx.gz"];
    const more = ["scalefactors_json.json", "tissue_hires_image.png", "tissue_lowres_image.png"];
    const digests = await digestInputs(
      {
        root: request.input,
        layout: "",
        matrix: {
          format: "mex",
          barcodes: join(request.input, names[1]),
          features: join(request.input, names[2]),
          matrix: join(request.input, names[3]),
        },
        positions: { path: join(request.input, names[0]), format: "csv" },
        scalefactors: join(request.input, more[0]),
        hires: join(request.input, more[1]),
        lowres: join(request.input, more[2]),
        image: join(request.input, "image.tif"),
      },
      home,
    );
    await rm(request.input, { recursive: true });
    const files = [...names, ...more, "image.tif"].map((path) => ({ path, size: 100 }));
    expect(await stale({ ...request, known: { files, digests } })).toEqual([]);
  });
});

it("rejects parameters that no step has, in one sentence", async () => {
  const run = (parameters: Record<string, Record<string, unknown>>): Promise<void> =>
    analysis.run(requestIn(home, {}, { parameters }));
  await expect(run({ clustering: {} })).rejects.toThrow(/Unknown step clustering: the steps are/);
  await expect(run({ "cluster-analysis": { res: 1 } })).rejects.toThrow(
    /Cluster Analysis has no parameter res: it has components, /,
  );
  await expect(run({ "cluster-analysis": { resolution: -1 } })).rejects.toThrow(
    /The parameter cluster-analysis.resolution must be more than 0\.$/,
  );
  await expect(run({ "cluster-analysis": { resolution: 21 } })).rejects.toThrow(
    /The parameter cluster-analysis.resolution must be at most 20\.$/,
  );
  await expect(run({ "cluster-analysis": { neighbors: 1e300 } })).rejects.toThrow(
    /The parameter cluster-analysis.neighbors must be at most 200\.$/,
  );
});

it("hashes a file once and remembers it", async () => {
  const request = requestIn(home);
  await stale(request);
  const memory = join(request.results, ".inputs.json");
  const known = JSON.parse(await readFile(memory, "utf8")) as Record<string, { digest: string }>;
  const image = join(request.input, "image.tif");
  known[image].digest = "remembered";
  await writeFile(memory, JSON.stringify(known));
  expect(await stale(request)).toContain(2);
});

it.each(steps)("step $number reads no field that it does not declare", async (step) => {
  const own = join(import.meta.dirname, `../steps/${step.number}-${step.id}`);
  const read: string[] = [];
  for (const file of await readdir(own, { recursive: true })) {
    if (!/(?<!\.test)\.ts$/.test(file) || file.includes("testing")) continue;
    const text = await readFile(join(own, file), "utf8");
    for (const [, key] of text.matchAll(/\bread(?:IfAny)?\("([^"]+)"/g)) read.push(key);
  }
  expect(read.filter((key) => !step.reads.includes(key as StoredKey))).toEqual([]);
});
