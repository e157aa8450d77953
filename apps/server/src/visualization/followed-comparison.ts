import { PassThrough } from "node:stream";
import type { DifferentialLine, DifferentialTable } from "@stipple/contract";
import type { FastifyRequest } from "fastify";
import { problemOf } from "../http/api-error.ts";
import { refusalOf } from "../http/problems.ts";
import type { FileAnswer } from "../http/route-adapter.ts";
import { whileConnected } from "./while-connected.ts";

const HEADERS = {
  "content-type": "application/x-ndjson",
  "cache-control": "no-store",
  // A proxy that collects an answer before it sends it on would hide the progress.
  "x-accel-buffering": "no",
};

/**
 * Responds with the lines of a comparison as soon as it has started: its progress, then its table. A refusal before
 * that has its own HTTP status, as everywhere; a later failure is the last line. The comparison is canceled if the
 * caller disconnects.
 */
export function followedComparison(
  request: FastifyRequest,
  compare: (signal: AbortSignal, progress: (done: number) => void) => Promise<DifferentialTable>,
): Promise<FileAnswer> {
  const lines = new PassThrough();
  const put = (line: DifferentialLine): void => void lines.write(`${JSON.stringify(line)}\n`);
  return new Promise((begin, refuse) => {
    let begun = false;
    const comparison = whileConnected(request, (signal) =>
      compare(signal, (done) => {
        put({ done });
        begun = true;
        begin({ status: 200, headers: HEADERS, body: lines });
      }),
    );
    comparison.then(
      (table) => {
        put({ table });
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
