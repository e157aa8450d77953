import { existsSync } from "node:fs";
import { join } from "node:path";
import { analysisSettings, type StepContext } from "@stipple/pipeline";
import { assignTypes } from "@stipple/pipeline/internal/steps/5-cluster-analysis/assign-types";
import { typingInput } from "@stipple/pipeline/internal/steps/5-cluster-analysis/typing-input";
import { readResult, readResultIfAny } from "@stipple/pipeline/results";
import { namedCells } from "../judged-tissues/named-cells.ts";
import { DATA } from "../judged-tissues/tissues.ts";
import { analyzeSection } from "../real/analyze-section.ts";
import { writeSample, type Capture } from "../real/capture.ts";
import { isRight } from "../real/judge-names.ts";
import { matchSection, type Half } from "../real/match-section.ts";
import { readPancreas } from "../real/pancreas.ts";
import type { MeasuredSection } from "../real/section.ts";
import type { KnownName } from "./fit-map.ts";

type ByHalf = Record<Exclude<Half, "all">, KnownName[]>;

/** The named cells of the measured section in spots and bins, by half; null if its data are not on this machine. */
export async function measuredNames(work: string): Promise<ByHalf | null> {
  if (!existsSync(DATA)) return null;
  const section = await readPancreas();
  const all: ByHalf = { left: [], right: [] };
  for (const capture of ["visium", "hd16", "hd8"] as const) {
    const { left, right } = await namesUnder(capture, section, work);
    all.left.push(...left);
    all.right.push(...right);
  }
  return all;
}

async function namesUnder(
  capture: Capture,
  section: MeasuredSection,
  work: string,
): Promise<ByHalf> {
  const input = join(work, `${section.name}-${capture}`);
  const results = `${input}-results`;
  if (!existsSync(join(input, "image.tif"))) await writeSample(section, capture, input);
  await analyzeSection({ input, results, capture });
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
  const namesOf = (half: Half): KnownName[] => {
    const { judged, matched } = matchSection(section, xy, half);
    const labels = new Map(
      judged.flatMap((cell, i) => {
        const label = section.cells.type[cell];
        return matched[i] < 0 || label == null ? [] : [[matched[i], label]];
      }),
    );
    return namedCells(found, (cell, name) => {
      const label = labels.get(cell);
      return label === undefined ? null : isRight(section.accepted, name, label);
    }).flatMap(({ right, ...cell }) => (right === null ? [] : [{ ...cell, right }]));
  };
  return { left: namesOf("left"), right: namesOf("right") };
}
