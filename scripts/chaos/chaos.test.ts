import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runChaos } from "./run-chaos.ts";

/** A few rounds; `npm run chaos` has hundreds, also with a full disk and a failing storage. */
const ONLY = ["kill database", "kill everything"];

// A platform of its own and a whole run: minutes.
it.runIf(process.env["LONG_TESTS"])(
  "people lose nothing that they were told, whatever is killed while they work",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "stipple-chaos-"));
    // The account that PostgreSQL runs under must get in.
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
      // Otherwise nobody was disturbed.
      expect(report.done["chunks"]).toBeGreaterThan(0);
      expect(report.done["payments"]).toBeGreaterThan(0);
      expect(report.runs.completed).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  },
  600_000,
);
