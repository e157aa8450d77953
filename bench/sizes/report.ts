import { STEPS } from "@stipple/contract";
import type { StepCost } from "./measure.ts";
import { SIZES, type SampleSize } from "./sizes.ts";

/** What was measured of a size, and of which code. */
export interface Measured {
  commit: string;
  date: string;
  machine: string;
  /** Mean load of the machine before the run and after it. */
  load: [before: number, after: number];
  sample: {
    places: number;
    genes: number;
    umis: number;
    cells: number;
    /** Of all files but the image. */
    countsBytes: number;
    imageBytes: number;
    megapixels: number;
    areaMm2: number;
  };
  steps: StepCost[];
}
export type Measurements = Partial<Record<string, Measured>>;

const total = (steps: readonly StepCost[], of: (step: StepCost) => number): number =>
  steps.reduce((sum, step) => sum + of(step), 0);
const gb = (bytes: number): string => (bytes / 1e9).toFixed(2);
const whole = (value: number): string => Math.round(value).toLocaleString("en");

/** docs/speed.md, from what was measured. */
export function speedPage(measured: Measurements): string {
  const ran = SIZES.filter(({ name }) => measured[name]);
  return `# Speed

Written by \`npm run bench:sizes\`, which makes samples of named sizes from simulated pieces of 1.2 mm laid side by side (18,000
genes, half of them rare) and runs every step in a process of its own. CPU seconds are of the process and all that it starts;
they are the figure to compare, because machines are shared. Memory is the most that all these processes held together.
Bytes are those that the step's process read and wrote, the system's cache included. "Stands still" is the longest time
in which less than half a percent of a step's progress was told.

${table(
  [
    "Sample",
    "Spots or bins",
    "Cells",
    "Image, GB",
    "CPU s",
    "Wall s",
    "CPU/wall",
    "Peak, MB",
    "Read, GB",
    "Written, GB",
  ],
  ran.map((size) => {
    const { sample, steps } = measured[size.name]!;
    const [cpu, wall] = [total(steps, (s) => s.cpuSeconds), total(steps, (s) => s.wallSeconds)];
    return [
      `${size.name} (${size.words})`,
      whole(sample.places),
      whole(sample.cells),
      gb(sample.imageBytes),
      whole(cpu),
      whole(wall),
      (cpu / wall).toFixed(2),
      whole(Math.max(...steps.map(({ peakMb }) => peakMb))),
      gb(total(steps, (s) => s.readBytes)),
      gb(total(steps, (s) => s.writtenBytes)),
    ];
  }),
)}

${growth(measured)}${ran.map((size) => stepsOf(size, measured[size.name]!)).join("\n")}`;
}

function stepsOf({ name, words }: SampleSize, { steps, ...run }: Measured): string {
  const rows = steps.map((cost) => [
    `${cost.step} ${STEPS.find(({ number }) => number === cost.step)!.name}`,
    cost.cpuSeconds.toFixed(1),
    cost.wallSeconds.toFixed(1),
    (cost.cpuSeconds / cost.wallSeconds).toFixed(2),
    whole(cost.peakMb),
    gb(cost.readBytes),
    gb(cost.writtenBytes),
    cost.stillSeconds?.toFixed(1) ?? "",
  ]);
  const head = [
    "Step",
    "CPU s",
    "Wall s",
    "CPU/wall",
    "Peak, MB",
    "Read, GB",
    "Written, GB",
    "Stands still, s",
  ];
  return `## ${name}

${words[0].toUpperCase()}${words.slice(1)}: ${whole(run.sample.places)} spots or bins, ${whole(run.sample.genes)} genes, ${whole(run.sample.umis)} UMIs, ${whole(run.sample.cells)} cells. Commit ${run.commit}, ${run.date}, ${run.machine}, load ${run.load[0].toFixed(1)} before and ${run.load[1].toFixed(1)} after.

${table(head, rows)}
`;
}

/** How CPU seconds grow from a quarter of a slide to a whole one: the exponent of the number of spots or bins. */
function growth(measured: Measurements): string {
  const pairs = ["visium", "hd8", "hd2"].flatMap((kind) => {
    const [quarter, full] = [measured[`${kind}-quarter`], measured[`${kind}-full`]];
    return quarter && full ? [{ kind, quarter, full }] : [];
  });
  if (pairs.length === 0) return "";
  const rows = STEPS.map(({ number, name }) => [
    `${number} ${name}`,
    ...pairs.map(({ quarter, full }) => {
      const cpu = (run: Measured): number =>
        run.steps.find(({ step }) => step === number)!.cpuSeconds;
      const times = full.sample.places / quarter.sample.places;
      return (Math.log(cpu(full) / cpu(quarter)) / Math.log(times)).toFixed(2);
    }),
  ]);
  const isMixed = pairs.some(({ quarter, full }) => quarter.commit !== full.commit);
  const mixed = isMixed
    ? " Not every quarter was measured at the commit of its whole (below), so differences between versions are in these exponents too."
    : "";
  return `## Growth

Exponents of CPU seconds over the number of spots or bins, from a quarter to the whole; 1 is linear.${mixed}

${table(["Step", ...pairs.map(({ kind }) => kind)], rows)}

`;
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = line(head.map((_, i) => (i === 0 ? "---" : "---:")));
  return [line(head), rule, ...rows.map(line)].join("\n");
}
