import { basename, dirname } from "node:path";
import { Writable } from "node:stream";
import { createStream, type RotatingFileStream } from "rotating-file-stream";

export interface LogFiles {
  /** Size at which a file is put aside. */
  megabytes: number;
  /** How many are kept beside the one that is written. */
  kept: number;
}

export const DEFAULT_LOG_FILES: LogFiles = { megabytes: 20, kept: 5 };

/** After a failure, for example on a full disk, the file is opened again no sooner. */
const PAUSE_MS = 1_000;

/**
 * Appends to a log file. A full one becomes `<path>.1`, the one before `<path>.2` and so on; the oldest goes. It never
 * fails and always takes what it is given: what cannot be written, as on a full disk, is lost. Anyone who logs would
 * otherwise wait for a reader of its output forever.
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
