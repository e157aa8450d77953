import { pino } from "pino";
import { readConfig } from "../config.ts";
import { openContext, type Context } from "../context.ts";
import { assertReachable, assertSchema } from "../db/check-database.ts";

/** Fewer than a server's: a command runs its queries one after the other. */
const CONNECTIONS = 2;

/** What a command prints: rows for people, the same as data for programs. */
export interface Printed {
  data: unknown;
  lines: readonly string[];
}

/** The command asked for something that does not exist; the message says so in a sentence. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

/** Runs an operator's command on the platform that the settings name, and returns what to print. */
export async function administer(
  environment: NodeJS.ProcessEnv,
  work: (context: Context) => Promise<Printed>,
): Promise<Printed> {
  const config = readConfig({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: "" });
  await assertReachable(config.databaseUrl);
  await assertSchema(config.databaseUrl);
  // Standard output is for what was requested.
  const options = { name: "admin", connections: CONNECTIONS, logTo: pino.destination(2) };
  await using context = await openContext(config, options);
  return await work(context);
}

/** Columns as wide as their contents. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
