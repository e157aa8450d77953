import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "@stipple/pipeline/errors";
import { judgmentOf, type Judgment } from "./judge.ts";
import { analyze, DATA, idOf, isMeasured, TISSUES, type JudgedTissue } from "./tissues.ts";

/** A tissue whose analysis stopped because of inconsistent input, and the reason. */
export interface Refusal {
  tissue: JudgedTissue;
  refused: string;
}

interface Choice {
  /** Substrings of names; empty = all tissues. */
  only: readonly string[];
  /** Uses only cached judgments and computes nothing. */
  kept: boolean;
  /** Keeps each tissue's files and results, so that a later call reruns only changed steps. */
  keep: boolean;
}

/**
 * Judgments according to the command line: `--work DIR`, `--only NAME,NAME`, `--keep`, `--kept`; and whether to
 * `--write`.
 */
export async function judgeAsAsked(): Promise<{
  judgments: (Judgment | Refusal)[];
  write: boolean;
  work: string;
}> {
  const { values } = parseArgs({
    options: {
      work: { type: "string", default: join(tmpdir(), "stipple-judged-tissues") },
      only: { type: "string", default: "" },
      keep: { type: "boolean", default: false },
      kept: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const { work, only, keep, kept, write } = values;
  return {
    judgments: await judgeAll(work, { only: only.split(",").filter(Boolean), keep, kept }),
    write,
    work,
  };
}

/**
 * Judgments of the chosen tissues. Each is cached in the work folder as JSON and shared by bench:verdict and
 * bench:calibration, so that a second call recomputes nothing.
 */
async function judgeAll(
  work: string,
  { only, keep, kept }: Choice,
): Promise<(Judgment | Refusal)[]> {
  await mkdir(work, { recursive: true });
  const judgments: (Judgment | Refusal)[] = [];
  for (const tissue of TISSUES) {
    const id = idOf(tissue);
    if (only.length > 0 && !only.some((part) => id.includes(part))) continue;
    if (kept && !existsSync(fileOf(work, id))) continue;
    if (isMeasured(tissue.kind) && !existsSync(DATA)) {
      console.log(`${id}: left out, because its measured cells are not on this machine`);
      continue;
    }
    judgments.push(await judged(work, tissue, keep));
  }
  return judgments;
}

function fileOf(work: string, id: string): string {
  return join(work, `${id}.json`);
}

async function judged(
  work: string,
  tissue: JudgedTissue,
  keep: boolean,
): Promise<Judgment | Refusal> {
  const id = idOf(tissue);
  const file = fileOf(work, id);
  if (existsSync(file)) return JSON.parse(await readFile(file, "utf8")) as Judgment | Refusal;
  const folders = { tissue: join(work, id, "tissue"), results: join(work, id, "results") };
  const before = process.cpuUsage();
  const judgment = await analyze(folders, tissue).then(
    () => judgmentOf(folders, tissue),
    (error: unknown): Refusal => {
      if (!(error instanceof InputError)) throw error;
      return { tissue, refused: error.message };
    },
  );
  await writeFile(file, JSON.stringify(judgment));
  if (!keep) await rm(join(work, id), { recursive: true });
  const { user, system } = process.cpuUsage(before);
  console.log(`${id}: judged in ${((user + system) / 1e6).toFixed(0)} s of CPU`);
  return judgment;
}
