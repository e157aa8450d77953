import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { keepLookThread } from "@stipple/formats/hdf5/open-h5";
import { noteCalledFunctions } from "./called-functions.ts";
import { type Case, type Format, FORMATS, type Outcome } from "./formats.ts";
import { damaged } from "./damage/damage.ts";
import type { Range } from "./damage/ranges.ts";
import { STORED, type Stored, type StoredName } from "./damage/stored-files.ts";
import { mutated } from "./mutate.ts";
import { platform } from "./read-as-platform.ts";
import { makeSeeds } from "./seed-files.ts";

/**
 * Generates and reads mutated files one after the other, as requested by its parent. With `--called`, reports on
 * request which reader functions were called.
 */
sharp.cache(false);
sharp.concurrency(1);
// Starting a thread for each of thousands of files would take most of the time.
keepLookThread();
const folder = await mkdtemp(join(tmpdir(), "stipple-fuzz-"));
process.once(
  "disconnect",
  () => void rm(folder, { recursive: true }).finally(() => process.exit()),
);

const called = process.argv.includes("--called") ? await noteCalledFunctions() : undefined;
const { read, isSpent } = await platform(folder);
const seeds: Partial<Record<Format, Buffer[]>> = {};
const stored: Record<string, { file: Buffer; ranges: Range[] }> = {};
/** Content of whole files. */
const contents = new Map<Buffer, string>();

async function fileOf(one: Case): Promise<{ bytes: Buffer; from: Buffer }> {
  if (one.stored === undefined) {
    const ofFormat = (seeds[one.format] ??= (await makeSeeds(join(folder, "seeds"), [one.format]))[
      one.format
    ]);
    return mutated(ofFormat, one);
  }
  const way: Stored = STORED[one.stored as StoredName];
  const file = stored[one.stored]?.file ?? (await way.make(folder));
  const { ranges } = (stored[one.stored] ??= { file, ranges: way.ranges(file) });
  return { bytes: damaged(file, ranges, one.seed * 1_000_003 + one.index), from: file };
}

async function wholeContent(format: Format, file: Buffer): Promise<string> {
  const known = contents.get(file);
  if (known !== undefined) return known;
  const { refusals, content } = await read(format, file);
  if (refusals.length > 0) throw new Error(`The seed is refused: ${refusals.join(" ")}`);
  contents.set(file, content);
  return content;
}

async function run(one: Case): Promise<Outcome> {
  const { bytes, from } = await fileOf(one);
  const whole = await wholeContent(one.format, from);
  const start = process.cpuUsage();
  let outcome: Pick<Outcome, "kind" | "detail">;
  try {
    const { refusals: said, content } = await read(one.format, bytes);
    const bad = said.find((sentence) => !isSentence(sentence, FORMATS[one.format]));
    outcome =
      bad !== undefined
        ? { kind: "bad sentence", detail: bad }
        : {
            kind: said.length > 0 ? "refused" : content === whole ? "read" : "read otherwise",
            detail: said.at(-1) ?? "",
          };
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcome = { kind: "wrong error", detail: detail.slice(0, 1_000) };
  }
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const { user, system } = process.cpuUsage(start);
  return { ...outcome, ms: (user + system) / 1000, peakMb, isSpent: isSpent() };
}

/** Whether a message is one complete sentence that names the file and contains no program internals. */
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
