import { STEPS } from "@stipple/contract";
import { floorSeconds, type MachineRates } from "./floor.ts";
import type { HeavyFunction } from "./heaviest.ts";
import type { StepCost } from "./measure.ts";
import { toReference } from "./reference-speed.ts";
import { SIZES, type SampleSize } from "./sizes.ts";

/** Measurements of a size, and the code version measured. */
export interface Measured {
  commit: string;
  date: string;
  machine: string;
  /** Load average of the machine before and after the run. */
  load: [before: number, after: number];
  sample: {
    places: number;
    genes: number;
    umis: number;
    cells: number;
    /** Size of all files except the image. */
    countsBytes: number;
    imageBytes: number;
    megapixels: number;
    areaMm2: number;
  };
  steps: StepCost[];
  /** Machine rates, and the resolution used by step 2; missing from older measurements. */
  rates?: MachineRates;
  workingMegapixels?: number;
  /** By step, if the sample was rerun with a profiler. */
  heaviest?: Record<number, HeavyFunction[]>;
}
export type Measurements = Partial<Record<string, Measured>>;

const AT_REFERENCE = "At speed 1";

const total = (steps: readonly StepCost[], of: (step: StepCost) => number): number =>
  steps.reduce((sum, step) => sum + of(step), 0);
/** Older runs did not record the machine's speed. */
const orNothing = (value: number, textOf: (value: number) => string): string =>
  Number.isNaN(value) ? "" : textOf(value);
const gb = (bytes: number): string => (bytes / 1e9).toFixed(2);
const whole = (value: number): string => Math.round(value).toLocaleString("en");

/** docs/speed.md, from the measurements. */
export function speedPage(measured: Measurements): string {
  const ran = SIZES.filter(({ name }) => measured[name]);
  return `# Speed

Written by \`npm run bench:sizes\`, which builds samples of named sizes from simulated 1.2 mm pieces laid side by side (18,000
genes, half of them rare) and runs every step in its own process. CPU seconds include child processes; compare these, because the
machines are shared. Memory is the peak of all these processes together. Bytes are those read and written by the step's
process, including from the system's cache. [Every step of every sample](notebook/speed.md).

On the whole HD slides and on the quarter with 8 µm bins alone, all genes take their rates from the bins. On the quarter with 2 µm
bins and on the Visium slides, all genes take them from the model, so step 7 takes longer.

The machines are shared, and their speed changes by a factor of two within a day. Before and after each step the bench therefore
times loops over typed arrays and compression on one core. "At speed 1" gives CPU seconds times that speed: about what the
step would take on an idle host, where the speed is 1 (\`lab/bench/sizes/reference-speed.ts\`). A matrix product does not measure
this: on 25 November 2026 it ran at less than half of its best rate, while all steps of the sample dataset took 1.26 to 1.41
times as long as on an idle host.
Where the load in that table is above 2, other work ran beside the sample: its wall times are too long, its CPU/wall too low.

${table(
  [
    "Sample",
    "Spots or bins",
    "Cells",
    "Image, GB",
    "CPU s",
    AT_REFERENCE,
    "Wall s",
    "CPU/wall",
    "Peak, MB",
    "Read, GB",
    "Written, GB",
  ],
  ran.map((size) => {
    const run = measured[size.name]!;
    const { sample, steps } = run;
    const [cpu, wall] = [total(steps, (s) => s.cpuSeconds), total(steps, (s) => s.wallSeconds)];
    return [
      `${size.name} (${size.words})`,
      whole(sample.places),
      whole(sample.cells),
      gb(sample.imageBytes),
      whole(cpu),
      orNothing(
        total(steps, (s) => s.cpuSeconds * toReference(s)),
        whole,
      ),
      whole(wall),
      (cpu / wall).toFixed(2),
      whole(Math.max(...steps.map(({ peakMb }) => peakMb))),
      gb(total(steps, (s) => s.readBytes)),
      gb(total(steps, (s) => s.writtenBytes)),
    ];
  }),
)}

${growth(measured)}`;
}

/** docs/notebook/speed.md: every step of every sample. */
export function speedTables(measured: Measurements): string {
  const ran = SIZES.filter(({ name }) => measured[name]);
  return `# Speed of every step

Written by \`npm run bench:sizes\`; [speed.md](../speed.md) explains the samples and columns. "Stall" is the longest time in which
a step reported less than half a percent of progress. The floor is a lower bound for any program on that machine: the bytes at the
disk's own rate plus, in step 2, the network's arithmetic at the rate of a matrix product on all cores.

${ran.map((size) => stepsOf(size, measured[size.name]!)).join("\n")}`;
}

