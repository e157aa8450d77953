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

/** What everything else is made of. */
interface Base {
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
  background: Background;
  mailer: Mailer;
  entitlements: Entitlements;
  billingClock: BillingClock;
  deletions: Deletions;
  sample: SampleDataset;
  workers: Workers;
}

/** All parts of the API and the worker, built once. */
export interface Context extends Base, AsyncDisposable {
  inputReads: InputReads;
  billing: Billing;
  notices: Notices;
  projects: Projects;
  studies: Studies;
  studyComputing: StudyComputing;
  uploads: Uploads;
  runs: Runs;
  visualizationLinks: VisualizationLinks;
  downloadLinks: DownloadLinks;
  shares: Shares;
  liveExample: LiveExample;
}

interface Options {
  clock?: Clock;
  name: string;
  connections?: number;
  logTo?: DestinationStream;
}

async function openBase(config: Config, options: Options): Promise<Base> {
  const clock = options.clock ?? systemClock;
  const logger = await openLogger(options.name, config.log, options.logTo);
  const tracing = await openTracing(config.tracing, options.name);
  const connections = options.connections ?? config.connections.api - QUEUE_CONNECTIONS;
  const database = openDatabase(config.databaseUrl, connections);
  const { db } = database;
  const storage = await openStorage(config.storage);
  await checkStorage(storage, config.storage);
  const metrics = openMetrics();
  const reads = openSoundReads({ db, storage, logger, metrics });
  const billingClock = openBillingClock(db, clock, config.stripe.sandboxUrl !== undefined);
  return {
    ...{ config, clock, logger, tracing, database, storage, metrics, reads, billingClock },
    readiness: openReadiness(db, () => checkStorage(storage, config.storage)),
    scratch: await claimScratch(config.dataDir),
    outputs: openOutputs(db, reads),
    background: new Background(),
    mailer: openMailer(config),
    entitlements: openEntitlements(db, billingClock),
    deletions: openDeletions(db, storage, clock),
    sample: openSampleDataset(join(config.dataDir, "sample")),
    workers: openWorkers(database),
  };
}

export async function openContext(config: Config, options: Options): Promise<Context> {
  const base = await openBase(config, options);
  const { background, billingClock, clock, database, entitlements, scratch, storage } = base;
  const { db } = database;
  const storageRoom = openStorageRoom(billingClock);
  const projects = openProjects({ ...base, storageRoom });
  const studyComputing = openStudyComputing(base);
  const uploads = openUploads({ ...base, storageRoom });
  const runs = await openRuns(base);
  const notices = openNotices({ ...base, db });
  const visualizationLinks = openVisualizationLinks({
    ...{ db, clock, billingClock, entitlements },
    key: config.jwtSecret,
    publicUrl: config.publicUrl,
    showsExample: config.liveExample,
  });
  return {
    ...base,
    ...{ notices, projects, studyComputing, uploads, runs, visualizationLinks },
    inputReads: openInputReads(db, base.reads),
    billing: openBilling({ ...base, clock: billingClock, notices }),
    studies: openStudies({ ...base, projects }),
    downloadLinks: openDownloadLinks(config.jwtSecret, clock),
    shares: openShares({ database, clock: billingClock, entitlements, links: visualizationLinks }),
    liveExample: openLiveExample({ ...base, projects, runs, uploads, visualizationLinks }),
    async [Symbol.asyncDispose]() {
      await background.settled();
      await runs[Symbol.asyncDispose]();
      await studyComputing[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      uploads[Symbol.dispose]();
      storage.close();
      await base.tracing[Symbol.asyncDispose]();
    },
  };
}
