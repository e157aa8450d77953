import { randomUUID } from "node:crypto";
import { CHUNK_BYTES } from "@stipple/contract";
import type { Random } from "@stipple/numerics/random";
import { ask, insist, isTrouble, sha256, type Answer } from "./client.ts";
import { count, type Gate, type KnownRun, type World } from "./world.ts";

/** The setting in which simulated users act. */
export interface Scene {
  url: string;
  world: World;
  gate: Gate;
  random: Random;
  /** A valid TIFF of several chunks; some pixels are changed for each upload. */
  image: Buffer;
}

const PASSWORD = "secret1";
const TRIES_OF_A_RUN = 6;

/** Registers and signs in, with as many retries as needed. Null when the session is over. */
async function join({ url, world, gate }: Scene): Promise<string | null> {
  const email = `${randomUUID()}@example.org`;
  const isOver = (): boolean => gate.isClosing;
  const body = { email, password: PASSWORD, confirmPassword: PASSWORD };
  // Refused as taken if an earlier try did succeed.
  const registered = await insist(isOver, () => ask(url, "POST", "/register", undefined, body));
  if (isTrouble(registered)) return null;
  const login = await insist(isOver, () =>
    ask(url, "POST", "/login", undefined, { email, password: PASSWORD }),
  );
  if (isTrouble(login)) return null;
  if (login!.status !== 200) {
    world.faults.push(`an account that was acknowledged cannot sign in: ${login!.status}`);
    return null;
  }
  const token = login!.json.token as string;
  world.accounts.push({ email, token });
  count(world, "accounts");
  return token;
}

/** Sends a large image in chunks to new projects, and deletes some of them. */
export function uploader(scene: Scene): () => Promise<void> {
  const { url, world, random } = scene;
  let token: string | null = null;
  let project: string | null = null;
  let image = scene.image;
  return async () => {
    token ??= await join(scene);
    if (token === null) return;
    if (project === null) {
      const made = await ask(url, "POST", "/create_project", token, {
        project_name: "Upload",
        analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
      });
      if (made?.status !== 200 && made?.status !== 201) return;
      project = made.json.project_id as string;
      world.projects.set(project, { token, chunks: new Map(), isWhole: false, isLeaving: false });
      count(world, "projects");
      image = Buffer.from(scene.image);
      for (let at = 4096; at < image.length - 4096; at += 1 << 20) image[at] = random.below(256);
    }
    const known = world.projects.get(project)!;
    const chunks = Math.ceil(image.length / CHUNK_BYTES);
    const missing = Array.from({ length: chunks }, (_, index) => index).filter(
      (index) => !known.chunks.has(index),
    );
    if (missing.length > 0) {
      const index = missing[random.below(missing.length)];
      const part = image.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
      const form = new FormData();
      form.append("file", new Blob([part as Uint8Array<ArrayBuffer>]), "tissue.tif");
      form.append("chunk", `${index}`);
      form.append("chunks", `${chunks}`);
      form.append("sha256", sha256(part));
      const sent = await ask(url, "POST", `/upload/he_image?project_id=${project}`, token, form);
      if (sent?.status === 200 && (sent.json.received as number[]).includes(index)) {
        known.chunks.set(index, sha256(part));
        known.isWhole ||= sent.json.complete as boolean;
        count(world, "chunks");
      } else if (sent?.status === 403) {
        // Moving the clock has ended the trial.
        [project, token] = [null, null];
      } else if (sent && sent.status < 500 && sent.status !== 429 && sent.status !== 200) {
        world.faults.push(
          `a chunk was refused: ${sent.status} ${sent.bytes.toString().slice(0, 200)}`,
        );
        project = null;
      }
      return;
    }
    if (!known.isWhole) {
      // The response to the last chunk was lost: resending a chunk completes the file.
      known.chunks.delete(chunks - 1);
      return;
    }
    count(world, "files");
    if (random.uniform() < 0.9) {
      known.isLeaving = true;
      const gone = await insist(
        () => scene.gate.isClosing,
        () => ask(url, "DELETE", `/projects/${project}`, token!),
      );
      if (isTrouble(gone)) return;
      if (gone!.status !== 200 && gone!.status !== 404) {
        world.faults.push(`a project cannot be deleted: ${gone!.status}`);
      }
      world.projects.delete(project);
      world.deleted.set(project, token);
      count(world, "deletions");
    }
    project = null;
    if (random.uniform() < 0.3) token = null;
  };
}

