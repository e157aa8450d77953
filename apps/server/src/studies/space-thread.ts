import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packPoints } from "@stipple/contract/study-points";
import { embedSamples, writeSpace } from "@stipple/pipeline/study";
import { answerOrders, ownThreads, findingFile } from "./answer-orders.ts";
import { SPACE_POINTS, type Finding, type SpaceOrder } from "./messages.ts";
import { spaceAnswer, spacePoints } from "./space-answer.ts";

/** The thread that places samples in one space. Never aborted: it is ended instead. */
const { signal } = new AbortController();

answerOrders(answer);

async function answer({ samples, kind, folder }: SpaceOrder): Promise<Finding> {
  const space = await embedSamples(
    samples.map(({ folder: results, ...sample }) => ({ ...sample, results })),
    { kind, seed: 0, threads: ownThreads(), signal, progress: () => undefined },
  );
  const tables = await writeSpace(folder, space, signal);
  await writeFile(join(folder, SPACE_POINTS), packPoints(spacePoints(space)));
  const files: Finding["files"] = new Map(
    await Promise.all(
      [...tables, SPACE_POINTS].map(
        async (name) => [name, await findingFile(join(folder, name))] as const,
      ),
    ),
  );
  return { space: spaceAnswer(space, tables), files };
}
