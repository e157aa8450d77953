import { existsSync } from "node:fs";
import { join } from "node:path";
import { analysisSettings, type StepContext } from "@stipple/pipeline";
import { assignTypes } from "@stipple/pipeline/internal/steps/5-cluster-analysis/assign-types";
import { typingInput } from "@stipple/pipeline/internal/steps/5-cluster-analysis/typing-input";
import { readResult, readResultIfAny } from "@stipple/pipeline/results";
import { judgedNames, type JudgedName } from "../judged-tissues/judged-names.ts";
import { DATA } from "../judged-tissues/tissues.ts";
import { analyzeSection } from "../real/analyze-section.ts";
import { writeSample, type Capture } from "../real/capture.ts";
import { isRight } from "../real/judge-names.ts";
import { matchSection, type Half } from "../real/match-section.ts";
import { readPancreas } from "../real/pancreas.ts";
import type { MeasuredSection } from "../real/section.ts";

/** Names of each sample. */
type ByHalf = Record<Exclude<Half, "all">, JudgedName[][]>;

/** The section in spots and bins; in spots, where names depend on chance, with several seeds. */
const SAMPLES: readonly { capture: Capture; seed: number }[] = [
  ...[0, 1, 2].map((seed) => ({ capture: "visium", seed }) as const),
  { capture: "hd16", seed: 0 },
  { capture: "hd8", seed: 0 },
];

/** Names of the measured section's cells in spots and bins, by half; null if its data are not on this machine. */
export async function measuredNames(work: string): Promise<ByHalf | null> {
  if (!existsSync(DATA)) return null;
  const section = await readPancreas();
  const all: ByHalf = { left: [], right: [] };
  for (const sample of SAMPLES) {
    const { left, right } = await namesIn(sample, section, work);
    all.left.push(...left);
    all.right.push(...right);
  }
  return all;
}

async function namesIn(
  { capture, seed }: (typeof SAMPLES)[number],
  section: MeasuredSection,
  work: string,
): Promise<ByHalf> {
  const input = join(work, `${section.name}-${capture}`);
  const results = `${input}-results${seed > 0 ? `-seed-${seed}` : ""}`;
  if (!existsSync(join(input, "image.tif"))) await writeSample(section, capture, input);
  await analyzeSection({ input, results, capture, seed });
  const read: StepContext["read"] = (key) => readResult(results, key);
  const readIfAny: StepContext["readIfAny"] = (key) => readResultIfAny(results, key);
  const settings = analysisSettings.parse({
    platform: capture === "visium" ? "visium" : "hd_visium",
    staining: "if",
  });
  const found = await assignTypes(
    await typingInput({ read, readIfAny }, settings, { typeBeyondReach: false }),
    { signal: new AbortController().signal, progress: () => undefined },
  );
  const xy = (await read("cells/xy")).data;
  const namesOf = (half: Half): JudgedName[] => {
    const { judged, matched } = matchSection(section, xy, half);
    const labels = new Map(
      judged.flatMap((cell, i) => {
        const label = section.cells.type[cell];
        return matched[i] < 0 || label == null ? [] : [[matched[i], label]];
      }),
    );
    return judgedNames(found, (cell, name) => {
      const label = labels.get(cell);
      return label === undefined ? null : isRight(section.accepted, name, label);
    });
  };
  return { left: [namesOf("left")], right: [namesOf("right")] };
}
