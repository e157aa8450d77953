/** README.txt of the exports. */
export function readmeText(facts: {
  version: string;
  sample: string;
  nCells: number;
  nGenes: number;
  nReliable: number;
  droppedBelow: number;
}): string {
  const left =
    facts.droppedBelow > 0
      ? `Rates below ${facts.droppedBelow.toPrecision(3)} are left out to bound the file's size (uns["stipple"] says what that amounts to).`
      : "No rate is left out.";
  return `Stipple ${facts.version}: single-cell results of ${facts.sample}
${"=".repeat(48)}

${facts.nCells} cells, ${facts.nGenes} genes, ${facts.nReliable} of them reliable at cell level.

Two ledgers
-----------
Observed (layers["counts"]): every UMI that the sample's spots measured, given to one cell. Nothing is invented and
nothing is lost: for every gene the sum over the cells plus var["unassigned"] equals the sum over the spots. Cells that
no spot touches observe nothing; obs["observed"] is False for them and their counts are zero. Use this ledger for tests
and for anything that counts evidence.

Inferred (layers["rate"]): the expression that the model expects of every cell, those between the spots included, from
its morphology and its surroundings. Use it to look, to group and to plot; a test on inferred values would be circular.
${left}

X is log1p of the inferred rate scaled to 10,000 a cell. It is not made from the counts because these would leave most
cells empty.

How far to trust a gene: var["heldout_pcc"] is the correlation of predicted and measured counts over spots that the
model had not seen. Genes with var["reliable"] = False say something about spots, not about single cells.

Files
-----
cell_expression_processed.h5ad  AnnData (scanpy, squidpy; Seurat through zellkonverter or anndataR)
                                obs: cell_type, cluster, confidence, observed, spot_id, area_um2, x, y
                                var: gene_ids, unassigned, heldout_pcc, reliable
                                obsm: spatial (x, y in full-resolution pixels), X_umap, X_pca
                                uns["spatial"]: pictures and scale factors; spot_diameter_fullres there is the diameter
                                of a median cell, so that plots draw cells at their size
cell_metadata.csv               one line a cell: index, x, y, cell_type, spot_id, cluster, confidence, observed, area_um2
cells.geojson                   outlines of cells and nuclei with their types for QuPath (drag it onto the image)
reliability.csv                 one line a gene: held-out correlation, reliable or not, where its counts went
statistics.json                 number of spots, cells and genes; cells per spot = cells that belong to a spot / spots
provenance.json                 versions, settings, parameters, seed, checksums of the input, timings, warnings
README.txt                      this text

spot_id is the spot that overlaps the cell most, else the nearest one within reach; empty when there is none.
confidence is the posterior of the cell's type given its markers, not an accuracy.
`;
}
