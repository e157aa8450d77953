import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { LabeledCells } from "../typing-datasets.ts";

const description = z.object({
  species: z.enum(["human", "mouse"]),
  /** Simulated kind → labels of the cells that replace it. */
  stands: z.record(z.string(), z.array(z.string())),
  /** Label → accepted names. */
  accepted: z.record(z.string(), z.array(z.string())),
  /** Label → broad class: a lineage of the marker sets. */
  classes: z.record(z.string(), z.string()),
});
export type LabelDescription = z.infer<typeof description>;

/** User-provided cells: cells.csv (label, then a count for every gene in the header) and labels.json. */
export function labeledFolder(folder: string): { cells: LabeledCells; about: LabelDescription } {
  const about = description.parse(JSON.parse(readFileSync(join(folder, "labels.json"), "utf8")));
  const [header, ...lines] = readFileSync(join(folder, "cells.csv"), "utf8").trim().split("\n");
  const symbols = header.split(",").slice(1);
  const rows = lines.map((line) => line.split(","));
  const table = symbols.map((_, gene) => Float32Array.from(rows, (row) => Number(row[gene + 1])));
  const cells = {
    name: folder,
    labels: rows.map((row) => row[0]),
    symbols,
    table,
    accepted: new Map(Object.entries(about.accepted)),
  };
  return { cells, about };
}
