import { basename, dirname } from "node:path";
import { createStream, type RotatingFileStream } from "rotating-file-stream";

export interface LogFiles {
  /** Size at which a file is put aside. */
  megabytes: number;
  /** How many are kept beside the one that is written. */
  kept: number;
}

export const DEFAULT_LOG_FILES: LogFiles = { megabytes: 20, kept: 5 };

/** Appends to a log file. A full one becomes `<path>.1`, the one before `<path>.2` and so on; the oldest goes. */
export function openLogFile(path: string, { megabytes, kept }: LogFiles): RotatingFileStream {
  const stream = createStream(basename(path), {
    path: dirname(path),
    size: `${megabytes}M`,
    rotate: kept,
    mode: 0o600,
  });
  // A full disk must not end the platform: what cannot be logged is lost.
  stream.on("error", () => undefined);
  stream.on("warning", () => undefined);
  return stream;
}
