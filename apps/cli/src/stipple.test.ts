import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LAUNCHER, runStipple, type CommandResult } from "./testing/run-stipple.ts";

const stipple = (...args: string[]): Promise<CommandResult> => runStipple(args);

it("does what it should although nobody reads its output any longer, as of a pipe to head", async () => {
  const child = spawn(process.execPath, [LAUNCHER, "steps"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  const [said] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect([said, child.exitCode]).toEqual(["", 0]);
});

describe("stipple", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-cli-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const analyze = (...args: string[]) =>
    stipple("analyze", "--staining", "h_and_e", "--out", join(folder, "results"), ...args);

  it.each([
    [
      "an unknown platform",
      ["--input", ".", "--platform", "xenium"],
      /--platform.*xenium.*visium, hd_visium/,
    ],
    [
      "a missing folder",
      ["--input", "/no/such", "--platform", "visium"],
      /\/no\/such does not exist.*--input/,
    ],
    [
      "a step out of range",
      ["--input", ".", "--platform", "visium", "--start-step", "8"],
      /--start-step.*0 to 7/,
    ],
    [
      "HD without a bin size",
      ["--input", ".", "--platform", "hd_visium"],
      /bin size.*--resolution/,
    ],
    [
      "bins without HD",
      ["--input", ".", "--platform", "visium", "--resolution", "8"],
      /Only HD Visium has bins/,
    ],
    [
      "an input that a variable did not give",
      ["--input", "", "--platform", "visium"],
      /option '--input <dir>' is empty: give it a value/,
    ],
    [
      "a missing image",
      ["--input", ".", "--platform", "visium", "--image", "no.tif"],
      /no\.tif does not exist/,
    ],
  ])("refuses %s with one sentence", async (_what, args, sentence) => {
    const { code, err } = await analyze(...args);
    expect(code).toBe(1);
    expect(err).toMatch(sentence);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });

  it("says in words what is changed by default", async () => {
    const { out } = await analyze("--help");
    expect(out.replace(/\s+/g, " ")).toContain("(stipple steps lists them) (default: none)");
  });

  it("shows where an error was raised for every command that is asked to", async () => {
    const { code, err } = await stipple("backup", "verify", "--from", "/no/such", "--verbose");
    expect(code).toBe(1);
    expect(err).toMatch(/There is no folder \/no\/such.*\n\s+at /);
  });

  it("looks for backups without a database, even where its setting is left blank", async () => {
    const env = { ...process.env, STIPPLE_DATA_DIR: folder, DATABASE_URL: "" };
    const { code, err } = await runStipple(["backup", "verify", "--from", folder], env);
    expect([code, err.trim()]).toEqual([
      1,
      "There is no finished backup there: check the path after --from.",
    ]);
  });

  it.each([
    ["backup", "--to", "/no/such"],
    ["storage", "check"],
  ])("says in one sentence that the database cannot be reached: %s", async (...args) => {
    const DATABASE_URL = "postgresql://stipple@127.0.0.1:9/stipple";
    const env = { ...process.env, STIPPLE_DATA_DIR: folder, DATABASE_URL };
    const { code, err } = await runStipple(args, env);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^The database stipple at 127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED\)/,
    );
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });

  it("names what is missing in a folder that is not a sample", async () => {
    const { code, err } = await analyze("--input", folder, "--platform", "visium");
    expect(code).toBe(1);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(err).not.toMatch(/inside Stipple/);
  });

  it("refuses an unwritable location", async () => {
    const file = join(folder, "taken");
    await writeFile(file, "");
    const { code, err } = await stipple(
      "analyze",
      "--input",
      folder,
      "--platform",
      "visium",
      "--out",
      join(file, "below"),
    );
    expect(code).toBe(1);
    expect(err).toMatch(/Cannot write to/);
  });

  // There, Node itself tries forever.
  it.runIf(existsSync("/proc/self"))("simulates nothing where no folder can be", async () => {
    const { code, err } = await stipple("simulate", "--out", "/proc/nowhere");
    expect(code).toBe(1);
    expect(err).toMatch(/^Cannot write to \/proc\/nowhere: choose an --out folder/);
  });

  it("lists every parameter of the steps, also nested ones, with what it does", async () => {
    const { out } = await stipple("steps");
    const parameters = out.split("\n").filter((line) => line.startsWith("    "));
    expect(parameters).toContainEqual(
      expect.stringMatching(/ morphological-analysis\.nuclei\.network\.minScore = 0\.3 {3}\w/),
    );
    expect(parameters.filter((line) => !/^ {4}\S+ = \S+ {3}\w/.test(line))).toEqual([]);
  });

  it("simulates a tissue and suggests next steps", async () => {
    const out = join(folder, "tissue");
    const { code, out: said } = await stipple(
      "simulate",
      "--out",
      out,
      "--seed",
      "3",
      "--size-um",
      "320",
      "--um-per-px",
      "0.8",
      "--genes",
      "220",
    );
    expect(code).toBe(0);
    expect(said).toMatch(/Simulated \d+ cells .* stipple analyze --input/s);
    expect((await stat(join(out, "image.tif"))).size).toBeGreaterThan(10_000);
  });

  it.skipIf(process.platform === "win32")(
    "stops on Ctrl-C, keeps finished steps, and says how to continue",
    async () => {
      const input = join(folder, "tissue");
      const results = join(folder, "cancelled");
      const child = spawn(
        process.execPath,
        [LAUNCHER, "analyze", "--input", input, "--platform", "visium", "--out", results],
        { stdio: ["ignore", "pipe", "pipe"] },
      );
      let err = "";
      child.stderr.on("data", (data: Buffer) => (err += data.toString()));
      child.stdout.on("data", (data: Buffer) => {
        if (data.toString().includes("Step 1 Optical Decomposition: started")) child.kill("SIGINT");
      });
      const code = await new Promise<number | null>((done) => child.once("exit", done));
      expect(code).toBe(1);
      expect(err).toMatch(/was canceled.*--start-step [1-7] to continue/s);
      expect(existsSync(join(results, "step0_output", "spatial_clusters.png"))).toBe(true);
      expect(existsSync(join(results, "step7_output"))).toBe(false);
    },
  );

  it("does not evaluate missing results", async () => {
    const { code, err } = await stipple("evaluate", "--truth", folder, "--results", folder);
    expect(code).toBe(1);
    expect(err).toMatch(/contains no ground truth/);
  });
});
