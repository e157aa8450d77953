/**
 * How long a canceled run keeps working: `npm run bench:cancel -- --input FOLDER [--staining h_and_e] [--steps 2,4]`.
 * On a platform started like `npm start`, runs a Visium sample (`bench:sizes` makes some), cancels it in the middle of
 * each step, and watches the step processes until none uses any CPU. Then continues with the next step. Prints a line
 * per step.
 */
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { platformById, STEPS, type WorkflowStatus } from "@stipple/contract";
import { recognize } from "@stipple/contract/recognition/recognize";
import { listFolder } from "@stipple/pipeline/internal/readers/folder";
import { chunkForms, uploadPath } from "../../e2e/chunk-forms.ts";
import { call, newAccount } from "../../e2e/client.ts";
import { startPlatform } from "../../e2e/platform.ts";
import { cpuSecondsOf } from "./idle/processes.ts";

/** Fraction of a step at which to cancel it. */
const MIDDLE = 0.4;
const POLL_MS = 20;
/** After this long without CPU use, the run counts as stopped. */
const QUIET_MS = 3_000;
const MAX_SECONDS = 2;

const { values } = parseArgs({
  options: {
    input: { type: "string" },
    staining: { type: "string", default: "h_and_e" },
    steps: { type: "string" },
  },
});
if (!values.input) throw new Error("Name a folder with --input");
const chosen = values.steps?.split(",").map(Number);
const platform = await startPlatform();
try {
  const token = await newAccount(platform.url, "cancel@example.org");
  const { project_id: project } = await call(platform.url, "POST", "/create_project", {
    token,
    body: {
      project_name: "Canceled",
      analysis_options: {
        platform: "visium",
        staining: values.staining,
        analysis_type: "basic",
      },
    },
  });
  await upload(values.input, token, project);
  const machine = `${availableParallelism()} × ${cpus()[0].model}, Node ${process.version}`;
  console.log(`${machine}, load ${loadavg()[0].toFixed(1)}\n`);
  console.log("| Step | Canceled at | Last work, s | Processes gone, s |");
  console.log("| --- | ---: | ---: | ---: |");
  for (const { number, name } of STEPS) {
    if (chosen && !chosen.includes(number)) continue;
    const { at, worked, gone } = await canceledIn(number, token, project);
    const figures = [`${Math.round(100 * at)}%`, worked.toFixed(2), gone.toFixed(2)];
    console.log(`| ${[`${number} ${name}`, ...figures].join(" | ")} |`);
    if (worked > MAX_SECONDS) process.exitCode = 1;
  }
} finally {
  await platform.close();
}

/**
 * Runs from a step on, cancels in the middle of it (or, if it finishes too soon, right after it starts), and watches.
 * Seconds are counted from when the request is sent.
 */
async function canceledIn(
  step: number,
  token: string,
  project: string,
): Promise<{ at: number; worked: number; gone: number }> {
  for (let middle = MIDDLE; ; middle /= 3) {
    await call(platform.url, "POST", "/run_workflow", {
      token,
      body: { project_id: project, start_step: Math.max(0, step - 1) },
    });
    let now: WorkflowStatus;
    do {
      await sleep(POLL_MS);
      now = await call(platform.url, "GET", `/status?project_id=${project}`, { token });
      if (now.status === "failed") throw new Error(now.error ?? "failed");
    } while ((now.current_step ?? 0) < step || (isIn(now, step) && now.step_progress < middle));
    const began = performance.now();
    const answered = call(platform.url, "POST", "/cancel_workflow", {
      token,
      body: { project_id: project },
    }).catch(() => undefined);
    const since = (): number => (performance.now() - began) / 1000;
    let [worked, gone] = [0, 0];
    let before = new Map<number, number>();
    while (since() - Math.max(worked, gone) < QUIET_MS / 1000) {
      const used = workOf(platform.dataDir);
      for (const [pid, seconds] of used) {
        if (seconds > (before.get(pid) ?? 0)) worked = since();
      }
      if (used.size > 0) gone = since();
      before = used;
      await sleep(POLL_MS);
      if (since() > 60) break;
    }
    await answered;
    // The step finished before it could be canceled: retry, earlier.
    if (isIn(now, step)) return { at: now.step_progress, worked, gone };
  }
}

function isIn({ status, current_step: current }: WorkflowStatus, step: number): boolean {
  return status === "processing" && current === step;
}

/** CPU seconds of each of this platform's step processes. */
function workOf(dataDir: string): Map<number, number> {
  const used = new Map<number, number>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (!/(step|task)-process\.ts/.test(command)) continue;
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(dataDir)) continue;
      used.set(Number(pid), cpuSecondsOf(Number(pid)));
    } catch {
      // The process has exited since it was listed.
    }
  }
  return used;
}

/** Uploads the files of the sample in a folder. */
async function upload(folder: string, token: string, project: string): Promise<void> {
  const { files } = await recognize(await listFolder(folder), { platform: "visium" });
  for (const slot of platformById("visium").slots) {
    const file = files[slot.id as keyof typeof files];
    if (!file) continue;
    const to = `${platform.url}/api${uploadPath(slot, project)}`;
    for await (const body of chunkForms(join(folder, file.path))) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(to, { method: "POST", headers, body });
      if (!answer.ok) throw new Error(`${file.path}: ${answer.status} ${await answer.text()}`);
    }
  }
}
