import { join } from "node:path";
import type { Logger, DestinationStream } from "pino";
import { Background } from "./notices/background.ts";
import { openMailer, type Mailer } from "./notices/mailer.ts";
import { openBillingClock, type BillingClock } from "./billing/billing-clock.ts";
import { openBilling, type Billing } from "./billing/billing.ts";
import { openEntitlements, type Entitlements } from "./billing/entitlements.ts";
import { openStorageRoom } from "./billing/storage-room.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import { openDatabase, type Database } from "./db/database.ts";
import { openLiveExample, type LiveExample } from "./live-example/live-example.ts";
import { openLogger } from "./operations/logger.ts";
import { openMetrics, type Metrics } from "./operations/metrics.ts";
import { openReadiness, type Readiness } from "./operations/readiness.ts";
import { openTracing, type Tracing } from "./operations/tracing.ts";
import { openInputReads, type InputReads } from "./outputs/input-reads.ts";
import { openOutputs, type Outputs } from "./outputs/read.ts";
import { openSoundReads, type SoundReads } from "./outputs/sound-reads.ts";
import { claimScratch, type Scratch } from "./outputs/scratch.ts";
import { openDeletions, type Deletions } from "./projects/deletions.ts";
import { openProjects, type Projects } from "./projects/projects.ts";
import { openSampleDataset, type SampleDataset } from "./sample/sample-dataset.ts";
import { checkStorage } from "./storage/check-storage.ts";
import { openStorage } from "./storage/open-storage.ts";
import type { Storage } from "./storage/storage.ts";
import { openStudies, type Studies } from "./studies/studies.ts";
import { openStudyComputing, type StudyComputing } from "./studies/study-computing.ts";
import { openUploads, type Uploads } from "./uploads/uploads.ts";
import { openNotices, type Notices } from "./notices/notices.ts";
import { openDownloadLinks, type DownloadLinks } from "./results/download-links.ts";
import { openVisualizationLinks, type VisualizationLinks } from "./visualization/links.ts";
import { openShares, type Shares } from "./visualization/shares.ts";
import { openRuns, QUEUE_CONNECTIONS, type Runs } from "./runs/runs.ts";
import { openWorkers, type Workers } from "./runs/worker/workers.ts";

/** All parts of the API and the worker, built once. */
export interface Context extends AsyncDisposable {
  config: Config;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  readiness: Readiness;
  database: Database;
  storage: Storage;
  /** Reads what is stored, and checks it. */
  reads: SoundReads;
  /** This process's own place for copies. */
  scratch: Scratch;
  outputs: Outputs;
  inputReads: InputReads;
  background: Background;
  mailer: Mailer;
  entitlements: Entitlements;
  billing: Billing;
  notices: Notices;
  billingClock: BillingClock;
  deletions: Deletions;
  projects: Projects;
  studies: Studies;
  studyComputing: StudyComputing;
  sample: SampleDataset;
  uploads: Uploads;
  workers: Workers;
  runs: Runs;
  visualizationLinks: VisualizationLinks;
  downloadLinks: DownloadLinks;
  shares: Shares;
  liveExample: LiveExample;
}

export async function openContext(
  config: Config,
  options: { clock?: Clock; name: string; connections?: number; logTo?: DestinationStream },
): Promise<Context> {
  const clock = options.clock ?? systemClock;
  const logger = await openLogger(options.name, config.log, options.logTo);
  const tracing = await openTracing(config.tracing, options.name);
  const database = openDatabase(
    config.databaseUrl,
    options.connections ?? config.connections.api - QUEUE_CONNECTIONS,
  );
  const { db } = database;
  const storage = await openStorage(config.storage);
  await checkStorage(storage, config.storage);
  const scratch = await claimScratch(config.dataDir);
  const billingClock = openBillingClock(db, clock, config.stripe.sandboxUrl !== undefined);
  const entitlements = openEntitlements(db, billingClock);
  const workers = openWorkers(database);
  const deletions = openDeletions(db, storage, clock);
  const storageRoom = openStorageRoom(billingClock);
  const projects = openProjects({ database, clock, deletions, entitlements, storageRoom });
  const studies = openStudies({ database, clock, entitlements, projects });
  const metrics = openMetrics();
  const reads = openSoundReads({ db, storage, logger, metrics });
  const outputs = openOutputs(db, reads);
  const studyComputing = openStudyComputing({ database, storage, reads, outputs, scratch, config });
  const uploads = openUploads({ database, storage, reads, config, storageRoom, scratch, outputs });
  const runs = await openRuns({ database, clock, config, logger, entitlements, workers });
  const mailer = openMailer(config);
  const background = new Background();
  const notices = openNotices({ db, mailer, config, logger, background });
  const visualizationLinks = openVisualizationLinks({
    db,
    key: config.jwtSecret,
    publicUrl: config.publicUrl,
    clock,
    billingClock,
    entitlements,
    showsExample: config.liveExample,
  });
  const sample = openSampleDataset(join(config.dataDir, "sample"));
  return {
    config,
    clock,
    logger,
    metrics,
    tracing,
    readiness: openReadiness(db, () => checkStorage(storage, config.storage)),
    database,
    storage,
    reads,
    scratch,
    outputs,
    inputReads: openInputReads(db, reads),
    background,
    mailer,
    entitlements,
    billing: openBilling({
      database,
      clock: billingClock,
      config,
      logger,
      entitlements,
      notices,
    }),
    notices,
    billingClock,
    deletions,
    projects,
    studies,
    studyComputing,
    sample,
    uploads,
    workers,
    runs,
    visualizationLinks,
    downloadLinks: openDownloadLinks(config.jwtSecret, clock),
    shares: openShares({ database, clock: billingClock, entitlements, links: visualizationLinks }),
    liveExample: openLiveExample({
      clock,
      config,
      database,
      outputs,
      projects,
      runs,
      sample,
      uploads,
      visualizationLinks,
    }),
    async [Symbol.asyncDispose]() {
      await background.settled();
      await runs[Symbol.asyncDispose]();
      await studyComputing[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      uploads[Symbol.dispose]();
      storage.close();
      await tracing[Symbol.asyncDispose]();
    },
  };
}
