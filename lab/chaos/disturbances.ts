import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@stipple/numerics/random";
import type { FaultyProxy } from "./faulty-proxy.ts";
import { send, type Installation, type Part, type SmallDisk } from "./installation.ts";

/** A disturbance of the platform. */
export interface Disturbance {
  name: string;
  /** A run may fail because of it, with a message, and its owner restarts it. */
  mayFailRuns: boolean;
  /** Applies and reverts it; null if there was nothing to disturb. */
  apply(): Promise<void | null>;
}

/** What can be disturbed here. */
export interface Stage {
  installation: Installation;
  random: Random;
  disk: SmallDisk | null;
  storage: FaultyProxy | null;
  /** Moves the payment sandbox's clock. */
  forward(days: number): Promise<void>;
}

/** Every disturbance that this stage allows. */
export function disturbancesOn(stage: Stage): Disturbance[] {
  const { installation, random, disk, storage } = stage;
  const parts: Part[] = ["worker", "step", "api", "database", "sandbox"];
  const soon = (most: number): Promise<void> => sleep(500 + random.uniform() * most);
  const all: Disturbance[] = [];
  for (const part of parts) {
    all.push({
      name: `kill ${part}`,
      mayFailRuns: false,
      apply: async () => {
        const pid = await find(installation, part);
        if (pid === undefined) return null;
        send(pid, "SIGKILL");
      },
    });
    all.push({
      name: `stop ${part}`,
      mayFailRuns: false,
      apply: async () => {
        const pid = await find(installation, part);
        if (pid === undefined) return null;
        send(pid, "SIGSTOP");
        await soon(5_000);
        send(pid, "SIGCONT");
      },
    });
  }
  all.push({
    name: "kill everything",
    mayFailRuns: false,
    apply: () => installation.killAll(),
  });
  all.push({
    name: "clock ahead",
    mayFailRuns: false,
    apply: () => stage.forward(1 + random.below(2)),
  });
  if (disk) {
    all.push({
      name: "full disk",
      mayFailRuns: true,
      apply: async () => {
        disk.fill();
        await soon(4_000);
        disk.empty();
      },
    });
    all.push({
      name: "read-only files",
      mayFailRuns: true,
      apply: async () => {
        if (!(await disk.readOnly(true))) return null;
        await soon(4_000);
        await disk.readOnly(false);
      },
    });
  }
  if (storage) {
    for (const mood of ["slow", "failing"] as const) {
      all.push({
        name: `${mood} storage`,
        mayFailRuns: true,
        apply: async () => {
          storage.mood = mood;
          await soon(6_000);
          storage.mood = "well";
        },
      });
    }
  }
  return all;
}

/** Waits for a step, whose process does not always exist. */
async function find(installation: Installation, part: Part): Promise<number | undefined> {
  for (let tries = 0; tries < (part === "step" ? 40 : 1); tries++) {
    const pid = installation.pid(part);
    if (pid !== undefined) return pid;
    await sleep(100);
  }
  return undefined;
}
