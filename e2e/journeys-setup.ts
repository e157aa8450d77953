import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { executable } from "./browser.ts";
import { buyPlan, call, newAccount } from "./client.ts";
import { startPlatform, type Platform } from "./platform.ts";
import { TURN_PATH, type SharedPlatform } from "./shared-platform.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL that starts the journeys' platform on first request and returns its details. */
    journeysHost: string;
  }
}

/** Data folder of an earlier run to reuse while developing a journey: it keeps the finished sample project. */
const KEPT_DATA = process.env["STIPPLE_JOURNEYS_DATA"];

/**
 * One platform for all journeys, with one account whose sample project is being run. It is started by the first file
 * that requests it, so that other tests do not compete with it for CPU cores.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Unpack it once, before two files start it concurrently.
  await executable();
  let starting: Promise<[Platform, SharedPlatform]> | undefined;
  const takeTurn = openTurns();
  const host = createServer(({ url }, answer) => {
    if (url === TURN_PATH) return takeTurn(answer);
    starting ??= start();
    starting.then(
      ([, shared]) => answer.end(JSON.stringify(shared)),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
  project.provide("journeysHost", `http://127.0.0.1:${(host.address() as AddressInfo).port}`);
  return async () => {
    host.close();
    const [platform] = (await starting?.catch(() => undefined)) ?? [];
    if (KEPT_DATA) await platform?.interrupt();
    else await platform?.close();
  };
}

/** A turn lasts as long as its connection, so that a journey that fails ends its own. */
function openTurns(): (answer: ServerResponse) => void {
  let last: Promise<unknown> = Promise.resolve();
  return (answer) => {
    const before = last;
    last = Promise.all([before, once(answer, "close")]);
    void before.then(() => answer.writeHead(200).flushHeaders());
  };
}

async function start(): Promise<[Platform, SharedPlatform]> {
  if (KEPT_DATA) await mkdir(KEPT_DATA, { recursive: true });
  const platform = await startPlatform({
    ...(KEPT_DATA && { dataDir: KEPT_DATA, environment: { STIPPLE_THROWAWAY_DATABASE: "" } }),
  });
  const { url, dataDir } = platform;
  const kept = join(dataDir, "sample.json");
  if (existsSync(kept)) {
    const { token, projectId } = JSON.parse(await readFile(kept, "utf8")) as SharedPlatform;
    return [platform, { url, dataDir, token, projectId }];
  }
  const token = await newAccount(url, "ada@example.org");
  // With a plan, because results of trial accounts cannot be saved to files.
  await buyPlan(url, token, "Single Analysis");
  const { project_id: projectId } = await call(url, "POST", "/create_sample_project", { token });
  await call(url, "POST", "/run_workflow", { token, body: { project_id: projectId } });
  await writeFile(kept, JSON.stringify({ token, projectId }));
  return [platform, { url, dataDir, token, projectId }];
}