/** Pays for single analyses at the hosted checkout, sometimes twice at once. */
export function buyer(scene: Scene): () => Promise<void> {
  const { url, world, random } = scene;
  let token: string | null = null;
  return async () => {
    token ??= await join(scene);
    if (token === null) return;
    const opened = await ask(url, "POST", "/create-checkout-session", token, {
      plan: "Single Analysis",
    });
    if (opened?.status !== 200) {
      if (opened && opened.status < 500 && opened.status !== 429) {
        world.faults.push(`no checkout: ${opened.status} ${opened.bytes.toString().slice(0, 200)}`);
      }
      return;
    }
    const { id, url: checkout } = opened.json as { id: string; url: string };
    const clicks = random.uniform() < 0.3 ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: clicks }, () => pay(checkout)));
    if (answers.includes(303)) {
      world.paid.add(id);
      count(world, "payments");
    }
    if (random.uniform() < 0.4) token = null;
  };
}

async function pay(checkout: string): Promise<number | null> {
  try {
    const answer = await fetch(checkout, {
      method: "POST",
      body: new URLSearchParams({ card: "4242424242424242" }),
      redirect: "manual",
      signal: AbortSignal.timeout(60_000),
    });
    return answer.status;
  } catch {
    return null;
  }
}

/** Runs the sample, views its results, and sometimes cancels. `reference`: results of the undisturbed run. */
export function runner(scene: Scene, reference: ReadonlyMap<string, string>): () => Promise<void> {
  const { url, world, random } = scene;
  const figure = [...reference.keys()].find((path) => /^figures\/.*\.png$/.test(path));
  let token: string | null = null;
  let run: KnownRun | null = null;
  let isToEnd = false;
  let tries = 0;
  return async () => {
    token ??= await join(scene);
    if (token === null) return;
    if (run === null) {
      run = await begin(scene, token);
      isToEnd = random.uniform() < 0.2;
      tries = 0;
      if (run === null) token = null;
      return;
    }
    const status = await ask(url, "GET", `/status?project_id=${run.project}`, token);
    if (isTrouble(status)) return;
    if (status!.status !== 200) {
      world.faults.push(`the status of a run is refused: ${status!.status}`);
      run = null;
      return;
    }
    note(run, status!);
    if (run.outcome === "failed" && tries++ < TRIES_OF_A_RUN) {
      // Like the page's button: restart from the first step without results.
      const start = firstMissing(status!.json);
      const again = await ask(url, "POST", "/run_workflow", token, {
        project_id: run.project,
        start_step: start,
      });
      if (again && again.status < 300) {
        Object.assign(run, { outcome: "under way", startedAt: Date.now(), movedAt: Date.now() });
      }
      return;
    }
    if (run.outcome === "completed") {
      count(world, "runs");
      if (figure) await lookAt(scene, run, figure, reference.get(figure)!);
    }
    if (run.outcome !== "under way") {
      run = null;
      if (random.uniform() < 0.5) token = null;
    } else if (isToEnd && random.uniform() < 0.02) {
      const cancelled = await ask(url, "POST", "/cancel_workflow", token, {
        project_id: run.project,
      });
      if (cancelled?.status === 200) {
        run.outcome = "cancelled";
        count(world, "cancellations");
        run = null;
      }
    }
  };
}

async function begin({ url, world }: Scene, token: string): Promise<KnownRun | null> {
  const made = await ask(url, "POST", "/create_sample_project", token);
  if (!made || made.status >= 300) return null;
  const project = made.json.project_id as string;
  world.projects.set(project, { token, chunks: new Map(), isWhole: true, isLeaving: false });
  const started = await ask(url, "POST", "/run_workflow", token, {
    project_id: project,
    start_step: 0,
  });
  // The trial was ended by moving the clock, or the response was lost: start over with another account.
  if (!started || started.status >= 300) return null;
  const now = Date.now();
  const run: KnownRun = {
    project,
    token,
    startedAt: now,
    movedAt: now,
    seen: "",
    outcome: "under way",
    error: null,
    met: [],
  };
  world.runs.push(run);
  return run;
}

/** Records a run's progress. */
export function note(run: KnownRun, { json }: Answer): void {
  const seen = `${json.status} ${json.current_step} ${json.percent}`;
  if (seen !== run.seen) Object.assign(run, { seen, movedAt: Date.now() });
  run.error = json.error as string | null;
  if (json.status === "completed" || json.status === "failed") run.outcome = json.status;
}

function firstMissing(status: { output_files: Record<string, string[]> }): number {
  for (let step = 0; step < 8; step++) {
    if (!status.output_files[`step_${step}`]?.length) return step;
  }
  return 7;
}

/** A complete response must contain the whole figure. */
async function lookAt(
  { url, world }: Scene,
  run: KnownRun,
  path: string,
  expected: string,
): Promise<void> {
  const answer = await ask(url, "GET", `/get_image/${path}?project_id=${run.project}`, run.token);
  if (answer?.status !== 200) return;
  count(world, "figures");
  if (sha256(answer.bytes) !== expected) world.faults.push(`another figure was served: ${path}`);
}
