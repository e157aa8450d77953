import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { laterPort } from "../apps/server/test/later-port.ts";
import { copyDatabase, copySample } from "../apps/server/test/prepared-folder.ts";

export const ROOT = resolve(import.meta.dirname, "..");

export interface Platform {
  url: string;
  dataDir: string;
  /** Output of the start command so far. */
  output(): string;
  /** Stops everything like Ctrl-C; resolves with the exit code, null if it had to be killed. */
  interrupt(): Promise<number | null>;
  /** Interrupts and removes the data. */
  close(): Promise<void>;
}

export interface PlatformOptions {
  /** Data folder of an earlier run; default: a new temporary folder. */
  dataDir?: string;
  /** Starts on an empty folder, as in a new installation, instead of with the prepared database and sample dataset. */
  isFirstStart?: boolean;
  environment?: NodeJS.ProcessEnv;
}

/** A platform that takes longer is killed: a test run must end. */
const STOPS_WITHIN_MS = 60_000;

/** Starts the whole platform through the same entry point as `npm start`, on a free port with its own data folder. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "stipple-e2e-")));
  // Temporary folders are private, but PostgreSQL's account needs access.
  await chmod(dataDir, 0o755);
  if (!options.dataDir && !options.isFirstStart) {
    await copyDatabase(dataDir);
    await copySample(dataDir);
  }
  const port = await laterPort("localhost");
  const child = spawn(process.execPath, ["apps/cli/bin/stipple.cjs", "serve"], {
    cwd: ROOT,
    env: {
      ...process.env,
      // Pages are tested as built and served in production.
      NODE_ENV: "development",
      PORT: `${port}`,
      STIPPLE_DATA_DIR: dataDir,
      STIPPLE_PUBLIC_URL: `http://localhost:${port}`,
      STIPPLE_THROWAWAY_DATABASE: "1",
      // All journeys come from one IP address.
      STIPPLE_SIGNUPS_PER_MINUTE: "1000",
      STIPPLE_LOGINS_PER_MINUTE: "1000",
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  }
  const exited = new Promise<number | null>((done) => child.once("exit", done));
  await running(child, exited, () => printed).catch(async (error: unknown) => {
    if (!options.dataDir)
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    throw error;
  });
  const interrupt = async (): Promise<number | null> => {
    if (child.exitCode === null) child.kill("SIGINT");
    const tooLate = setTimeout(() => {
      console.error(`The platform has not stopped in a minute:\n${printed}`);
      process.kill(-child.pid!, "SIGKILL");
    }, STOPS_WITHIN_MS);
    return exited.finally(() => clearTimeout(tooLate));
  };
  return {
    url: `http://localhost:${port}`,
    dataDir,
    output: () => printed,
    interrupt,
    async close() {
      await interrupt();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

async function running(
  child: ChildProcess,
  exited: Promise<number | null>,
  printed: () => string,
): Promise<void> {
  const ready = new Promise<void>((done) => {
    const look = (): void => {
      if (printed().includes("Stipple is running at")) done();
    };
    child.stdout?.on("data", look);
    look();
  });
  await Promise.race([
    ready,
    exited.then((code) => {
      throw new Error(`The platform ended with ${code} before it was ready:\n${printed()}`);
    }),
  ]);
}
