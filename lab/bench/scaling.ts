/**
 * Measures the speedup from more workers and the effect of losing some: `npm run scaling -- --samples 4 --size 600`.
 * Starts whole installations on this machine (apps/server/test/cluster): PostgreSQL, an S3-compatible server, two APIs
 * behind one address, and single-threaded workers, in their own networks where possible. First it runs the same samples
 * with 1, 2, and 4 workers; then with four, of which two are killed in the middle of a step and one loses its network.
 * Fails if any result differs from an undisturbed local analysis of the same files.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { simulateTissue } from "@stipple/tissue";
import {
  startCluster,
  type Cluster,
  type ClusterWorker,
} from "../../apps/server/test/cluster/cluster.ts";
import { noNamespaces } from "../../apps/server/test/cluster/network-namespace.ts";
import { Person } from "../../apps/server/test/cluster/person.ts";
import {
  localContents,
  publishedContents,
  type RunContents,
} from "../../apps/server/test/cluster/same-results.ts";
import { openSampleDataset } from "../../apps/server/src/sample/sample-dataset.ts";

const { values } = parseArgs({
  options: {
    samples: { type: "string", default: "4" },
    size: { type: "string", default: "600" },
    genes: { type: "string", default: "400" },
    workers: { type: "string", default: "1,2,4" },
  },
});
const samples = Number(values.samples);
const namespaces = noNamespaces() === null;

type Files = ReadonlyMap<string, string>;
const nameOf = (index: number) => `Sample ${index + 1}`;

const folder = await mkdtemp(join(tmpdir(), "stipple-scaling-"));
let differences = 0;
try {
  const tissues: Files[] = [];
  for (let index = 0; index < samples; index++) {
    const sample = openSampleDataset(join(folder, `sample-${index}`));
    const size = { sizeUm: Number(values.size), nGenes: Number(values.genes) };
    await simulateTissue({ out: sample.folder, seed: index + 1, ...size });
    tissues.push(await sample.files());
  }
  console.log(
    `${availableParallelism()} × ${cpus()[0]?.model}, Node ${process.version}; ${samples} simulated samples of ` +
      `${values.size} µm and ${values.genes} genes; workers of one thread, ` +
      (namespaces
        ? "each in its own network and PID namespace."
        : `on one network (${noNamespaces()}).`),
  );
  const alone = await speed(tissues);
  await disturbed(tissues, alone);
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (differences > 0) process.exitCode = 1;

/** Prints the table of speeds and bytes. Returns the results of a local run on the first installation's inputs. */
async function speed(tissues: Files[]): Promise<RunContents[]> {
  console.log(
    "\n| Workers | All done | Samples per hour | Speedup | Objects written | read | Other requests | Load before |",
  );
  console.log("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  let alone: RunContents[] | undefined;
  let first = 0;
  for (const count of values.workers.split(",").map(Number)) {
    await using cluster = await startCluster({ namespaces });
    const people = await joinAll(cluster, tissues);
    alone ??= await alonePer(cluster, people);
    for (let n = 0; n < count; n++) await cluster.addWorker();
    const before = loadavg()[0];
    const moved = cluster.moved.workers;
    const started = performance.now();
    for (const person of people) await person.start();
    await finished(people);
    const seconds = (performance.now() - started) / 1000;
    first ||= seconds;
    const per = (bytes: number) => `${(bytes / samples / 1e6).toFixed(1)} MB`;
    console.log(
      `| ${count} | ${seconds.toFixed(0)} s | ${((samples * 3600) / seconds).toFixed(0)} | ${(first / seconds).toFixed(2)} | ` +
        (cluster.storage === "S3"
          ? `${(moved.written / samples).toFixed(0)}, ${per(moved.writtenBytes)} | ${(moved.reads / samples).toFixed(0)}, ${per(moved.readBytes)} | ${(moved.otherRequests / samples).toFixed(0)} | `
          : "not counted over a folder | – | – | ") +
        `${before.toFixed(1)} |`,
    );
    await compare(cluster, people, alone);
  }
  return alone!;
}

/** Four workers; two are killed and one loses its network, each in the middle of a step of a different run. */
async function disturbed(tissues: Files[], alone: RunContents[]): Promise<void> {
  console.log("\n| Lost | In step | Resumed elsewhere after | Results compared |");
  console.log("| --- | ---: | ---: | --- |");
  await using cluster = await startCluster({ namespaces });
  const workers: ClusterWorker[] = [];
  for (let n = 0; n < 4; n++) workers.push(await cluster.addWorker());
  const people = await joinAll(cluster, tissues);
  for (const person of people) await person.start();
  const lost: Promise<[string, number, number, Person]>[] = [];
  let cutOff: ClusterWorker | undefined;
  for (const [index, how] of (["killed", "network gone", "killed"] as const).entries()) {
    const person = people[index];
    const step = index + 1;
    await person.until((now) => (now.current_step ?? 0) >= step);
    const holder = (await holderOf(cluster, person))!;
    const worker = workers.find(({ id }) => id === holder)!;
    if (how === "killed") await worker.kill();
    else await (cutOff = worker).cut();
    lost.push(takenFrom(cluster, person, holder).then((after) => [how, step, after, person]));
  }
  // Start replacements, as a cluster would.
  for (let n = 0; n < 2; n++) await cluster.addWorker();
  const taken = await Promise.all(lost);
  await cutOff?.mend();
  await finished(people);
  const same = await compare(cluster, people, alone);
  for (const [how, step, after, person] of taken) {
    const equal = same[people.indexOf(person)] ? "identical" : "DIFFERENT";
    console.log(`| ${how} | ${step} | ${after.toFixed(0)} s | ${equal} |`);
  }
  const untouched = same.slice(taken.length).every(Boolean) ? "identical" : "DIFFERENT";
  console.log(`| – | – | – | ${untouched} |`);
  console.log(`\nRequests handled by each API: ${cluster.proxy.handed.join(", ")}.`);
  const ended = cutOff?.hasEnded ? "ended by itself" : "was refused and continues without a run";
  console.log(`The worker without a network, after reconnecting: ${ended}.`);
}

async function joinAll(cluster: Cluster, tissues: Files[]): Promise<Person[]> {
  const people: Person[] = [];
  for (const [index, files] of tissues.entries()) {
    const person = await Person.join(cluster.proxy.url, nameOf(index));
    await person.upload(files);
    people.push(person);
  }
  return people;
}

async function alonePer({ context }: Cluster, people: Person[]): Promise<RunContents[]> {
  const contents: RunContents[] = [];
  for (const [index, { project }] of people.entries()) {
    contents.push(await localContents(context, project, nameOf(index)));
  }
  return contents;
}

async function finished(people: Person[]): Promise<void> {
  await Promise.all(
    people.map((person) => person.until(({ status }) => status === "completed", 3_600_000)),
  );
}

async function compare(
  { context }: Cluster,
  people: Person[],
  alone: RunContents[],
): Promise<boolean[]> {
  const same: boolean[] = [];
  for (const [index, { project }] of people.entries()) {
    const published = await publishedContents(context, project);
    same.push(isDeepStrictEqual(published, alone[index]));
    if (same[index]) continue;
    differences++;
    console.log(`${nameOf(index)} differs from the local analysis.`);
  }
  return same;
}

async function holderOf({ context }: Cluster, { project }: Person): Promise<string | null> {
  const run = await context.database.db
    .selectFrom("runs")
    .select("worker")
    .where("project_id", "=", project)
    .executeTakeFirstOrThrow();
  return run.worker;
}

/** Seconds until another worker holds the run. */
async function takenFrom(cluster: Cluster, person: Person, former: string): Promise<number> {
  const from = performance.now();
  for (;;) {
    const holder = await holderOf(cluster, person);
    if (holder !== null && holder !== former) return (performance.now() - from) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
