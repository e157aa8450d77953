import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runChaos } from "./run-chaos.ts";

/** A few rounds; `npm run chaos` runs hundreds, also with a full disk and failing storage. */
const ONLY = ["kill database", "kill everything"];

// Takes minutes: a dedicated platform and a whole run.
it.runIf(process.env["LONG_TESTS"])(
  "keeps everything it acknowledged, whatever is killed while people work",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-chaos-"));
    // PostgreSQL's account needs access.
    await chmod(folder, 0o755);
    try {
      const report = await runChaos({
        dataDir: join(folder, "data"),
        seed: 1,
        rounds: ONLY.length,
        only: ONLY,
      });
      expect(report.faults).toEqual([]);
      expect(report.rounds).toEqual(Object.fromEntries(ONLY.map((name) => [name, 1])));
      // Otherwise nobody would have been disturbed.
      expect(report.done["chunks"]).toBeGreaterThan(0);
      expect(report.done["payments"]).toBeGreaterThan(0);
      expect(report.runs.completed).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  },
  600_000,
);
