import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulateTissue } from "@stipple/tissue";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSampleDataset } from "../src/sample/sample-dataset.ts";
import { LEASE_MS } from "../src/runs/worker/workers.ts";
import { startCluster, type Cluster, type ClusterWorker } from "./cluster/cluster.ts";
import { Person } from "./cluster/person.ts";
import { localContents, publishedContents } from "./cluster/same-results.ts";
import { noS3 } from "./s3-server.ts";

/** The short form of `npm run scaling`. */
const storage = noS3 ? `a folder, because there is ${noS3}` : "an S3 server";

let cluster: Cluster;
let folder: string;
let files: ReadonlyMap<string, string>;
beforeAll(async () => {
  cluster = await startCluster();
  folder = await mkdtemp(join(tmpdir(), "stipple-sample-"));
  const sample = openSampleDataset(folder);
  await simulateTissue({ out: sample.folder, seed: 5, sizeUm: 300, nGenes: 200 });
  files = await sample.files();
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const holderOf = async (person: Person) =>
  (
    await cluster.context.database.db
      .selectFrom("runs")
      .select("worker")
      .where("project_id", "=", person.project)
      .executeTakeFirstOrThrow()
  ).worker;

const publishedBy = (worker: ClusterWorker) => worker.output.split('"step published"').length - 1;

// Three workers and full runs take minutes.
describe.runIf(process.env["LONG_TESTS"])(
  `workers that share nothing but the database and ${storage}`,
  () => {
    it("finish what a killed or disconnected worker started, with the same results as one undisturbed machine", async () => {
      const workers = [await cluster.addWorker(), await cluster.addWorker()];
      const people: Person[] = [];
      for (const name of ["Cut off", "Killed"]) {
        const person = await Person.join(cluster.proxy.url, name);
        await person.upload(files);
        await person.start();
        people.push(person);
      }
      const [first, second] = people as [Person, Person];
      const inStep = (step: number) => (person: Person) =>
        person.until((now) => (now.current_step ?? 0) >= step);
      const workerOf = async (person: Person): Promise<ClusterWorker> => {
        const id = await holderOf(person);
        return workers.find((worker) => worker.id === id)!;
      };

      await Promise.all(people.map(inStep(1)));
      const [lost, killed] = [await workerOf(first), await workerOf(second)];
      expect(lost).not.toBe(killed);
      await lost.cut();
      await killed.kill();
      const cutAt = Date.now();
      const other = await cluster.addWorker();

      // Meanwhile, compute the same results on a single machine.
      const alone = {
        killed: await localContents(cluster.context, second.project, "Killed"),
        lost: await localContents(cluster.context, first.project, "Cut off"),
      };
      await second.until(({ status }) => status === "completed");
      await expect.poll(() => holderOf(first), { timeout: LEASE_MS + 120_000 }).toBe(other.id);
      expect(Date.now() - cutAt).toBeGreaterThan(LEASE_MS / 2);
      // Nothing the lost worker computed in the meantime counts, whether it tries to publish it or exits first.
      const published = publishedBy(lost);
      await lost.mend();
      await first.until(({ status }) => status === "completed");
      expect(publishedBy(lost)).toBe(published);

      expect(await publishedContents(cluster.context, second.project)).toEqual(alone.killed);
      const again = await publishedContents(cluster.context, first.project);
      expect(Object.keys(again.files).length).toBeGreaterThan(50);
      expect(again).toEqual(alone.lost);
      // Both APIs served requests.
      expect(Math.min(...cluster.proxy.handed)).toBeGreaterThan(20);
    }, 900_000);
  },
);
