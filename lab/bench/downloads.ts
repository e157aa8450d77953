/**
 * Cost of a results zip compared with piping the same bytes as one file: `npm run bench:downloads -- --gb 1`. One
 * process sends both to another over loopback, alternating; the files are in the page cache. Prints throughput and the
 * sender's CPU time.
 */
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer, get } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { freeSentChunks } from "../../apps/server/src/http/free-sent-chunks.ts";
import type { StoredFile } from "../../apps/server/src/outputs/read.ts";
import { zipOf } from "../../apps/server/src/outputs/zip.ts";
import { openLocalFolder } from "../../apps/server/src/storage/local-folder.ts";

const FILES = 16;
const ROUNDS = 5;
/** `file`: one file as the platform sends it; `again`: the zip a second time, when its CRC-32s are cached. */
const KINDS = ["raw", "file", "zip", "again"] as const;
/** Minimum throughput, as a fraction of a raw file's. */
const MIN_RATIO = 0.8;

if (process.argv[2] === "take") await take(process.argv[3]);
else await measure();

/** The receiver; reports how long it took. */
async function take(url: string): Promise<void> {
  const began = performance.now();
  await new Promise<void>((done, fail) =>
    get(url, (answer) => {
      answer.on("error", fail);
      answer.on("end", done);
      answer.resume();
    }).on("error", fail),
  );
  process.send?.(performance.now() - began);
  process.disconnect();
}

async function measure(): Promise<void> {
  const { values } = parseArgs({ options: { gb: { type: "string", default: "1" } } });
  const size = Math.round((Number(values.gb) * 1e9) / FILES);
  const folder = await mkdtemp(join(tmpdir(), "stipple-downloads-"));
  const storage = await openLocalFolder(folder);
  const files: StoredFile[] = [];
  for (let n = 0; n < FILES; n++) {
    const bytes = Buffer.alloc(size, n + 1);
    await writeFile(join(folder, `file-${n}`), bytes);
    files.push({
      projectId: "project",
      step: 7,
      path: `analysis_results/output/file-${n}.bin`,
      size,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      storageKey: `file-${n}`,
      offset: 0,
      objectSize: size,
      publishedAt: new Date(),
    });
  }
  await writeFile(join(folder, "all"), Buffer.alloc(size * FILES, 1));
  const open = (file: StoredFile, range = { start: 0, end: size - 1 }) =>
    storage.get(file.storageKey, range);
  /** Files with fresh content hashes, because CRC-32s of content zipped before are cached. */
  const named = (round: string): StoredFile[] =>
    files.map((file) => ({ ...file, sha256: file.sha256 + round }));
  const server = createServer((request, answer) => {
    const isZip = request.url!.startsWith("/zip");
    const body = isZip ? zipOf(named(request.url!), open).stream() : storage.get("all");
    void Promise.resolve(body).then((stream) => {
      if (request.url !== "/raw") freeSentChunks(stream, answer);
      return pipeline(stream, answer);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const none = (): Record<(typeof KINDS)[number], number[]> => ({
    raw: [],
    file: [],
    zip: [],
    again: [],
  });
  const [took, cpu] = [none(), none()];
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of KINDS) {
      const before = process.cpuUsage();
      const path = kind === "raw" || kind === "file" ? kind : `zip-${round}`;
      took[kind].push(await taken(`http://127.0.0.1:${port}/${path}`));
      const { user, system } = process.cpuUsage(before);
      cpu[kind].push((user + system) / 1e6);
    }
  }
  server.close();
  await rm(folder, { recursive: true });
  const gb = (size * FILES) / 1e9;
  console.log("| | MB/s | CPU s a GB |\n| --- | ---: | ---: |");
  for (const kind of KINDS) {
    const rate = (gb * 1e6) / median(took[kind]);
    console.log(`| ${kind} | ${rate.toFixed(0)} | ${(median(cpu[kind]) / gb).toFixed(2)} |`);
  }
  const byTime = median(took.raw) / median(took.zip);
  const byCpu = median(cpu.raw) / median(cpu.zip);
  const again = median(cpu.raw) / median(cpu.again);
  const ofFile = median(took.file) / median(took.zip);
  console.log(
    `\nzip / raw: ${byTime.toFixed(2)} by time, ${byCpu.toFixed(2)} by CPU, ${again.toFixed(2)} when sent again; zip / file: ${ofFile.toFixed(2)} by time`,
  );
  if (Math.max(byTime, byCpu) < MIN_RATIO) process.exitCode = 1;
}

function taken(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ["take", url]);
    child.once("message", (ms) => resolve(Number(ms)));
    child.once("error", reject);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
