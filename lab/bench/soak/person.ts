import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  DEFAULT_PLATFORM,
  platformById,
  STATUS_POLL_MS,
  type WorkflowStatus,
} from "@stipple/contract";
import { chunkForms, uploadPath } from "../../../e2e/chunk-forms.ts";

/** Receives the duration of an action in milliseconds. */
export type Tell = (action: string, ms: number) => void;

/** A recurring user: signs in, uploads, runs the sample, views, downloads, deletes. */
export class Visitor {
  readonly #url: string;
  readonly #tell: Tell;
  readonly #files: ReadonlyMap<string, string>;
  readonly #account = { email: `soak-${randomUUID()}@example.org`, password: "Correct-horse-9!" };
  #token = "";

  constructor(url: string, files: ReadonlyMap<string, string>, tell: Tell) {
    this.#url = url;
    this.#files = files;
    this.#tell = tell;
  }

  /** Creates the account and buys a plan in the sandbox, which downloads require. */
  async join(): Promise<void> {
    const { email, password } = this.#account;
    await this.#json("register", "/register", { email, password, confirmPassword: password });
    await this.#signIn();
    const { url } = await this.#json("checkout", "/create-checkout-session", {
      plan: "Basic Tier",
    });
    const body = new URLSearchParams({ card: "4242424242424242" });
    await fetch(url, { method: "POST", body, redirect: "manual" });
    for (let tried = 0; tried < 100; tried++) {
      const plan = await this.#json("plan", "/verify-subscription");
      if (plan.subscription_tier === "basic") return;
      await sleep(300);
    }
    throw new Error("The plan that was bought did not arrive.");
  }

  /** One visit. Failures are reported, and the next visit starts. */
  async visit(until: number): Promise<void> {
    await this.#signIn();
    const upload = await this.#upload();
    const { project_id: sample } = await this.#json("create sample", "/create_sample_project", {});
    await this.#json("run", "/run_workflow", { project_id: sample, start_step: 0 });
    if (!(await this.#isCompleted(sample, until))) {
      await this.#json("cancel", "/cancel_workflow", { project_id: sample });
    } else {
      await this.#view(sample);
      await this.#bytes("download", `/download_output?project_id=${sample}`);
    }
    for (const project of [upload, sample]) await this.#remove(project);
    await this.#json("sign out", "/logout", {});
  }

  async #signIn(): Promise<void> {
    this.#token = "";
    this.#token = (await this.#json("sign in", "/login", this.#account)).token as string;
  }

  async #upload(): Promise<string> {
    const { project_id: project } = await this.#json("create project", "/create_project", {
      project_name: "Soak",
      analysis_options: { platform: DEFAULT_PLATFORM, staining: "h_and_e", analysis_type: "basic" },
    });
    for (const [id, path] of this.#files) {
      const slot = platformById(DEFAULT_PLATFORM).slots.find((each) => each.id === id)!;
      for await (const form of chunkForms(path)) {
        await this.#json("chunk", uploadPath(slot, project), form);
      }
    }
    return project as string;
  }

  /** Polls like the page until the run has ended; false if time runs out first. */
  async #isCompleted(project: string, until: number): Promise<boolean> {
    while (performance.now() < until) {
      const status = (await this.#json(
        "status",
        `/status?project_id=${project}`,
      )) as WorkflowStatus;
      if (status.status === "completed") return true;
      if (status.status === "failed") throw new Error(`The run failed: ${status.error}`);
      await sleep(STATUS_POLL_MS);
    }
    return false;
  }

  async #view(project: string): Promise<void> {
    const { url } = await this.#json("open view", `/start_visualization?project_id=${project}`, {});
    const token = new URL(url as string).pathname.split("/").at(-1);
    const { manifest } = await this.#json("manifest", `/visualization/${token}/manifest`);
    for (const name of (manifest.genes as string[]).slice(0, 5)) {
      await this.#bytes("gene", `/visualization/${token}/gene?name=${encodeURIComponent(name)}`);
    }
    await this.#bytes("report", `/get_report?project_id=${project}`);
  }

  async #remove(project: string): Promise<void> {
    for (let tried = 0; ; tried++) {
      const answer = await this.#call("delete", `/projects/${project}`, undefined, "DELETE");
      await answer.arrayBuffer();
      if (answer.ok || tried === 20) return;
      await sleep(500);
    }
  }

  // Responses have many shapes; callers pick out what they use.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async #json(action: string, path: string, body?: object): Promise<any> {
    const answer = await this.#call(action, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${action}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }

  async #bytes(action: string, path: string): Promise<void> {
    const answer = await this.#call(action, path);
    for await (const _ of answer.body ?? []) void _;
    if (!answer.ok) throw new Error(`${action}: ${answer.status}`);
  }

  async #call(action: string, path: string, body?: object, method?: string): Promise<Response> {
    const began = performance.now();
    const isForm = body instanceof FormData;
    const answer = await fetch(`${this.#url}/api${path}`, {
      method: method ?? (body ? "POST" : "GET"),
      headers: {
        ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
        ...(body && !isForm ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    this.#tell(action, performance.now() - began);
    return answer;
  }
}
