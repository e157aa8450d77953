import { join } from "node:path";
import type { DestinationStream } from "pino";
import { Background } from "./notices/background.ts";
import { openMailer } from "./notices/mailer.ts";
import { openBillingClock } from "./billing/billing-clock.ts";
import { openBilling } from "./billing/billing.ts";
import { openEntitlements } from "./billing/entitlements.ts";
import { openStorageRoom } from "./billing/storage-room.ts";
import { systemClock, type Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { openLiveExample } from "./live-example/live-example.ts";
import { openLogger } from "./operations/logger.ts";
import { openMetrics } from "./operations/metrics.ts";
import { openReadiness } from "./operations/readiness.ts";
import { openTracing } from "./operations/tracing.ts";
import { openOutputs } from "./outputs/read.ts";
import { openSoundReads } from "./outputs/sound-reads.ts";
import { claimScratch } from "./outputs/scratch.ts";
import { openDeletions } from "./projects/deletions.ts";
import { openProjects } from "./projects/projects.ts";
import { openSampleDataset } from "./sample/sample-dataset.ts";
import { checkStorage } from "./storage/check-storage.ts";
import { openStorage } from "./storage/open-storage.ts";
import { openStudies } from "./studies/studies.ts";
import { openStudyComputing } from "./studies/study-computing.ts";
import { openUploads } from "./uploads/uploads.ts";
import { openNotices } from "./notices/notices.ts";
import { openDownloadLinks } from "./results/download-links.ts";
import { openVisualizationLinks } from "./visualization/links.ts";
import { openShares } from "./visualization/shares.ts";
import { openRuns, QUEUE_CONNECTIONS } from "./runs/runs.ts";
import { openWorkers } from "./runs/worker/workers.ts";

/** All parts of the API and the worker. */
export type Context = Awaited<ReturnType<typeof openContext>>;

interface Options {
  clock?: Clock;
  name: string;
  connections?: number;
  logTo?: DestinationStream;
}

/** What everything else is made of. */
async function openBase(config: Config, options: Options) {
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
    /** This process's own place for copies. */
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

/** Opens all parts, once for each process. */
export async function openContext(config: Config, options: Options) {
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
    billing: openBilling({ ...base, clock: billingClock, notices }),
    studies: openStudies({ ...base, projects }),
    downloadLinks: openDownloadLinks(config.jwtSecret, clock),
    shares: openShares({ database, clock: billingClock, entitlements, links: visualizationLinks }),
    liveExample: openLiveExample({ ...base, projects, runs, uploads, visualizationLinks }),
    async [Symbol.asyncDispose](): Promise<void> {
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
