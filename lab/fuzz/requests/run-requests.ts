import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Route } from "@stipple/contract";
import { MATRIX } from "../../../apps/server/test/contract/calls.ts";
import { ROUTES } from "../../../apps/server/test/contract/routes.ts";
import { processorTimeOf } from "../processor-time.ts";
import { faultOf, type Received } from "./judge.ts";
import { makeRequest, type MadeRequest } from "./make-request.ts";
import type { Target, World } from "./world.ts";

/** Limits per response: CPU time of the server, also for what it answers meanwhile, and total time. */
const HANG_MS = 5_000;
const TIMEOUT_MS = 30_000;
const POLL_MS = 250;
const AT_ONCE = 8;
/** How often, and after which time, a valid request is sent again that has to wait for its turn. */
const MAX_TURNS = 40;
const TURN_MS = 500;
/** By then, calls that end sessions and delete projects have used up the spare ones. */
const REQUESTS_A_WORLD = 12 * ROUTES.length;

export interface RequestFailure {
  route: string;
  index: number;
  fault: string;
  method: string;
  path: string;
  body: string;
}

export interface RouteReport {
  requests: number;
  /** Responses with status 2xx or 304. */
  answered: number;
  refused: number;
  slowestMs: number;
}

export interface RequestsReport {
  routes: Record<string, RouteReport>;
  failures: RequestFailure[];
  /** At the start, at peak, and at the end. */
  memoryMb: { first: number; most: number; last: number };
}

/** Sends `requests` mutated requests, equally many to every route, and counts the outcomes. */
export async function runRequests(
  target: Target,
  { requests, seed, first = 0 }: { requests: number; seed: number; first?: number },
  each: (failure: RequestFailure) => void = () => undefined,
): Promise<RequestsReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const routes: Record<string, RouteReport> = {};
  for (const [name] of ROUTES) {
    routes[name] = { requests: 0, answered: 0, refused: 0, slowestMs: 0 };
  }
  const failures: RequestFailure[] = [];
  const firstMb = await target.memoryMb();
  const memoryMb = { first: firstMb, most: firstMb, last: firstMb };

  async function one(index: number, world: World): Promise<void> {
    const [name, route] = ROUTES[index % ROUTES.length];
    // Start with valid requests, to verify that every route is reached.
    const isPlain = index < ROUTES.length;
    const made = makeRequest(name, route, world, seed * 1_000_003 + index, isPlain);
    let { fault, received, ms } = await judged(route, made, agent, target);
    // Retry once: another program may have slowed the machine, so only a repeated failure counts.
    if (received === undefined)
      ({ fault, received, ms } = await judged(route, made, agent, target));
    // More computations on one project than may wait are refused for a moment.
    for (let tries = 0; isPlain && received?.status === 429 && tries < MAX_TURNS; tries++) {
      await sleep(TURN_MS);
      ({ fault, received, ms } = await judged(route, made, agent, target));
    }
    const report = routes[name];
    report.requests++;
    report.slowestMs = Math.max(report.slowestMs, ms);
    if (received) report[received.status < 400 ? "answered" : "refused"]++;
    if (fault === null) return;
    const failure = {
      route: name,
      index,
      fault,
      method: made.method,
      path: made.path.slice(0, 500),
      body: made.body?.toString().slice(0, 500) ?? "",
    };
    failures.push(failure);
    each(failure);
  }

  try {
    for (let from = first; from < first + requests; from += REQUESTS_A_WORLD) {
      const world = await newWorld(target);
      const until = Math.min(first + requests, from + REQUESTS_A_WORLD);
      let next = from;
      const worker = async (end: number): Promise<void> => {
        while (next < end) await one(next++, world);
      };
      // Valid requests one after another: several of them start processes, which must not count against others.
      await worker(Math.min(until, ROUTES.length));
      await Promise.all(Array.from({ length: AT_ONCE }, () => worker(until)));
      memoryMb.last = await target.memoryMb();
      memoryMb.most = Math.max(memoryMb.most, memoryMb.last);
    }
  } finally {
    agent.destroy();
  }
  return { routes, failures, memoryMb };
}

async function newWorld({ people, spare }: Target): Promise<World> {
  const world: World = { people, spare: {} };
  for (const [name, row] of Object.entries(MATRIX)) {
    if (row.spare) world.spare[name] = await spare();
  }
  return world;
}

/** The route that answers: a path with another method may belong to another one. */
function answering(route: Route, { method }: MadeRequest): Route {
  const other = ROUTES.find(([, each]) => each.path === route.path && each.method === method);
  return other?.[1] ?? route;
}

async function judged(
  route: Route,
  made: MadeRequest,
  agent: Agent,
  target: Target,
): Promise<{ fault: string | null; received: Received | undefined; ms: number }> {
  const start = performance.now();
  try {
    const received = await send(made, agent, target);
    const ms = performance.now() - start;
    return { fault: faultOf(answering(route, made), made, received), received, ms };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { fault, received: undefined, ms: performance.now() - start };
  }
}

function send(made: MadeRequest, agent: Agent, { url, pid }: Target): Promise<Received> {
  const { hostname, port } = new URL(url);
  const [start, usedBefore] = [performance.now(), processorTimeOf(pid)];
  return new Promise((resolve, reject) => {
    const asked = request(
      { agent, hostname, port, method: made.method, path: made.path, headers: made.headers },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.once("error", reject);
        answer.once("end", () => {
          clearInterval(timer);
          resolve({
            status: answer.statusCode ?? 0,
            type: answer.headers["content-type"] ?? "",
            body: Buffer.concat(pieces),
          });
        });
      },
    );
    const timer = setInterval(() => {
      const [waited, used] = [performance.now() - start, processorTimeOf(pid) - usedBefore];
      if (waited <= TIMEOUT_MS && (waited <= HANG_MS || used <= HANG_MS)) return;
      clearInterval(timer);
      asked.destroy(new Error(`no answer after ${Math.round(waited)} ms`));
    }, POLL_MS);
    asked.once("error", (error) => {
      clearInterval(timer);
      reject(error);
    });
    asked.end(made.body);
  });
}
