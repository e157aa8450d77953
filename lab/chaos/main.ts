/**
 * Disturbs a real platform while simulated users work on it: `npm run chaos`. `--rounds N` (default 200), `--seed N`,
 * `--minutes N` to start no round after that, `--between SECONDS` for the longest time between disturbances (default 3;
 * with more, more runs finish), `--storage s3` to use an S3 server (see apps/server/test/s3-server.ts) instead of a
 * folder, `--only "kill api,full disk"`. A full or read-only disk needs root on Linux.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { noS3, startS3 } from "../../apps/server/test/s3-server.ts";
import { SmallDisk } from "./installation.ts";
import { runChaos, type ChaosReport } from "./run-chaos.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string" },
    between: { type: "string", default: "3" },
    storage: { type: "string", default: "folder" },
    only: { type: "string" },
    inside: { type: "boolean", default: false },
  },
});
const isRoot = process.getuid?.() === 0;
if (isRoot && !values.inside) {
  // A private mount namespace, which ends with this process.
  const again = [process.execPath, import.meta.filename, ...process.argv.slice(2), "--inside"];
  const { status } = spawnSync("unshare", ["--mount", "--propagation", "private", ...again], {
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}
if (values.storage === "s3" && noS3) {
  console.error(noS3);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "stipple-chaos-"));
// PostgreSQL's account needs access.
chmodSync(folder, 0o755);
const overFolder = values.storage === "folder";
const disk = isRoot && overFolder ? new SmallDisk(join(folder, "disk"), 4_000) : null;
const s3 = overFolder ? null : await startS3();
let faults: number;
try {
  const report = await runChaos({
    dataDir: join(disk?.folder ?? folder, "data"),
    seed: Number(values.seed),
    rounds: Number(values.rounds),
    betweenSeconds: Number(values.between),
    ...(values.minutes === undefined ? {} : { minutes: Number(values.minutes) }),
    ...(values.only === undefined ? {} : { only: values.only.split(",") }),
    disk,
    s3: s3 && { endpoint: s3.endpoint, environment: await s3.newBucket() },
    tell: (line) => console.log(line),
  });
  print(report);
  faults = report.faults.length;
} finally {
  await s3?.[Symbol.asyncDispose]();
  if (disk) spawnSync("umount", ["--recursive", disk.folder]);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(faults === 0 ? 0 : 1);

function print({ rounds, done, recoveryMs, runs, faults }: ChaosReport): void {
  const total = Object.values(rounds).reduce((sum, each) => sum + each, 0);
  console.log(`\n| Fault | Rounds |\n|---|---|`);
  for (const [name, times] of Object.entries(rounds).sort()) console.log(`| ${name} | ${times} |`);
  const at = (share: number): string =>
    `${((recoveryMs[Math.floor(share * (recoveryMs.length - 1))] ?? 0) / 1000).toFixed(1)} s`;
  console.log(`\n${total} rounds, ${faults.length} faults.`);
  console.log(`Recovered after ${at(0.5)} (median), ${at(0.95)} (95%), ${at(1)} (longest).`);
  console.log(
    `People: ${Object.entries(done)
      .map(([what, n]) => `${n} ${what}`)
      .join(", ")}.`,
  );
  console.log(
    `Runs: ${Object.entries(runs)
      .map(([what, n]) => `${n} ${what}`)
      .join(", ")}.`,
  );
  for (const fault of faults) console.log(`FAULT ${fault}`);
}
