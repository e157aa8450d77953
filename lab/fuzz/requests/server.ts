import { setTimeout as sleep } from "node:timers/promises";
import {
  populate,
  publishView,
  sparePerson,
  type People,
} from "../../../apps/server/test/contract/people.ts";
import { startTestServer, type TestServer } from "../../../apps/server/test/server.ts";
import type { Target } from "./world.ts";

/** Disables sign-in rate limits, which would otherwise block most requests. */
export const NO_LIMITS = {
  STIPPLE_SIGNUPS_PER_MINUTE: "1000000",
  STIPPLE_LOGINS_PER_MINUTE: "1000000",
  STIPPLE_RESETS_PER_MINUTE: "1000000",
};

/** The request target for this server and its users. */
export async function targetOf(server: TestServer, people: People): Promise<Target> {
  await publishView(server, people.ids.project);
  return {
    url: server.url,
    pid: process.pid,
    people,
    spare: () => sparePerson(server),
    memoryMb: () => Promise.resolve(process.memoryUsage.rss() / 2 ** 20),
  };
}

/** Runs in a separate process so that its memory can be measured; answers its parent's questions. */
if (import.meta.main) {
  const server = await startTestServer(NO_LIMITS);
  const { url, people, spare, memoryMb } = await targetOf(server, await populate(server));
  process.on("message", (question: "spare" | "memory") => {
    const answer = question === "spare" ? spare() : memoryMb();
    void answer.then((value) => process.send?.(value));
  });
  process.once("disconnect", () => {
    void Promise.race([server[Symbol.asyncDispose](), sleep(10_000)]).then(() => process.exit());
  });
  process.send?.({ url, people });
}
