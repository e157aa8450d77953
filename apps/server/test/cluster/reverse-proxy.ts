import { Agent, createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";

/** One HTTP address in front of several servers, used in turn. */
export interface ReverseProxy extends AsyncDisposable {
  url: string;
  /** How many requests each server received. */
  handed: number[];
}

/** A completed request, with the byte counts of both bodies. */
export interface Exchange {
  method: string;
  path: string;
  sent: number;
  received: number;
}

export async function openReverseProxy(
  targets: readonly string[],
  note: (exchange: Exchange) => void = () => undefined,
): Promise<ReverseProxy> {
  const agent = new Agent({ keepAlive: true });
  const handed = targets.map(() => 0);
  let turn = 0;
  const server = createServer((asked, answer) => {
    const chosen = turn++ % targets.length;
    handed[chosen]++;
    const { hostname, port } = new URL(targets[chosen]);
    const { method = "GET", url: path = "/" } = asked;
    // Keep the original Host header: S3 request signatures include it.
    const headers = { ...asked.headers, "x-forwarded-for": asked.socket.remoteAddress ?? "" };
    const onward = request({ agent, hostname, port, method, path, headers });
    const sent = countBytes(asked);
    const giveUp = (): void => void answer.destroy();
    answer.on("close", () => {
      if (!answer.writableFinished) onward.destroy();
    });
    onward.on("response", (response) => {
      const received = countBytes(response);
      answer.writeHead(response.statusCode ?? 502, response.headers);
      pipeline(response, answer).then(
        () => note({ method, path, sent: sent(), received: received() }),
        giveUp,
      );
    });
    pipeline(asked, onward).catch(giveUp);
    onward.on("error", giveUp);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handed,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

function countBytes(message: IncomingMessage): () => number {
  let bytes = 0;
  message.on("data", (piece: Buffer) => (bytes += piece.length));
  return () => bytes;
}
