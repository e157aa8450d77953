import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { packPoints } from "@stipple/contract/study-points";
import { embedSamples, writeSpace } from "@stipple/pipeline/study";
import { answerOrders } from "./answer-orders.ts";
import { SPACE_POINTS, type Finding, type SpaceOrder } from "./messages.ts";
import { spaceAnswer, spacePoints } from "./space-answer.ts";

/** The thread that places samples in one space. */
const packed = promisify(gzip);
/** Never aborted: the thread is ended instead. */
const { signal } = new AbortController();

answerOrders(answer);

async function answer({ samples, kind, scratch }: SpaceOrder): Promise<Finding> {
  const space = await embedSamples(
    samples.map(({ folder: results, ...sample }) => ({ ...sample, results })),
    { kind, seed: 0, threads: 1, signal, progress: () => undefined },
  );
  const files = new Map<string, Uint8Array>();
  const folder = await mkdtemp(join(scratch, "space-"));
  try {
    const tables = await writeSpace(folder, space, signal);
    for (const name of tables) {
      files.set(name, await packed(await readFile(join(folder, name)), { level: 1 }));
    }
    files.set(SPACE_POINTS, await packed(packPoints(spacePoints(space)), { level: 1 }));
    return { space: spaceAnswer(space, tables), files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
