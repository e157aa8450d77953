import { missingSlots, type UploadSlot } from "@stipple/contract";

/** The files without which a workflow cannot start, by the names that Space Ranger gives them. */
export function missingInputs(filled: ReadonlySet<string>): string[] {
  const missing = missingSlots(filled);
  const matrix = missing.filter(({ group }) => group === "filtered_matrix");
  const others = missing.filter(({ group }) => group !== "filtered_matrix").map(fileName);
  if (matrix.length < 3) return [...matrix.map(fileName), ...others];
  return ["barcodes.tsv.gz, features.tsv.gz and matrix.mtx.gz (or the .h5 matrix)", ...others];
}

function fileName({ group, storedAs, extensions }: UploadSlot): string {
  if (group === "he_image") return "the histology image (.tif or .btf)";
  if (storedAs === "tissue_positions") return "tissue_positions.csv or .parquet";
  return `${storedAs}${extensions[0]}`;
}
