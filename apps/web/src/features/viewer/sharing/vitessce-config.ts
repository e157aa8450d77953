/** Port at which the snippet serves the exported files to the person's own browser. */
export const VITESSCE_PORT = 8765;

/**
 * A Vitessce view config (schema 1.0.18, Vitessce 4) for the exported spatialdata.zarr, served from this machine: tissue
 * with outlines of cells beside the UMAP, cell types, clusters and genes.
 */
export function vitessceConfig({
  projectName,
  gene,
  spotLevel,
}: {
  projectName: string;
  gene: string | null;
  spotLevel: boolean;
}): Record<string, unknown> {
  const region = spotLevel ? "spot_outlines" : "cells";
  const table = "tables/table";
  const tissue = { A: "tissue" };
  return {
    version: "1.0.18",
    name: projectName,
    description: "Single cells of a spot-based sample",
    datasets: [
      {
        uid: "sample",
        name: projectName,
        files: [
          {
            fileType: "spatialdata.zarr",
            url: `http://localhost:${VITESSCE_PORT}/spatialdata.zarr`,
            coordinationValues: {
              obsType: "cell",
              featureType: "gene",
              featureValueType: "expression",
              fileUid: "tissue",
            },
            options: {
              image: { path: "images/tissue" },
              obsSegmentations: { path: `shapes/${region}`, tablePath: table },
              obsFeatureMatrix: { path: `${table}/X`, region },
              obsEmbedding: [{ path: `${table}/obsm/X_umap`, embeddingType: "UMAP" }],
              obsSets: {
                tablePath: table,
                region,
                obsSets: [
                  { name: "Cell type", path: `${table}/obs/cell_type` },
                  { name: "Cluster", path: `${table}/obs/cluster` },
                ],
              },
            },
          },
        ],
      },
    ],
    initStrategy: "auto",
    coordinationSpace: {
      dataset: { A: "sample" },
      obsType: { A: "cell" },
      featureType: { A: "gene" },
      featureValueType: { A: "expression" },
      embeddingType: { A: "UMAP" },
      fileUid: tissue,
      obsColorEncoding: { A: gene === null ? "cellSetSelection" : "geneSelection" },
      ...(gene === null ? {} : { featureSelection: { A: [gene] } }),
    },
    layout: [
      view("spatialBeta", 0, 0, 6, 12),
      view("layerControllerBeta", 6, 0, 2, 12),
      view("scatterplot", 8, 0, 4, 6, { embeddingType: "A" }),
      view("obsSets", 8, 6, 2, 6),
      view("featureList", 10, 6, 2, 6),
    ],
  };
}

function view(
  component: string,
  x: number,
  y: number,
  w: number,
  h: number,
  scopes: Record<string, string> = {},
): Record<string, unknown> {
  const shared = ["dataset", "obsType", "featureType", "featureValueType"];
  return {
    component,
    coordinationScopes: {
      ...Object.fromEntries(shared.map((name) => [name, "A"])),
      obsColorEncoding: "A",
      ...scopes,
    },
    x,
    y,
    w,
    h,
  };
}
