/**
 * Cost of an upload for the API compared with a server that only writes what it receives to a file: `npm run
 * bench:uploads -- --gb 1 [--rounds 3]`. Sends the same chunks over loopback, alternating, on a platform started like
 * `npm start`. Prints throughput, CPU seconds per GB, and the API's peak resident memory. The last chunk is not sent,
 * to exclude checking the file.
 */
import { fork, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createWriteStream, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { CHUNK_BYTES, platformById } from "@stipple/contract";
import { call, newAccount } from "../../e2e/client.ts";
import { startPlatform } from "../../e2e/platform.ts";
import { apiOf, cpuSecondsOf } from "./idle/processes.ts";

/** Minimum throughput, as a fraction of the trivial server's. */
const MIN_RATIO = 0.7;
const BOUNDARY = "----stipple-bench";
const agent = new Agent({ keepAlive: true });

if (process.argv[2] === "receive") await receive(process.argv[3]);
else await measure();

/** The trivial server. Reports its CPU time when asked by its parent. */
async function receive(folder: string): Promise<void> {
  let files = 0;
  const server = createServer((incoming, answer) => {
    void pipeline(incoming, createWriteStream(join(folder, `${++files}`))).then(() => answer.end());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  process.send?.((server.address() as AddressInfo).port);
  process.once("disconnect", () => process.exit());
}

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: { gb: { type: "string", default: "1" }, rounds: { type: "string", default: "3" } },
  });
  const chunks = Math.ceil((Number(values.gb) * 1e9) / CHUNK_BYTES);
  const folder = await mkdtemp(join(tmpdir(), "stipple-uploads-"));
  const [dataDir, received] = [join(folder, "data"), join(folder, "received")];
  await mkdir(dataDir);
  await mkdir(received);
  // PostgreSQL's account needs access.
  await chmod(folder, 0o755);
  const platform = await startPlatform({ dataDir });
  let trivial: ChildProcess | undefined;
  try {
    const token = await newAccount(platform.url, "uploads@example.org");
    const api = apiOf(platform.dataDir);
    trivial = fork(import.meta.filename, ["receive", received]);
    const port = await new Promise<number>((done) => trivial!.once("message", done));
    const body = randomBytes(CHUNK_BYTES);
    const sha256 = createHash("sha256").update(body).digest("hex");
    const slot = platformById("visium").slots.find(({ id }) => id === "he_image")!;
    const rates = { ours: [] as number[], trivial: [] as number[] };
    const cpu = { ours: [] as number[], trivial: [] as number[] };
    const gb = (chunks * CHUNK_BYTES) / 1e9;
    for (let round = 0; round < Number(values.rounds); round++) {
      const { project_id: project } = await call(platform.url, "POST", "/create_project", {
        token,
        body: {
          project_name: `Round ${round}`,
          analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
        },
      });
      for (const [who, pid, url] of [
        ["trivial", trivial.pid!, `http://127.0.0.1:${port}/`],
        ["ours", api, `${platform.url}/api/upload/${slot.group}?project_id=${project}`],
      ] as const) {
        const before = cpuSecondsOf(pid);
        const began = performance.now();
        let previous: Promise<void> | undefined;
        for (let chunk = 0; chunk < chunks; chunk++) {
          const { left, done } = send(url, token, [body, { chunk, chunks: chunks + 1, sha256 }]);
          // Like the pages: send a chunk while the previous one is being stored; send the first one alone.
          await Promise.all([previous, chunk === 0 ? done : Promise.race([left, done])]);
          previous = done;
        }
        await previous;
        const seconds = (performance.now() - began) / 1000;
        rates[who].push((gb * 1e3) / seconds);
        cpu[who].push((cpuSecondsOf(pid) - before) / gb);
        if (who === "ours") await call(platform.url, "DELETE", `/projects/${project}`, { token });
        else for (const name of await readdir(received)) await rm(join(received, name));
      }
    }
    console.log("| | MB/s | CPU s a GB |\n| --- | ---: | ---: |");
    for (const who of ["trivial", "ours"] as const) {
      console.log(`| ${who} | ${Math.max(...rates[who]).toFixed(0)} | ${least(cpu[who])} |`);
    }
    const byTime = Math.max(...rates.ours) / Math.max(...rates.trivial);
    const byCpu = Number(least(cpu.trivial)) / Number(least(cpu.ours));
    const peak = Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${api}/status`, "utf8"))![1]);
    console.log(
      `\nours / trivial: ${byTime.toFixed(2)} by time, ${byCpu.toFixed(2)} by CPU; the API's peak: ${Math.round(peak / 1024)} MB`,
    );
    if (Math.min(byTime, byCpu) < MIN_RATIO) process.exitCode = 1;
  } finally {
    trivial?.disconnect();
    agent.destroy();
    await platform.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function least(values: readonly number[]): string {
  return Math.min(...values).toFixed(2);
}

/** Sends one chunk like the pages do; resolves when its bytes have been sent and when it is answered. */
function send(
  url: string,
  token: string,
  [bytes, fields]: [Buffer, Record<string, unknown>],
): { left: Promise<void>; done: Promise<void> } {
  const field = (name: string, rest: string): string =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${rest}`;
  const before = Object.entries(fields).map(([name, value]) =>
    field(name, `\r\n\r\n${String(value)}\r\n`),
  );
  const head = field(
    "file",
    '; filename="image.tif"\r\nContent-Type: application/octet-stream\r\n\r\n',
  );
  const parts = [
    Buffer.from(before.join("") + head),
    bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ];
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    "content-length": parts.reduce((sum, part) => sum + part.length, 0),
  };
  const [left, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sent = request(url, { method: "POST", agent, headers }, (answer) => {
    answer.resume();
    answer.on("end", () =>
      answer.statusCode === 200
        ? done.resolve()
        : done.reject(new Error(`Answered ${answer.statusCode}`)),
    );
  });
  sent.on("error", done.reject);
  sent.on("finish", left.resolve);
  for (const part of parts) sent.write(part);
  sent.end();
  return { left: left.promise, done: done.promise };
}
