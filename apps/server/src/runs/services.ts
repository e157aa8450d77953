import type { Logger } from "pino";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Background } from "../notices/background.ts";
import type { Mailer } from "../notices/mailer.ts";
import type { Metrics } from "../operations/metrics.ts";
import type { Tracing } from "../operations/tracing.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { SoundReads } from "../outputs/sound-reads.ts";
import type { Storage } from "../storage/storage.ts";
import type { Uploads } from "../uploads/uploads.ts";
import type { Shares } from "../visualization/shares.ts";
import type { Runs } from "./runs.ts";
import type { Workers } from "./worker/workers.ts";

/** What a worker uses of the server. */
export interface RunServices {
  background: Background;
  clock: Clock;
  config: Config;
  database: Database;
  entitlements: Entitlements;
  logger: Logger;
  mailer: Mailer;
  metrics: Metrics;
  outputs: Outputs;
  reads: SoundReads;
  runs: Runs;
  scratch: Scratch;
  shares: Shares;
  storage: Storage;
  tracing: Tracing;
  uploads: Uploads;
  workers: Workers;
}
