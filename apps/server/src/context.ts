import { join } from "node:path";
import { pino, type Logger } from "pino";
import { openAccounts, type Accounts } from "./accounts/accounts.ts";
import { openSessions, type Sessions } from "./accounts/sessions.ts";
import { openBilling, type Billing } from "./billing/billing.ts";
import { openEntitlements, type Entitlements } from "./billing/entitlements.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import { openDatabase, type Database } from "./db/database.ts";
import { openProjects, type Projects } from "./projects/projects.ts";
import { openSampleDataset, type SampleDataset } from "./projects/sample-dataset.ts";
import { openLocalFolder } from "./storage/local-folder.ts";
import type { Storage } from "./storage/storage.ts";
import { openUploads, type Uploads } from "./uploads/uploads.ts";
import { openVisualizationLinks, type VisualizationLinks } from "./visualization/links.ts";
import { openRuns, type Runs } from "./workflow/runs.ts";
import { openWorkers, type Workers } from "./workflow/workers.ts";

/** Everything the API and the worker are made of, built once. */
export interface Context extends AsyncDisposable {
  config: Config;
  clock: Clock;
  logger: Logger;
  database: Database;
  storage: Storage;
  sessions: Sessions;
  accounts: Accounts;
  entitlements: Entitlements;
  billing: Billing;
  projects: Projects;
  sample: SampleDataset;
  uploads: Uploads;
  workers: Workers;
  runs: Runs;
  visualizationLinks: VisualizationLinks;
}

export async function openContext(
  config: Config,
  options: { clock?: Clock; name: string },
): Promise<Context> {
  const clock = options.clock ?? systemClock;
  const logger = pino({
    name: options.name,
    level: config.logLevel,
    redact: ["req.headers.authorization"],
  });
  const database = openDatabase(config.databaseUrl);
  const { db } = database;
  const storage = await openLocalFolder(join(config.dataDir, "files"));
  const entitlements = openEntitlements(db, clock);
  const workers = openWorkers(db, clock);
  const projects = openProjects({ db, clock, storage, entitlements });
  const uploads = openUploads({ database, storage, config });
  const runs = await openRuns({ database, clock, config, logger, entitlements, workers });
  return {
    config,
    clock,
    logger,
    database,
    storage,
    sessions: openSessions(db, config.jwtSecret, config.sessionDays, clock),
    accounts: openAccounts(db, clock),
    entitlements,
    billing: openBilling({ db, clock, config, logger, entitlements }),
    projects,
    sample: openSampleDataset(join(config.dataDir, "sample")),
    uploads,
    workers,
    runs,
    visualizationLinks: openVisualizationLinks(config.jwtSecret, config.publicUrl, clock),
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
