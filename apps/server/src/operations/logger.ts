import { pino, type DestinationStream, type Logger } from "pino";
import type { LogFormat } from "../settings/log-formats.ts";
import { scrubbed } from "./scrub.ts";

export interface LogSettings {
  level: string;
  format: LogFormat;
}

/** Whatever has one of these names, at the top of a log line or one or two levels below, is not written. */
const SECRET_NAMES = ["authorization", "cookie", "password", "token", "secret", "text", "html"];
const secretPaths = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** One process's log: JSON lines with time, level, name and the ids that a line is about. Secrets stay out of it. */
export async function openLogger(
  name: string,
  { level, format }: LogSettings,
  destination?: DestinationStream,
): Promise<Logger> {
  const isText = format === "text" || (format === "auto" && process.stdout.isTTY);
  return pino(
    {
      name,
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths, censor: "[removed]" },
      serializers: { err: describedError, error: describedError },
      hooks: { streamWrite: scrubbed },
    },
    destination ?? (isText ? await forPeople() : pino.destination({ dest: 1, sync: true })),
  );
}

async function forPeople(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    sync: true,
    colorize: process.stdout.hasColors?.() ?? false,
    translateTime: "SYS:HH:MM:ss",
    ignore: "pid,name",
    singleLine: true,
  });
}

interface DescribedError {
  type: string;
  message: string;
  stack?: string;
  code?: unknown;
  cause?: DescribedError;
}

/**
 * The parts of an error that are logged. Its other properties are left out: those of a database error contain rows;
 * those of a mail or payment library, what was sent.
 */
function describedError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(code === undefined ? {} : { code }),
    ...(error.cause instanceof Error ? { cause: describedError(error.cause) } : {}),
  };
}