function stepsOf({ name, words }: SampleSize, run: Measured): string {
  const { steps, rates, workingMegapixels, heaviest } = run;
  const rows = steps.map((cost) => [
    `${cost.step} ${STEPS.find(({ number }) => number === cost.step)!.name}`,
    cost.cpuSeconds.toFixed(1),
    orNothing(cost.cpuSeconds * toReference(cost), (value) => value.toFixed(1)),
    cost.wallSeconds.toFixed(1),
    (cost.cpuSeconds / cost.wallSeconds).toFixed(2),
    whole(cost.peakMb),
    gb(cost.readBytes),
    gb(cost.writtenBytes),
    cost.stillSeconds?.toFixed(1) ?? "",
    rates && workingMegapixels !== undefined
      ? floorSeconds(cost, rates, workingMegapixels).toFixed(1)
      : "",
  ]);
  const head = [
    "Step",
    "CPU s",
    AT_REFERENCE,
    "Wall s",
    "CPU/wall",
    "Peak, MB",
    "Read, GB",
    "Written, GB",
    "Stall, s",
    "Floor, s",
  ];
  const ratesOf = rates
    ? ` Disk ${whole(rates.readMbPerS)} MB/s read and ${whole(rates.writeMbPerS)} MB/s written, matrix product ${rates.gflops} GFLOP/s per core.`
    : "";
  return `## ${name}

${words[0].toUpperCase()}${words.slice(1)}: ${whole(run.sample.places)} spots or bins, ${whole(run.sample.genes)} genes, ${whole(run.sample.umis)} UMIs, ${whole(run.sample.cells)} cells. Commit ${run.commit}, ${run.date}, ${run.machine}, load ${run.load[0].toFixed(1)} before and ${run.load[1].toFixed(1)} after.${ratesOf}

${table(head, rows)}
${heaviest ? `\n${heaviestOf(heaviest)}` : ""}`;
}

/** The functions that took the most time, in a separate run under Linux's perf (`--profiles`). */
function heaviestOf(heaviest: Record<number, HeavyFunction[]>): string {
  const lines = Object.entries(heaviest).map(([step, functions]) => {
    const each = functions.map(({ name, share }) => `\`${name}\` ${(100 * share).toFixed(0)}%`);
    return `- Step ${step}: ${each.join(", ")}`;
  });
  return `Functions with the most CPU time of their own, as a share of all CPU time of the step's threads, from a separate run
under Linux's perf (\`--profiles\`). Libraries without function names are listed as a whole:

${lines.join("\n")}
`;
}

/** Samples measured as both a quarter slide and a whole slide. */
export function measuredPairs(
  measured: Measurements,
): { kind: string; quarter: Measured; full: Measured }[] {
  return ["visium", "hd8", "hd2"].flatMap((kind) => {
    const [quarter, full] = [measured[`${kind}-quarter`], measured[`${kind}-full`]];
    return quarter && full ? [{ kind, quarter, full }] : [];
  });
}

/** Growth of CPU seconds from a quarter slide to a whole one, as an exponent of the number of spots or bins. */
function growth(measured: Measurements): string {
  const pairs = measuredPairs(measured);
  if (pairs.length === 0) return "";
  const rows = STEPS.map(({ number, name }) => [
    `${number} ${name}`,
    ...pairs.map(({ quarter, full }) => {
      const cpu = (run: Measured): number => {
        const cost = run.steps.find(({ step }) => step === number)!;
        return cost.cpuSeconds * toReference(cost);
      };
      const times = full.sample.places / quarter.sample.places;
      return orNothing(Math.log(cpu(full) / cpu(quarter)) / Math.log(times), (value) =>
        value.toFixed(2),
      );
    }),
  ]);
  const isMixed = pairs.some(({ quarter, full }) => quarter.commit !== full.commit);
  const mixed = isMixed
    ? " Not every quarter was measured at the same commit as its whole, so these exponents also include differences between versions."
    : "";
  return `## Growth

Exponents of CPU seconds (at speed 1) over the number of spots or bins, from a quarter to the whole; 1 is linear.${mixed}

${table(["Step", ...pairs.map(({ kind }) => kind)], rows)}

${pairs.map(({ kind }) => `![CPU seconds of each step by the number of spots or bins, ${kind}](images/growth-${kind}.svg)`).join("\n\n")}

`;
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = line(head.map((_, i) => (i === 0 ? "---" : "---:")));
  return [line(head), rule, ...rows.map(line)].join("\n");
}
