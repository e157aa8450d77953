import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Comparison } from "./compare-samples.ts";
import { comparisonPage } from "./comparison-page.ts";
import {
  cellsTable,
  compositionTable,
  countsTable,
  expressionTable,
  spaceTable,
  unitsTable,
} from "./comparison-tables.ts";
import { fileName, repeatScript } from "./repeat-script.ts";

/** Everything that a comparison leaves for users, by file name. */
export function* comparisonFiles(
  comparison: Comparison,
): Generator<{ name: string; text: string }> {
  yield { name: "report.html", text: comparisonPage(comparison) };
  yield { name: "composition.csv", text: compositionTable(comparison) };
  for (const type of comparison.expression) {
    if ("refusal" in type) continue;
    const name = fileName(type.type);
    yield { name: `de_${name}.csv`, text: expressionTable(comparison, type) };
    yield { name: `pseudobulk_${name}.csv`, text: countsTable(comparison, type) };
  }
  for (const space of comparison.space) {
    if ("refusal" in space) continue;
    yield { name: `space_${space.kind}.csv`, text: spaceTable(comparison, space) };
  }
  yield { name: "units.csv", text: unitsTable(comparison) };
  yield { name: "cells.csv", text: cellsTable(comparison) };
  yield { name: "repeat.R", text: repeatScript(comparison) };
}

/** Writes a comparison's tables, its report, and the R code that repeats it. */
export async function writeComparison(folder: string, comparison: Comparison): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of comparisonFiles(comparison)) {
    await writeFile(join(folder, name), text);
  }
}
