import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CHUNK_BYTES,
  DEFAULT_PLATFORM,
  platformById,
  type PlatformId,
  type WorkflowStatus,
} from "@stipple/contract";

/** A user who works with the platform over HTTP and has one project. */
export class Person {
  readonly #url: string;
  readonly #token: string;
  readonly project: string;

  private constructor(url: string, token: string, project: string) {
    this.#url = url;
    this.#token = token;
    this.project = project;
  }

  static async join(url: string, name: string, platform: PlatformId = DEFAULT_PLATFORM) {
    const password = "secret1";
    const email = `${name.toLowerCase().replaceAll(" ", "-")}@example.org`;
    const send = (path: string, body: object, token?: string) => ask(url, path, token, body);
    await send("/register", { email, password, confirmPassword: password });
    const { token } = (await send("/login", { email, password })) as { token: string };
    const { project_id: project } = (await send(
      "/create_project",
      {
        project_name: name,
        analysis_options: { platform, staining: "h_and_e", analysis_type: "basic" },
      },
      token,
    )) as { project_id: string };
    return new Person(url, token, project);
  }

  /** Sends files by slot ID, chunk by chunk. */
  async upload(files: ReadonlyMap<string, string>, platform: PlatformId = DEFAULT_PLATFORM) {
    for (const [id, path] of files) {
      const slot = platformById(platform).slots.find((each) => each.id === id)!;
      const pieces: Buffer[] = [];
      for await (const piece of createReadStream(path)) pieces.push(piece as Buffer);
      const bytes = Buffer.concat(pieces);
      const chunks = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES));
      for (let chunk = 0; chunk < chunks; chunk++) {
        const part = bytes.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
        const form = new FormData();
        form.append("file", new Blob([part]), basename(path));
        form.append("chunk", String(chunk));
        form.append("chunks", String(chunks));
        form.append("sha256", createHash("sha256").update(part).digest("hex"));
        const query = slot.part === undefined ? "" : `&type=${slot.part}`;
        const address = `/upload/${slot.group}?project_id=${this.project}${query}`;
        await ask(this.#url, address, this.#token, form);
      }
    }
  }

  async start(): Promise<void> {
    const body = { project_id: this.project, start_step: 0 };
    await ask(this.#url, "/run_workflow", this.#token, body);
  }

  async status(): Promise<WorkflowStatus> {
    const path = `/status?project_id=${this.project}`;
    return (await ask(this.#url, path, this.#token)) as WorkflowStatus;
  }

  /** Waits until the run reaches a state; throws if it ends first. */
  async until(
    reached: (status: WorkflowStatus) => boolean,
    timeoutMs = 600_000,
  ): Promise<WorkflowStatus> {
    for (let waited = 0; waited < timeoutMs; waited += 100) {
      const status = await this.status();
      if (reached(status)) return status;
      if (status.status === "completed" || status.status === "failed") {
        throw new Error(`The run has ${status.status}: ${status.error}`);
      }
      await sleep(100);
    }
    throw new Error("The run did not get there in time.");
  }
}

async function ask(url: string, path: string, token?: string, body?: object): Promise<unknown> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${url}/api${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body && !isForm ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
