import * as z from "zod";
import { defineStep } from "../../step.ts";

/** Counts the cells of each cluster: the smallest step that reads, writes, and takes a parameter. */
export const step = defineStep({
  id: "niche-analysis",
  version: 1,
  settings: [],
  inputs: [],
  reads: ["cells/cluster"],
  writes: ["clusters/size"],
  params: z.strictObject({
    least: z.int().min(0).default(1).describe("Fewest cells of a cluster that is counted"),
  }),
  async run({ params, read, write }) {
    const sizes: number[] = [];
    for (const cluster of await read("cells/cluster")) sizes[cluster] = (sizes[cluster] ?? 0) + 1;
    await write(
      "clusters/size",
      Int32Array.from(sizes, (size = 0) => (size >= params.least ? size : 0)),
    );
  },
});
