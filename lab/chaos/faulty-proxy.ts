import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@stipple/numerics/random";

/** How the storage behaves: normally, with seconds of delay, or with errors and broken connections. */
export type Mood = "well" | "slow" | "failing";

export interface FaultyProxy extends AsyncDisposable {
  url: string;
  mood: Mood;
}

const SLOWEST_MS = 3_000;

/** A proxy in front of an S3 server that forwards requests according to its mood. */
export async function openFaultyProxy(target: string, random: Random): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((from, to) => {
    void pass(from, to).catch(() => to.destroy());
  });
  const proxy: FaultyProxy = {
    url: "",
    mood: "well",
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function pass(from: IncomingMessage, to: ServerResponse): Promise<void> {
    if (proxy.mood === "slow") await sleep(random.uniform() * SLOWEST_MS);
    const lot = random.uniform();
    if (proxy.mood === "failing" && lot < 0.6) {
      if (lot < 0.3) {
        from.socket.destroy();
        return;
      }
      from.resume();
      to.writeHead(503).end(
        "<Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>",
      );
      return;
    }
    // Keep the Host header: the signature covers the host name the client requested.
    const { method, url: path, headers } = from;
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      // Cut the response off partway through.
      if (proxy.mood === "failing" && lot > 0.9) setTimeout(() => to.destroy(), 5);
      answer.pipe(to);
      answer.on("error", () => to.destroy());
    });
    onward.on("error", () => to.destroy());
    to.on("close", () => onward.destroy());
    from.pipe(onward);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
