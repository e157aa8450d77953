import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { downloadReference, isUrl } from "./download.ts";
import { isPublic } from "./public-address.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-download-"));
const path = join(folder, "file.h5ad");
const HDF5 = Buffer.concat([Buffer.from("\x89HDF\r\n\x1a\n", "latin1"), Buffer.alloc(5_000, 7)]);
const servers: Server[] = [];

/** A server on this machine, and its address. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/cells.h5ad`;
}

const download = (url: string, allows?: (address: string) => boolean, maxBytes = 1e6) =>
  downloadReference(url, path, { maxBytes, allows, signal: new AbortController().signal });
/** Stands for a public address. */
const here = (address: string): boolean => address === "127.0.0.1";

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("downloading a reference", () => {
  it("stores the file, after redirects", async () => {
    const file = await serve((_, response) => response.end(HDF5));
    const first = await serve((_, response) =>
      response.writeHead(302, { location: file }).end("elsewhere"),
    );
    await download(first, here);
    expect(readFileSync(path)).toEqual(HDF5);
  });

  it.each([
    "http://127.0.0.1/x.h5ad",
    "http://localhost/x.h5ad",
    "http://2130706433/x.h5ad",
    "http://[::1]/x.h5ad",
    "http://[::ffff:7f00:1]/x.h5ad",
    "http://10.1.2.3/x.h5ad",
    "http://192.168.0.1/x.h5ad",
    "http://169.254.169.254/latest/meta-data",
    "http://[fe80::1]/x.h5ad",
    "http://[fd00::1]/x.h5ad",
    "http://0.0.0.0/x.h5ad",
  ])("does not connect to %s", async (url) => {
    await expect(download(url)).rejects.toThrow(/points inside \(.* is not a public address\)/);
  });

  it("does not follow a redirect inside", async () => {
    let asked = false;
    const inside = await serve((_, response) => {
      asked = true;
      response.end(HDF5);
    });
    const port = new URL(inside).port;
    const first = await serve((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.2:${port}/` }).end(),
    );
    await expect(download(first, here)).rejects.toThrow("points inside (127.0.0.2");
    expect(asked).toBe(false);
  });

  it.each<[string, RequestListener, string]>([
    ["a page", (_, response) => response.end("<html>"), "is not an h5ad file"],
    ["nothing", (_, response) => response.end(), "is not an h5ad file"],
    ["an error", (_, response) => response.writeHead(404).end(), "answers with status 404"],
    [
      "too much, announced",
      (_, response) => response.writeHead(200, { "content-length": 2e6 }).end(),
      "is larger than 0.0 GB",
    ],
    [
      "too much",
      (_, response) => {
        response.write(HDF5);
        response.end(Buffer.alloc(1_000_000));
      },
      "is larger than 0.0 GB",
    ],
    [
      "half of it",
      (_, response) => {
        response.writeHead(200, { "content-length": HDF5.length }).write(HDF5.subarray(0, 100));
        setImmediate(() => response.destroy());
      },
      "does not answer",
    ],
    [
      "redirects in a circle",
      (_, response) => response.writeHead(301, { location: "/cells.h5ad" }).end(),
      "is redirected too often",
    ],
  ])("refuses a server that sends %s in one sentence", async (_, answer, sentence) => {
    await expect(download(await serve(answer), here)).rejects.toThrow(sentence);
  });

  it.each([
    ["ftp://example.org/x.h5ad", "is not a web address"],
    ["file:///etc/passwd", "is not a web address"],
    ["https://me:secret@example.org/x.h5ad", "is given with a password"],
    ["https://nowhere.invalid/x.h5ad", "does not answer"],
  ])("refuses %s", async (url, sentence) => {
    expect(isUrl(url)).toBe(true);
    await expect(download(url)).rejects.toThrow(sentence);
    await expect(download(url)).rejects.not.toThrow("secret");
  });

  it("knows public addresses", () => {
    expect(["8.8.8.8", "2606:4700::1111"].every(isPublic)).toBe(true);
    expect(["100.64.0.1", "64:ff9b::a00:1", "224.0.0.1", "::", "no"].some(isPublic)).toBe(false);
  });
});
