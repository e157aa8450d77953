import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analysis } from "@stipple/pipeline";
import { builtInFile, builtInReferences } from "@stipple/pipeline/built-in-references";
import { readResult } from "@stipple/pipeline/results";
import { readTruth } from "@stipple/tissue";
import { matchByCenter } from "@stipple/tissue/metrics/detection";
import {
  DATA,
  idOf,
  LABELS,
  makeTissue,
  settingsOf,
  TISSUES,
} from "../bench/judged-tissues/tissues.ts";

/**
 * Types rendered tissues with a built-in reference and with the whole file that it was condensed from, and prints how
 * often the names agree and how many are right. The tissues' cells come from that same file: this shows what condensing
 * loses, not how well other blood is named.
 *
 *     node lab/training/check-references.ts [TISSUE …]
 */
const WHOLE = join(DATA, "scrna-pbmc-reference/pbmc68k.h5ad");
const MATCH_UM = 6;
const wanted = process.argv.length > 2 ? process.argv.slice(2) : ["pbmc-1-m1", "pbmc-61-m1"];
const [condensed] = await builtInReferences();

for (const tissue of TISSUES.filter((one) =>
  wanted.some((id) => idOf(one).startsWith(id) && one.kind === "pbmc"),
)) {
  const work = await mkdtemp(join(tmpdir(), "stipple-check-"));
  try {
    const input = join(work, "tissue");
    await mkdir(input);
    await makeTissue(input, tissue);
    const truth = await readTruth(input);
    const files = { whole: WHOLE, condensed: builtInFile(condensed) };
    const names: Record<string, string[]> = {};
    let xy: Float32Array = new Float32Array();
    for (const [way, reference] of Object.entries(files)) {
      const results = join(work, way);
      const request = {
        ...{ input, results, reference, settings: settingsOf(tissue), threads: 2 },
        signal: new AbortController().signal,
      };
      for (const step of await analysis.plan(null, request)) {
        if (step <= 5) await analysis.runStep(step, request);
      }
      const typeNames = await readResult(results, "types/name");
      names[way] = Array.from(
        await readResult(results, "cells/cell_type"),
        (type) => typeNames[type],
      );
      xy = (await readResult(results, "cells/xy")).data;
    }
    const same = names.whole.filter((name, cell) => name === names.condensed[cell]).length;
    const matched = matchByCenter(truth.xy, xy, MATCH_UM / truth.parameters.umPerPx);
    const right = (way: string): number => {
      const pairs = [...matched.entries()].filter(([, cell]) => cell >= 0);
      const hits = pairs.filter(([known, cell]) =>
        LABELS.pbmc[truth.type[known]].includes(names[way][cell]),
      );
      return hits.length / pairs.length;
    };
    const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
    console.log(
      `${idOf(tissue)}: ${names.whole.length} cells, the same name ${percent(same / names.whole.length)}, right with the whole file ${percent(right("whole"))}, condensed ${percent(right("condensed"))}`,
    );
  } finally {
    await rm(work, { recursive: true });
  }
}
