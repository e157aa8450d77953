import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Target } from "./world.ts";

const SERVER = fileURLToPath(new URL("./server.ts", import.meta.url));

/** A server in a separate process, with user accounts. */
export async function startOwnServer(): Promise<Target & AsyncDisposable> {
  const child = fork(SERVER, { stdio: ["ignore", 2, 2, "ipc"] });
  const { url, people } = (await answerOf(child)) as Pick<Target, "url" | "people">;
  const ask = async (question: "spare" | "memory"): Promise<unknown> => {
    child.send(question);
    return answerOf(child);
  };
  return {
    url,
    pid: child.pid!,
    people,
    spare: () => ask("spare") as ReturnType<Target["spare"]>,
    memoryMb: () => ask("memory") as Promise<number>,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      once(child, "message", { signal: ended.signal }).then(([value]) => value as unknown),
      once(child, "exit", { signal: ended.signal }).then(([code, signal]) => {
        throw new Error(`the server ended: ${signal ?? code}`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}
