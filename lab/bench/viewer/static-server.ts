import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

export interface StaticServer {
  url: string;
  close(): void;
}

/** Serves local folders by name (`/name/…`), as whole files and single byte ranges. */
export async function serveFolders(folders: Record<string, string>): Promise<StaticServer> {
  const server = createServer((request, answer) => {
    void (async () => {
      const [, name = "", ...rest] = normalize(
        decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname),
      ).split("/");
      const folder = folders[name];
      const path = folder && join(folder, ...rest);
      const info = path ? await stat(path).catch(() => undefined) : undefined;
      if (!path || !info?.isFile()) return answer.writeHead(404).end();
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
      if (!range) {
        answer.writeHead(200, { "content-type": type, "content-length": info.size });
        return createReadStream(path).pipe(answer);
      }
      const start = Number(range[1]);
      const end = Math.min(info.size - 1, Number(range[2] || info.size - 1));
      answer.writeHead(206, {
        "content-type": type,
        "content-length": end - start + 1,
        "content-range": `bytes ${start}-${end}/${info.size}`,
      });
      return createReadStream(path, { start, end }).pipe(answer);
    })();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
