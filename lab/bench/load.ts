/**
 * Latency of polling under load: `npm run bench:load -- --people 200 --seconds 30 --pace 1`. On this machine only. Each
 * user requests everything that pages poll, at the pages' intervals, `--pace` times as often. Users also poll a no-op
 * route at the status interval, on the same server at the same time: its latency is the machine's own. Fails if any p99
 * exceeds three times that route's. `--profile FOLDER` writes a CPU profile of the server there.
 */
import { fork } from "node:child_process";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { QUEUE_POLL_MS, STATUS_POLL_MS, SUBSCRIPTION_REFRESH_MS } from "@stipple/contract";
import type { FromServer, Held, Person, ToServer } from "./load/messages.ts";

const MAX_RATIO = 3;
const { values } = parseArgs({
  options: {
    people: { type: "string", default: "200" },
    seconds: { type: "string", default: "30" },
    pace: { type: "string", default: "1" },
    profile: { type: "string" },
  },
});
const bounded = (text: string, most: number): number => Math.min(most, Math.max(1, Number(text)));
const people = bounded(values.people, 1000);
const seconds = bounded(values.seconds, 120);
const pace = bounded(values.pace, 20);

interface Polled {
  name: string;
  everyMs: number;
  path: (person: Person) => string;
}
const POLLED: Polled[] = [
  { name: "nothing", everyMs: STATUS_POLL_MS, path: () => "/bench/nothing" },
  {
    name: "status",
    everyMs: STATUS_POLL_MS,
    path: ({ project }) => `/api/status?project_id=${project}`,
  },
  {
    name: "verify",
    everyMs: SUBSCRIPTION_REFRESH_MS,
    path: () => "/api/verify-subscription",
  },
  { name: "queue", everyMs: QUEUE_POLL_MS, path: () => "/api/workflow-queue-status" },
  { name: "projects", everyMs: STATUS_POLL_MS, path: () => "/api/projects" },
];

const server = fork(fileURLToPath(new URL("./load/server.ts", import.meta.url)), [`${people}`], {
  execArgv: [
    "--expose-gc",
    ...(values.profile ? ["--cpu-prof", "--cpu-prof-dir", values.profile] : []),
  ],
});
const ended = new Promise<void>((done) => server.once("exit", () => done()));
const { url, people: made } = await heard("ready");

const agent = new Agent({ keepAlive: true, maxSockets: people });
const waits = new Map(POLLED.map(({ name }) => [name, [] as number[]]));
const failures = new Map<string, number>();
/** The first seconds go to JIT compilation and opening connections. */
const WARM_UP_S = 5;
const start = performance.now();
const from = start + WARM_UP_S * 1000;
const until = from + seconds * 1000;

/** Resource use before and after the measured period. */
const held: Held[] = [];
const first = sleep(WARM_UP_S * 1000).then(async () => held.push(await asked("held")));
await Promise.all(
  POLLED.flatMap((polled) => made.map((person, n) => poll(polled, person, n / made.length))),
);
await first;
held.push(await asked("held"));
const queries = new Map<string, number>();
// The last user's project is complete.
const someone = made.at(-1)!;
for (const { name, path } of POLLED) {
  server.send({ kind: "queries", path: path(someone), token: someone.token } satisfies ToServer);
  queries.set(name, (await heard("queries")).count);
}
agent.destroy();
server.disconnect();
await ended;
report();

async function asked(kind: "held"): Promise<Held> {
  server.send({ kind } satisfies ToServer);
  return (await heard("held")).held;
}

function heard<K extends FromServer["kind"]>(kind: K): Promise<FromServer & { kind: K }> {
  return new Promise((resolve, reject) => {
    const hear = (message: FromServer): void => {
      if (message.kind !== kind) return;
      server.off("message", hear);
      resolve(message as FromServer & { kind: K });
    };
    server.on("message", hear);
    server.once("exit", () => reject(new Error("The server has ended.")));
  });
}

/** One user's polls: each starts one interval after the last started, as on a page, and never overlaps it. */
async function poll(polled: Polled, person: Person, phase: number): Promise<void> {
  const everyMs = polled.everyMs / pace;
  let next = start + phase * everyMs;
  for (;;) {
    await sleep(Math.max(0, next - performance.now()));
    const began = performance.now();
    if (began >= until) return;
    const status = await get(polled.path(person), person.token);
    if (status !== 200) failures.set(polled.name, (failures.get(polled.name) ?? 0) + 1);
    if (began >= from) waits.get(polled.name)?.push(performance.now() - began);
    next = Math.max(next + everyMs, performance.now());
  }
}

function get(path: string, token: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = request(new URL(path, url), { agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.once("error", () => resolve(0));
    asked.end();
  });
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

function report(): void {
  const sorted = new Map([...waits].map(([name, list]) => [name, list.toSorted((a, b) => a - b)]));
  const nothing = percentile(sorted.get("nothing") ?? [], 0.99);
  console.log(`${people} people, ${seconds} s, ${pace} times the pages' pace; milliseconds\n`);
  console.log("| Route | Queries | Answers | Errors | p50 | p95 | p99 | p99 vs. nothing |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  let over = false;
  for (const [name, list] of sorted) {
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(list, share));
    const ratio = (p99 ?? NaN) / nothing;
    over ||= ratio > MAX_RATIO;
    const cells = [p50, p95, p99].map((ms) => (ms ?? NaN).toFixed(1));
    console.log(
      `| ${name} | ${queries.get(name)} | ${list.length} | ${failures.get(name) ?? 0} | ${cells.join(" | ")} | ${ratio.toFixed(2)} |`,
    );
  }
  const [before, after] = held;
  if (before && after) {
    const answers = [...waits.values()].reduce((sum, list) => sum + list.length, 0);
    const cpuMs = (1000 * (after.cpuSeconds - before.cpuSeconds)) / answers;
    const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);
    console.log(
      `\nServer: ${cpuMs.toFixed(2)} ms of CPU per response; memory ${mb(before.rss)} → ${mb(after.rss)} MB, of which live after garbage collection ${mb(before.live)} → ${mb(after.live)} MB.`,
    );
  }
  if (over || failures.size > 0) {
    console.error(`\nA p99 is over ${MAX_RATIO} times that of the no-op route, or calls failed.`);
    process.exitCode = 1;
  }
}
