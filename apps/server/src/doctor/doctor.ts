import { setTimeout as sleep } from "node:timers/promises";
import { readConfig, type Config } from "../config.ts";
import { SettingsError } from "../settings/read-settings.ts";
import { databaseFindings } from "./database-findings.ts";
import {
  diskFindings,
  mailFindings,
  memoryFindings,
  paymentFindings,
  storageFindings,
} from "./findings.ts";
import { well, wrong, type Finding } from "./finding.ts";

const TIMEOUT_MS = 30_000;
const MARKS = { well: "ok     ", doubtful: "look at", wrong: "WRONG  " };

/** Checks everything a platform needs and prints a line for each. Returns whether nothing is wrong. */
export async function doctor(
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<boolean> {
  let isWell = true;
  const tell = ({ what, state, says }: Finding): void => {
    isWell &&= state !== "wrong";
    const [first, ...others] = says.split("\n");
    print(`${MARKS[state]}  ${what.padEnd(11)} ${first}`);
    for (const line of others) print(`${" ".repeat(21)}${line}`);
  };
  const config = settings(environment, tell);
  if (!config) return false;
  for (const look of [
    databaseFindings,
    storageFindings,
    mailFindings,
    paymentFindings,
    diskFindings,
    memoryFindings,
  ]) {
    for (const finding of await inTime(look, config)) tell(finding);
  }
  print(isWell ? "Nothing is wrong." : "Fix what is WRONG, then run stipple doctor again.");
  return isWell;
}

/** A check without a response is a finding too. */
async function inTime(
  look: (config: Config) => Finding | Promise<Finding | Finding[]>,
  config: Config,
): Promise<Finding[]> {
  const late = wrong(look.name.replace("Findings", ""), "no response within 30 seconds");
  const isOver = new AbortController();
  const waiting = sleep(TIMEOUT_MS, late, { signal: isOver.signal });
  try {
    return [await Promise.race([look(config), waiting])].flat();
  } finally {
    isOver.abort();
    waiting.catch(() => undefined);
  }
}

/** Undefined when the settings are at fault. */
function settings(
  environment: NodeJS.ProcessEnv,
  tell: (finding: Finding) => void,
): Config | undefined {
  const isWithout = !environment["DATABASE_URL"];
  try {
    // Check what can be checked without a database.
    const config = readConfig(
      isWithout ? { ...environment, DATABASE_URL: "postgresql://unset" } : environment,
    );
    tell(well("settings", `all are valid; data folder ${config.dataDir}`));
    return isWithout ? { ...config, databaseUrl: "" } : config;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    tell(wrong("settings", error.message));
    return undefined;
  }
}
