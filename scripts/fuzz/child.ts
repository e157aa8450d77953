import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { keepLookThread } from "../../packages/pipeline/src/readers/hdf5.ts";
import { noteCalledFunctions } from "./called-functions.ts";
import type { Case, Format, Outcome } from "./formats.ts";
import { FORMATS } from "./formats.ts";
import { mutated } from "./mutate.ts";
import { platform } from "./read-as-platform.ts";
import { makeSeeds } from "./seed-files.ts";

/**
 * Makes and reads one mutated file after the other as its parent names them. With `--called` it tells, when it is asked,
 * which functions of the readers it has called.
 */
sharp.cache(false);
sharp.concurrency(1);
// A thread for each of thousands of files would take most of the time.
keepLookThread();
const folder = await mkdtemp(join(tmpdir(), "stipple-fuzz-"));
process.once(
  "disconnect",
  () => void rm(folder, { recursive: true }).finally(() => process.exit()),
);

const called = process.argv.includes("--called") ? await noteCalledFunctions() : undefined;
const { refusals, isSpent } = await platform(folder);
const seeds: Partial<Record<Format, Buffer[]>> = {};

async function run(one: Case): Promise<Outcome> {
  const ofFormat = (seeds[one.format] ??= (await makeSeeds(join(folder, "seeds"), [one.format]))[
    one.format
  ]);
  const bytes = mutated(ofFormat, one);
  const start = process.cpuUsage();
  let outcome: Pick<Outcome, "kind" | "detail">;
  try {
    const said = await refusals(one.format, bytes);
    const bad = said.find((sentence) => !isSentence(sentence, FORMATS[one.format]));
    outcome =
      bad !== undefined
        ? { kind: "bad sentence", detail: bad }
        : { kind: said.length > 0 ? "refused" : "read", detail: said.at(-1) ?? "" };
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcome = { kind: "wrong error", detail: detail.slice(0, 1_000) };
  }
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const { user, system } = process.cpuUsage(start);
  return { ...outcome, ms: (user + system) / 1000, peakMb, isSpent: isSpent() };
}

/** One line that names the file, ends, and has no inner words of the program in it. */
function isSentence(text: string, file: string): boolean {
  return (
    text.length <= 600 &&
    text.includes(file) &&
    text.endsWith(".") &&
    !/[\n\r\0]|undefined|\[object|\bat \w+ \(|TypeError|RangeError/.test(text)
  );
}

process.on("message", (asked: Case | "called") => {
  const answer = asked === "called" ? called?.() : run(asked);
  void answer?.then((message) => process.send?.(message));
});
process.send?.("ready");
