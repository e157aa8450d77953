import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { laterPort } from "../later-port.ts";
import { startPostgres } from "../../../cli/src/serve/postgres.ts";
import { readConfig } from "../../src/config.ts";
import { openContext, type Context } from "../../src/context.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openSampleDataset } from "../../src/sample/sample-dataset.ts";
import { noS3, startS3 } from "../s3-server.ts";
import { copyDatabase } from "../prepared-folder.ts";
import { openLine } from "./line.ts";
import { addExchange, nothingMoved, type MovedBytes } from "./moved-bytes.ts";
import { openNamespace } from "./network-namespace.ts";
import { openReverseProxy, type ReverseProxy } from "./reverse-proxy.ts";
import { ServerProcess } from "./server-process.ts";

const entryOf = (name: string) => fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url));

/** A whole installation on several "machines": one database, one storage, two APIs behind one address, and workers. */
export interface Cluster extends AsyncDisposable {
  storage: "S3" | "folder";
  proxy: ReverseProxy;
  /** Direct access to the database and storage, bypassing the processes. */
  context: Context;
  /** What workers and APIs wrote to and read from the bucket; zeros for a folder. */
  moved: { workers: MovedBytes; apis: MovedBytes };
  /** A worker with its own disk; resolves once it is ready. */
  addWorker(environment?: NodeJS.ProcessEnv): Promise<ClusterWorker>;
}

export interface ClusterWorker extends Pick<ServerProcess, "output" | "hasEnded" | "says"> {
  id: string;
  /** Kills it and its child processes without warning. */
  kill(): Promise<void>;
  /** Cuts its network: nothing arrives, and no connection closes. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** `namespaces`: gives each worker its own network and process IDs (Linux, as root). */
export async function startCluster(options: { namespaces?: boolean } = {}): Promise<Cluster> {
  const parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "stipple-cluster-"));
  parts.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  // Temporary folders are private; the account PostgreSQL runs under needs access.
  await chmod(folder, 0o755);
  await copyDatabase(join(folder, "database"));
  const postgres = await startPostgres({ dataDir: join(folder, "database"), throwaway: true });
  parts.defer(() => postgres.stop());
  await migrate(postgres.url);

  const s3 = noS3 ? null : parts.use(await startS3());
  const bucket = s3 ? await s3.newBucket() : { STIPPLE_STORAGE: `file:${join(folder, "storage")}` };
  const moved = { workers: nothingMoved(), apis: nothingMoved() };
  const counted = async (who: MovedBytes): Promise<string | null> =>
    s3 && parts.use(await openReverseProxy([s3.endpoint], (one) => addExchange(who, one))).url;
  const [forWorkers, forApis] = [await counted(moved.workers), await counted(moved.apis)];
  const secret = randomBytes(32).toString("hex");
  const environmentOf = (name: string, database: string, endpoint: string | null) => ({
    ...bucket,
    ...(endpoint ? { STIPPLE_S3_ENDPOINT: endpoint } : {}),
    DATABASE_URL: database,
    STIPPLE_SECRET: secret,
    STIPPLE_DATA_DIR: join(folder, name),
    STIPPLE_WEB_DIR: join(folder, "web"),
    STIPPLE_LOG_LEVEL: "info",
  });

  const urls: string[] = [];
  for (const name of ["api-1", "api-2"]) {
    await withoutSample(join(folder, name));
    const port = String(await laterPort());
    const own = { ...environmentOf(name, postgres.url, forApis), PORT: port, HOST: "127.0.0.1" };
    const proxied = { ...own, STIPPLE_TRUST_PROXY: "1", STIPPLE_SIGNUPS_PER_MINUTE: "1000" };
    const api = parts.use(new ServerProcess(entryOf("main-api"), proxied));
    await api.says(/"listening"/);
    urls.push(`http://127.0.0.1:${port}`);
  }
  const proxy = parts.use(await openReverseProxy(urls));
  const context = parts.use(
    await openContext(
      readConfig({
        ...environmentOf("look", postgres.url, s3?.endpoint ?? null),
        STIPPLE_LOG_LEVEL: "error",
      }),
      { name: "look" },
    ),
  );

  let workers = 0;
  async function addWorker(environment: NodeJS.ProcessEnv = {}): Promise<ClusterWorker> {
    const index = ++workers;
    const network = options.namespaces ? parts.use(await openNamespace(index)) : null;
    const host = network?.hostAddress ?? "127.0.0.1";
    const line = async (address: string) => {
      const url = new URL(address);
      const opened = parts.use(
        await openLine({ host: url.hostname, port: Number(url.port) }, host),
      );
      url.hostname = host;
      url.port = String(opened.port);
      return { ...opened, address: url.href.replace(/\/$/, "") };
    };
    const toDatabase = await line(postgres.url);
    const toStorage = forWorkers ? await line(forWorkers) : null;
    const started = parts.use(
      new ServerProcess(
        entryOf("main-worker"),
        {
          ...environmentOf(`worker-${index}`, toDatabase.address, toStorage?.address ?? null),
          STIPPLE_THREADS: "1",
          ...environment,
        },
        network?.prefix,
      ),
    );
    const [, id] = await started.says(/"worker":"([^"]+)","msg":"worker ready"/);
    return Object.assign(started, {
      id: id,
      async cut() {
        if (network) return network.set("down");
        toDatabase.cut();
        toStorage?.cut();
      },
      async mend() {
        if (network) return network.set("up");
        toDatabase.mend();
        toStorage?.mend();
      },
    });
  }

  return {
    storage: s3 ? "S3" : "folder",
    proxy,
    context,
    moved,
    addWorker,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Keeps an API from building the sample dataset, which is not needed here and would outlive a killed API. */
async function withoutSample(dataDir: string): Promise<void> {
  const { folder } = openSampleDataset(join(dataDir, "sample"));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "barcodes.tsv.gz"), "");
}
