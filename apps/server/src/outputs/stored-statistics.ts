import { verdict } from "@stipple/contract";
import * as z from "zod";
import { STATISTICS, type Outputs } from "./read.ts";

/** statistics.json as step 7 writes it; versions before the verdict wrote none. */
const schema = z.object({
  total_spots: z.number(),
  total_cells: z.number(),
  total_genes: z.number(),
  average_cells_per_spot: z.number(),
  verdict: z.optional(verdict),
});
export type StoredStatistics = z.infer<typeof schema>;

/** Key figures of the sample and the reliability of its results; null before the last step is done. */
export async function storedStatistics(
  outputs: Pick<Outputs, "json">,
  projectId: string,
): Promise<StoredStatistics | null> {
  const stored = await outputs.json(projectId, STATISTICS);
  return stored === null ? null : schema.parse(stored);
}
