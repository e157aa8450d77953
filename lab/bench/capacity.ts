/**
 * What an installation for many labs needs: `npm run capacity -- --labs 1000 --weeks 12 --seed 1`. This is a
 * discrete-event simulation, not a measurement. Its assumptions are in capacity/assumptions.ts and in its output, which
 * docs/scaling.md contains.
 */
import { parseArgs } from "node:util";
import { STATUS_POLL_MS } from "@stipple/contract";
import { arrivalsOf, DAY, WEEK, type Arrival } from "./capacity/arrivals.ts";
import { ASSUMPTIONS } from "./capacity/assumptions.ts";
import { simulate } from "./capacity/simulate.ts";

const { values } = parseArgs({
  options: {
    labs: { type: "string", default: "1000" },
    weeks: { type: "string", default: "12" },
    seed: { type: "string", default: "1" },
    workers: { type: "string", default: "2,3,4,6,8,12,16" },
  },
});
const [labs, weeks, seed] = [values.labs, values.weeks, values.seed].map(Number) as [
  number,
  number,
  number,
];
/** Database connections, as counted in docs/scaling.md: per API, per worker, and for startup and the doctor. */
const CONNECTIONS = { api: 20, worker: 10, beside: 3 };
const APIS = 2;

const arrivals = arrivalsOf(labs, weeks, seed);
const work = arrivals.reduce((sum, { seconds }) => sum + seconds, 0);
print([
  [`Assumptions (${labs} labs)`, "Value", "Source"],
  ["---", "---:", "---"],
  ...Object.values(ASSUMPTIONS).map(({ what, value, unit, source }) => [
    what,
    `${value.toLocaleString("en-US")} ${unit}`.trim(),
    source,
  ]),
]);
const perWeek = (count: number) => Math.round(count / weeks).toLocaleString("en-US");
const reruns = arrivals.filter(({ isRerun }) => isRerun).length;
console.log(
  `\n${perWeek(arrivals.length)} runs per week, ${perWeek(reruns)} of them reruns from step 5, take ` +
    `${(work / weeks / 3600).toFixed(0)} worker hours; the busiest hour has ${busiestHour(arrivals)} runs.\n`,
);
print([
  [
    "Workers",
    "Busy",
    "Wait: median",
    "95%",
    "99%",
    "Visium, 95%",
    "HD, 95%",
    "Most in progress",
    "Most status requests per second",
    "Connections",
  ],
  Array.from({ length: 10 }, () => "---:"),
  ...values.workers.split(",").map((text) => {
    const count = Number(text);
    const { waits, busy, maxUnderWay } = simulate(arrivals, count, seed);
    const of = (share: number, which = waits) =>
      duration(
        percentile(
          which.map(({ wait }) => wait),
          share,
        ),
      );
    const polls = (maxUnderWay * ASSUMPTIONS.watching.value * 1000) / STATUS_POLL_MS;
    const connections = APIS * CONNECTIONS.api + count * CONNECTIONS.worker + CONNECTIONS.beside;
    return [
      count,
      `${(busy * 100).toFixed(0)}%`,
      of(0.5),
      of(0.95),
      of(0.99),
      of(
        0.95,
        waits.filter(({ isHd }) => !isHd),
      ),
      of(
        0.95,
        waits.filter(({ isHd }) => isHd),
      ),
      maxUnderWay,
      polls.toFixed(1),
      connections,
    ].map(String);
  }),
]);
console.log(`\n${storage(arrivals)}`);

/** How fast storage grows, and where it levels off. */
function storage(runs: readonly Arrival[]): string {
  const { visiumInputGb, visiumOutputGb, hdInputGb, hdOutputGb, keptDays } = ASSUMPTIONS;
  const gbOf = ({ isHd }: Arrival): number =>
    isHd ? hdInputGb.value + hdOutputGb.value : visiumInputGb.value + visiumOutputGb.value;
  const slides = runs.filter(({ isRerun }) => !isRerun);
  const gbPerWeek = slides.reduce((sum, run) => sum + gbOf(run), 0) / weeks;
  const kept = (gbPerWeek * keptDays.value * DAY) / WEEK;
  return (
    `Storage grows by ${(gbPerWeek / 1000).toFixed(1)} TB per week, because reruns replace results, until the first ` +
    `projects expire after ${keptDays.value} days; it then stays at ${(kept / 1000).toFixed(0)} TB.`
  );
}

function busiestHour(runs: readonly Arrival[]): number {
  const hours = Map.groupBy(runs, ({ at }) => Math.floor(at / 3600));
  return Math.max(...[...hours.values()].map(({ length }) => length));
}

function percentile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function duration(seconds: number): string {
  if (seconds < 1) return "0";
  if (seconds < 90) return `${seconds.toFixed(0)} s`;
  if (seconds < 5400) return `${(seconds / 60).toFixed(0)} min`;
  if (seconds < 2 * DAY) return `${(seconds / 3600).toFixed(1)} h`;
  return `${(seconds / DAY).toFixed(1)} days`;
}

function print(rows: readonly (readonly string[])[]): void {
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
}
