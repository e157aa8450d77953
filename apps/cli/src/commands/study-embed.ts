import { join } from "node:path";
import { Option, type Command } from "commander";
import { threadsOption } from "./number-option.ts";
import { outFolder } from "./out-folder.ts";

interface Embedded {
  design?: string;
  condition?: string;
  batch?: string;
  of: "cells" | "spots";
  on: "counts" | "rate";
  over?: "batch" | "sample";
  threads: number;
  out?: string;
}

export function addEmbed(study: Command): void {
  study
    .command("embed")
    .description(
      "place the cells or spots of all samples in one space: joint components, corrected (Harmony) and not, two UMAPs, joint clusters, and how well samples mix",
    )
    .argument("<dir>", "the folder that study run wrote")
    .option(
      "--design <csv>",
      "the table with the column sample, and condition and batch if any (default: study.csv in the folder)",
    )
    .option("--condition <column>", "column with the conditions (default: condition, if any)")
    .option("--batch <column>", "column with the batches (default: batch, if any)")
    .addOption(
      new Option("--of <what>", "what to place").choices(["cells", "spots"]).default("cells"),
    )
    .addOption(
      new Option("--on <matrix>", "observed counts, or the inferred rates of cells")
        .choices(["counts", "rate"])
        .default("counts"),
    )
    .addOption(
      new Option(
        "--over <what>",
        "differences to correct for (default: batch, if all samples have one and there are several; else sample)",
      ).choices(["batch", "sample"]),
    )
    .addOption(threadsOption())
    .option("--out <dir>", "folder for the files (default: space in the folder)")
    .action(embed);
}

async function embed(path: string, options: Embedded): Promise<void> {
  const { columnOf, finishedResults } = await import("../study/design-table.ts");
  const { correctionWarnings, embedSamples, spaceSummary, writeSpace } =
    await import("@stipple/pipeline/study");
  const { inStudyFolder, SPACE_FOLDER } = await import("../study/study-folder.ts");
  await inStudyFolder(path, options, async ({ folder, table, signal, say }) => {
    const out = outFolder(options.out ?? join(folder, SPACE_FOLDER));
    const { of, on, over, threads } = options;
    const columnFor = (key: "condition" | "batch"): string | null => {
      const known = table.columns.some((column) => column.toLowerCase() === key);
      const name = options[key] ?? (known ? key : null);
      return name === null ? null : columnOf(table, name);
    };
    const [condition, batch] = [columnFor("condition"), columnFor("batch")];
    const sources = table.rows.map(({ name, values }) => ({
      ...{ name, results: finishedResults(folder, name, table.file) },
      condition: condition === null ? "" : values[condition],
      batch: batch === null ? "" : values[batch],
    }));
    let last = "";
    const space = await embedSamples(sources, {
      ...{ kind: { of, on }, over, seed: 0, signal, threads },
      progress(_, what) {
        if (what !== last) say(what);
        last = what;
      },
    });
    const files = await writeSpace(out, space, signal);
    for (const sentence of spaceSummary(space)) say(sentence);
    for (const sentence of correctionWarnings(space)) say(`Note: ${sentence}`);
    say(`${files.join(", ")}: ${out}`);
  });
}
