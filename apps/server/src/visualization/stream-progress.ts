import { PassThrough } from "node:stream";
import type { FastifyRequest } from "fastify";
import { problemOf } from "../http/api-error.ts";
import { refusalOf } from "../http/problems.ts";
import type { FileAnswer } from "../http/route-adapter.ts";

const HEADERS = {
  "content-type": "application/x-ndjson",
  "cache-control": "no-store",
  // A proxy that collects an answer before it sends it on would hide the progress.
  "x-accel-buffering": "no",
};

/**
 * Responds with the lines of a computation as soon as it has started: its progress, then the line that `lastLine` makes
 * of its result. A refusal before that has its own HTTP status, as everywhere; a later failure is the last line. The
 * computation is canceled if the caller disconnects.
 */
export function streamProgress<T>(
  request: FastifyRequest,
  compute: (signal: AbortSignal, progress: (done: number) => void) => Promise<T>,
  lastLine: (result: T) => object | Promise<object>,
): Promise<FileAnswer> {
  const lines = new PassThrough();
  const put = (line: object): void => void lines.write(`${JSON.stringify(line)}\n`);
  return new Promise((begin, refuse) => {
    let begun = false;
    const work = whileConnected(request, async (signal) =>
      lastLine(
        await compute(signal, (done) => {
          put({ done });
          begun = true;
          begin({ status: 200, headers: HEADERS, body: lines });
        }),
      ),
    );
    work.then(
      (line) => {
        put(line);
        lines.end();
      },
      (error: unknown) => {
        if (!begun) return refuse(error as Error);
        put({ problem: problemOf(refusalOf(error, request)) });
        lines.end();
      },
    );
  });
}

/** Runs work that is aborted when the caller disconnects. */
export async function whileConnected<T>(
  request: FastifyRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  const { socket } = request.raw;
  socket.once("close", leave);
  // A caller that disconnected while the request was checked is not reported anymore.
  if (socket.destroyed) leave();
  try {
    return await work(gone.signal);
  } finally {
    socket.off("close", leave);
  }
}
