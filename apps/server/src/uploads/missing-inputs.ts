/**
 * The files without which a workflow cannot start, in words, given the slots that are filled.
 * Gene counts may come as the three files of a matrix folder or as one H5; the cells are looked for in the
 * histology image or, when there is none, in the high-resolution tissue image with its scale factors.
 */
export function missingInputs(filled: ReadonlySet<string>): string[] {
  const missing: string[] = [];
  const matrixFiles = {
    barcodes: "barcodes.tsv.gz",
    features: "features.tsv.gz",
    matrix: "matrix.mtx.gz",
  };
  if (!filled.has("h5")) {
    const absent = Object.entries(matrixFiles).filter(([slot]) => !filled.has(slot));
    if (absent.length === Object.keys(matrixFiles).length) {
      missing.push("barcodes.tsv.gz, features.tsv.gz and matrix.mtx.gz (or the .h5 matrix)");
    } else {
      missing.push(...absent.map(([, name]) => name));
    }
  }
  if (!filled.has("positions")) missing.push("tissue_positions.csv or .parquet");
  if (!filled.has("he_image") && !(filled.has("hires") && filled.has("scale"))) {
    missing.push("the histology image (.tif or .btf)");
  }
  return missing;
}
