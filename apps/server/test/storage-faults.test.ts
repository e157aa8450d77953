import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { checkStorage } from "../src/storage/check-storage.ts";
import { openStorage } from "../src/storage/open-storage.ts";
import { isStorageAway } from "../src/storage/storage-away.ts";
import { openWorkspaces } from "../src/outputs/workspace.ts";
import { openLine } from "./cluster/line.ts";
import { publishFiles } from "./published.ts";
import { noS3, startS3, type S3Server } from "./s3-server.ts";
import { startTestServer } from "./server.ts";
import { keysBelow } from "./stored.ts";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "stipple-storage-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts with this environment; returns the refusal message, or null if it starts. */
async function refusal(environment: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const { storage: settings } = readConfig({
      DATABASE_URL: "postgresql://",
      STIPPLE_DATA_DIR: folder,
      ...environment,
    });
    const storage = await openStorage(settings);
    await checkStorage(storage, settings).finally(() => storage.close());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const anywhere = {
  STIPPLE_STORAGE: "s3://bucket",
  STIPPLE_S3_PATH_STYLE: "true",
  AWS_ACCESS_KEY_ID: "a",
  AWS_SECRET_ACCESS_KEY: "b",
};

describe("unusable storage is refused in one sentence", () => {
  it("when its address is invalid", async () => {
    expect(await refusal({ STIPPLE_STORAGE: "ftp://x" })).toContain(
      "STIPPLE_STORAGE must be file:DIR or s3://BUCKET/PREFIX",
    );
    expect(await refusal({ ...anywhere, STIPPLE_S3_ENDPOINT: "minio:9000" })).toContain(
      "STIPPLE_S3_ENDPOINT must be an http:// or https:// address",
    );
    expect(await refusal({ ...anywhere, STIPPLE_S3_ENCRYPTION: "yes" })).toContain(
      "STIPPLE_S3_ENCRYPTION must be AES256, aws:kms or aws:kms:KEY",
    );
  });

  it("when the path is not a folder", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    expect(await refusal({ STIPPLE_STORAGE: `file:${file}` })).toMatch(
      /^Stipple cannot use the storage folder .*file \((ENOTDIR|EEXIST)\): .*STIPPLE_STORAGE/,
    );
    expect(await refusal({})).toBeNull();
  });

  it("when the endpoint does not respond", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const endpoint = `http://127.0.0.1:${port}`;
    expect(await refusal({ ...anywhere, STIPPLE_S3_ENDPOINT: endpoint })).toBe(
      `No S3 server responds at ${endpoint} (ECONNREFUSED): start it, or correct STIPPLE_S3_ENDPOINT.`,
    );
    const nowhere = "http://s3.invalid";
    expect(await refusal({ ...anywhere, STIPPLE_S3_ENDPOINT: nowhere })).toMatch(
      /^No S3 server responds at http:\/\/s3\.invalid \((ENOTFOUND|EAI_AGAIN)\)/,
    );
  });

  it("when something else responds there", async () => {
    const server = createHttpServer((_, answer) => answer.end("<html><body>Welcome</body></html>"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await refusal({ ...anywhere, STIPPLE_S3_ENDPOINT: endpoint })).toMatch(
        /does not respond like an S3 server|returned different bytes/,
      );
    } finally {
      server.close();
    }
  });

  describe.skipIf(noS3)(`S3${noS3 ? `: NOT RUN, ${noS3}` : ""}`, () => {
    let s3: S3Server;
    let bucket: NodeJS.ProcessEnv;
    beforeAll(async () => {
      s3 = await startS3();
      bucket = await s3.newBucket();
    });
    afterAll(() => s3[Symbol.asyncDispose]());

    it("is accepted when usable, and nothing is left behind", async () => {
      expect(await refusal(bucket)).toBeNull();
      const { storage: settings } = readConfig({ DATABASE_URL: "postgresql://", ...bucket });
      const storage = await openStorage(settings);
      expect(await keysBelow(storage, "")).toEqual([]);
      storage.close();
    });

    it("when the bucket does not exist", async () => {
      expect(await refusal({ ...bucket, STIPPLE_STORAGE: "s3://no-such-bucket" })).toBe(
        `There is no bucket no-such-bucket at ${s3.endpoint}: create it, or correct STIPPLE_STORAGE.`,
      );
    });

    it("when the credentials are wrong, or may only read", async () => {
      expect(await refusal({ ...bucket, AWS_SECRET_ACCESS_KEY: "wrong" })).toMatch(
        /rejects the credentials \(SignatureDoesNotMatch\): correct AWS_ACCESS_KEY_ID/,
      );
      expect(await refusal({ ...bucket, ...s3.reader })).toMatch(
        /^The credentials may not write to the bucket stipple-.*: give them permission/,
      );
    });
  });
});

describe("storage that is away for now", () => {
  it.skipIf(noS3)(
    "is waited for by what a run writes and fetches",
    { timeout: 60_000 },
    async () => {
      await using s3 = await startS3();
      const bucket = await s3.newBucket();
      const { hostname: host, port } = new URL(s3.endpoint);
      await using line = await openLine({ host, port: Number(port) });
      const endpoint = `http://127.0.0.1:${line.port}`;
      await using server = await startTestServer({ ...bucket, STIPPLE_S3_ENDPOINT: endpoint });
      const project = await server.newProject(await server.signUp());
      const large = Buffer.alloc(300_000, "large");
      const contents = { "figures/umap.png": "figure", "step6_output/large.npy": large };
      // As long as a server takes to restart, and longer than the library tries.
      const restart = async () => {
        line.refuse();
        await delay(4_000);
        line.mend();
      };
      const [published] = await Promise.all([
        publishFiles(server, project, 6, contents),
        restart(),
      ]);
      expect(published.sentObjects).toBe(2);
      const workspaces = openWorkspaces(server.context, folder);
      const { results, provide } = await workspaces.open(randomUUID(), project, []);
      const files = Object.keys(contents);
      await Promise.all([provide({ inputs: [], files }), restart()]);
      expect(await readFile(join(results, "step6_output/large.npy"))).toEqual(large);
      expect(await readFile(join(results, "figures/umap.png"), "utf8")).toBe("figure");
    },
  );

  it("is told from one that refuses", async () => {
    const server = createHttpServer((_, answer) => answer.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { storage: settings } = readConfig({
      DATABASE_URL: "postgresql://",
      ...anywhere,
      STIPPLE_S3_ENDPOINT: endpoint,
    });
    const storage = await openStorage(settings);
    const isAway = () =>
      storage.beginParts("key").then(
        () => null,
        (error: unknown) => isStorageAway(error),
      );
    try {
      expect(await isAway()).toBe(false);
      server.closeAllConnections();
      server.close();
      expect(await isAway()).toBe(true);
    } finally {
      server.close();
      storage.close();
    }
  });
});
