import { rounded, writeTable } from "../../../exports/csv/table.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { StepContext } from "../../../step.ts";
import type { LabelProfiles } from "../../../reference/read-reference.ts";
import { spotProportions } from "./spot-proportions.ts";
import { REFERENCE_FILE } from "../../../model/limits.ts";

/**
 * Writes shares of a reference's labels in every spot (`byGene`: nGenes × nSpots) as fields of the step and as
 * spot_proportions.csv. Returns the labels and the number of genes that distinguish them; without a reference, or with
 * too many bins, the fields have no columns and nothing is returned.
 */
export async function writeProportions(
  context: StepContext<unknown>,
  byGene: SparseMatrix,
  reference: LabelProfiles | null,
): Promise<{ labels: string[]; genes: number } | undefined> {
  const fits = reference !== null && byGene.nCols <= REFERENCE_FILE.MAX_SPOTS;
  if (reference !== null && !fits) {
    context.log(
      `Proportions of reference labels are fitted for up to ${REFERENCE_FILE.MAX_SPOTS.toLocaleString("en-US")} spots or bins; this sample has ${byGene.nCols.toLocaleString("en-US")}.`,
    );
  }
  const none = { nRows: byGene.nCols, nCols: 0, data: new Float32Array() };
  const found = fits
    ? await spotProportions(reference, byGene, context.signal)
    : { share: none, low: none, high: none, nGenes: 0 };
  await context.write("spots/proportion", found.share);
  await context.write("spots/proportion_low", found.low);
  await context.write("spots/proportion_high", found.high);
  if (!fits) return undefined;
  const barcodes = await context.read("spots/barcode");
  const { labels } = reference;
  // One line per spot: each label's share with its interval.
  const head = labels.flatMap((label) => [label, `${label}_low`, `${label}_high`]);
  const rows = barcodes.map((barcode, spot) => [
    barcode,
    ...labels.flatMap((_, k) =>
      [found.share, found.low, found.high].map(({ data }) =>
        rounded(data[spot * labels.length + k], 4),
      ),
    ),
  ]);
  await writeTable(context.output("spot_proportions.csv"), ["barcode", ...head], rows);
  return { labels: [...labels], genes: found.nGenes };
}
