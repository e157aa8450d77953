/** Port on which the snippet serves the exported files to the user's own browser. */
export const VITESSCE_PORT = 8765;

const REGION = { cells: "cells", spots: "spot_outlines" };
const TABLE = "tables/table";
/** Vitessce's placeholder value for a layer, which only serves to hold settings. */
const LAYER = "__dummy__";

/**
 * A Vitessce view config (schema 1.0.18, Vitessce 4) for the exported spatialdata.zarr, served locally: tissue with
 * cell outlines next to the UMAP, cell types, clusters, and genes. Colored by `gene`, or by cell type if it is null.
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
  const region = spotLevel ? REGION.spots : REGION.cells;
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
            coordinationValues: { ...NAMES, fileUid: "tissue" },
            options: {
              image: { path: "images/tissue" },
              obsSegmentations: { path: `shapes/${region}`, tablePath: TABLE },
              obsFeatureMatrix: { path: `${TABLE}/X`, region },
              obsEmbedding: [{ path: `${TABLE}/obsm/X_umap`, embeddingType: "UMAP" }],
              obsSets: {
                tablePath: TABLE,
                region,
                obsSets: [
                  { name: "Cell type", path: `${TABLE}/obs/cell_type` },
                  { name: "Cluster", path: `${TABLE}/obs/cluster` },
                ],
              },
            },
          },
        ],
      },
    ],
    initStrategy: "auto",
    coordinationSpace: coordinationSpace(gene),
    layout: [
      view("spatialBeta", [0, 0, 6, 12], LAYERED),
      view("layerControllerBeta", [6, 0, 2, 12], LAYERED),
      view("scatterplot", [8, 0, 4, 6], { embeddingType: "A" }),
      view("obsSets", [8, 6, 2, 6]),
      view("featureList", [10, 6, 2, 6]),
    ],
  };
}

const NAMES = { obsType: "cell", featureType: "gene", featureValueType: "expression" };

/** Coordination values shared by all views, under scope "A", and the tissue layers with their own settings. */
function coordinationSpace(gene: string | null): Record<string, unknown> {
  return {
    dataset: { A: "sample" },
    ...Object.fromEntries(Object.entries(NAMES).map(([type, value]) => [type, { A: value }])),
    embeddingType: { A: "UMAP" },
    fileUid: { A: "tissue" },
    obsColorEncoding: { A: gene === null ? "cellSetSelection" : "geneSelection" },
    ...(gene !== null && { featureSelection: { A: [gene] } }),
    imageLayer: { image: LAYER },
    photometricInterpretation: { image: "RGB" },
    segmentationLayer: { outlines: LAYER },
    segmentationChannel: { outlines: LAYER },
    spatialChannelOpacity: { outlines: 0.8 },
    metaCoordinationScopes: {
      layers: { imageLayer: ["image"], segmentationLayer: ["outlines"] },
    },
    metaCoordinationScopesBy: {
      layers: {
        imageLayer: { fileUid: { image: "A" }, photometricInterpretation: { image: "image" } },
        segmentationLayer: {
          fileUid: { outlines: "A" },
          segmentationChannel: { outlines: ["outlines"] },
        },
        segmentationChannel: {
          ...Object.fromEntries(SHARED.map((type) => [type, { outlines: "A" }])),
          spatialChannelOpacity: { outlines: "outlines" },
        },
      },
    },
  };
}

const SHARED = [...Object.keys(NAMES), "obsColorEncoding", "featureSelection"];
const LAYERED = { metaCoordinationScopes: ["layers"], metaCoordinationScopesBy: ["layers"] };

function view(
  component: string,
  [x, y, w, h]: readonly [number, number, number, number],
  scopes: Record<string, string | string[]> = {},
): Record<string, unknown> {
  const shared = Object.fromEntries(["dataset", ...SHARED].map((type) => [type, "A"]));
  return { component, coordinationScopes: { ...shared, ...scopes }, x, y, w, h };
}
