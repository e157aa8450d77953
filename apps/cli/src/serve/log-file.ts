import { basename, dirname } from "node:path";
import { Writable } from "node:stream";
import { createStream, type RotatingFileStream } from "rotating-file-stream";

export interface LogFiles {
  /** Size at which a file is rotated. */
  megabytes: number;
  /** Number of files kept in addition to the current one. */
  kept: number;
}

export const DEFAULT_LOG_FILES: LogFiles = { megabytes: 20, kept: 5 };

/** Minimum delay before reopening the file after a failure, such as a full disk. */
const PAUSE_MS = 1_000;

/**
 * Appends to a log file. A full one becomes `<path>.1`, the previous one `<path>.2`, and so on; the oldest is deleted.
 * It never fails and accepts everything it is given: what cannot be written, for example on a full disk, is lost.
 * Otherwise, a process that logs would wait forever for its output to be read.
 */
export function openLogFile(path: string, { megabytes, kept }: LogFiles): Writable {
  let file: RotatingFileStream | undefined;
  let failedAt = -Infinity;
  function opened(): RotatingFileStream | undefined {
    if (file || Date.now() - failedAt < PAUSE_MS) return file;
    const fresh = createStream(basename(path), {
      path: dirname(path),
      size: `${megabytes}M`,
      rotate: kept,
      mode: 0o600,
    });
    fresh.on("warning", () => undefined);
    fresh.on("error", () => {
      failedAt = Date.now();
      if (file === fresh) file = undefined;
      fresh.destroy();
    });
    return (file = fresh);
  }
  return new Writable({
    write(chunk, encoding, done) {
      const to = opened();
      if (to) to.write(chunk, encoding, () => done());
      else done();
    },
    final(done) {
      if (file) file.end(() => done());
      else done();
    },
  });
}
