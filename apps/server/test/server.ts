import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { DestinationStream } from "pino";
import { startPostgres } from "../../cli/src/serve/postgres.ts";
import { systemClock, type Clock } from "../src/clock.ts";
import { readConfig, type Config } from "../src/config.ts";
import { openContext, type Context } from "../src/context.ts";
import { migrate } from "../src/db/migrate.ts";
import { buildServer } from "../src/api/server.ts";
import { startS3 } from "./s3-server.ts";
import { copyDatabase } from "./prepared-folder.ts";

/** STIPPLE_TEST_STORAGE=s3 runs every server test against a real S3-compatible server. */
export const OVER_S3 = process.env["STIPPLE_TEST_STORAGE"] === "s3";

/** A clock that tests move forward. */
export class TestClock implements Clock {
  #offsetMs = 0;
  now(): Date {
    return new Date(systemClock.now().getTime() + this.#offsetMs);
  }
  advance(ms: number): void {
    this.#offsetMs += ms;
  }
}

export interface Answer {
  status: number;
  headers: Headers;
  // Tests read responses of any shape and assert what they expect.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
  bytes: Buffer;
}

export interface TestServer extends AsyncDisposable {
  config: Config;
  environment: NodeJS.ProcessEnv;
  context: Context;
  app: FastifyInstance;
  clock: TestClock;
  url: string;
  /** Process ID of its current PostgreSQL. */
  postgresPid(): number | undefined;
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** A new account's token. */
  signUp(email?: string): Promise<string>;
  newProject(token: string, name?: string): Promise<string>;
  /** Sends one chunk. `address` is the part of the path after /upload/, e.g. "spatial_11?type=scale". */
  sendChunk(
    token: string,
    projectId: string,
    address: string,
    part: {
      name: string;
      bytes: Uint8Array;
      chunk?: number | string;
      chunks?: number | string;
      sha256?: string;
      fileSha256?: string;
    },
  ): Promise<Answer>;
}

/** The API on a free port, with its own PostgreSQL and an empty data folder or, if requested, an empty bucket. */
export async function startTestServer(
  overrides: NodeJS.ProcessEnv = {},
  options: { logTo?: DestinationStream } = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "stipple-server-"));
  // Temporary folders are private; the account PostgreSQL runs under needs access.
  await chmod(folder, 0o755);
  await copyDatabase(join(folder, "database"));
  const postgres = await startPostgres({ dataDir: join(folder, "database"), throwaway: true });
  const s3 = OVER_S3 ? await startS3() : undefined;
  const environment = {
    ...(await s3?.newBucket()),
    DATABASE_URL: postgres.url,
    STIPPLE_DATA_DIR: join(folder, "data"),
    STIPPLE_WEB_DIR: join(folder, "web"),
    STIPPLE_LOG_LEVEL: "error",
    ...overrides,
  };
  const config = readConfig(environment);
  await migrate(config.databaseUrl);
  const clock = new TestClock();
  const context = await openContext(config, { clock, name: "test", ...options });
  const app = await buildServer(context);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  let people = 0;

  const call: TestServer["call"] = async (method, path, options = {}) => {
    const isForm = options.body instanceof FormData;
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.body !== undefined && !isForm ? { "content-type": "application/json" } : {}),
        ...options.headers,
      },
      ...(options.body === undefined
        ? {}
        : { body: isForm ? (options.body as FormData) : JSON.stringify(options.body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = /^application\/(problem\+)?json/.test(
      response.headers.get("content-type") ?? "",
    );
    return {
      status: response.status,
      headers: response.headers,
      json: isJson ? JSON.parse(bytes.toString()) : undefined,
      bytes,
    };
  };

  return {
    config,
    environment,
    context,
    app,
    clock,
    url,
    postgresPid: () => postgres.pid(),
    call,
    async signUp(email = `person${++people}@example.org`) {
      const password = "secret1";
      await call("POST", "/register", { body: { email, password, confirmPassword: password } });
      return (await call("POST", "/login", { body: { email, password } })).json.token as string;
    },
    async newProject(token, name = "Mouse brain") {
      const answer = await call("POST", "/create_project", {
        token,
        body: {
          project_name: name,
          analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
        },
      });
      return answer.json.project_id as string;
    },
    async sendChunk(token, projectId, address, part) {
      const form = new FormData();
      form.append("file", new Blob([part.bytes as Uint8Array<ArrayBuffer>]), part.name);
      form.append("chunk", String(part.chunk ?? 0));
      form.append("chunks", String(part.chunks ?? 1));
      if (part.sha256) form.append("sha256", part.sha256);
      if (part.fileSha256 !== undefined) form.append("file_sha256", part.fileSha256);
      const [group, type] = address.split("?");
      return call("POST", `/upload/${group}?project_id=${projectId}&${type ?? ""}`, {
        token,
        body: form,
      });
    },
    async [Symbol.asyncDispose]() {
      // A neighboring server's call in progress must not keep its connection open for a minute.
      context.readiness.stop();
      await app.close();
      await context[Symbol.asyncDispose]();
      await postgres.stop();
      await s3?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
