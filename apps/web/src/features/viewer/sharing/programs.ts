import { vitessceConfig, VITESSCE_PORT } from "./vitessce-config.ts";

/** One step: a sentence, and code to copy, if any. */
export interface ProgramStep {
  text: string;
  code?: string;
}

export interface Program {
  id: string;
  name: string;
  steps: ProgramStep[];
}

/** Folder of the exports in the unpacked download. */
const OUTPUT = "analysis_results/output";

/** Inputs for the snippets. */
export interface ProgramSample {
  projectName: string;
  /** A gene to show, as in the var index of the tables; null if there is none. */
  gene: string | null;
  /** Whether the view is colored by `gene` rather than by cell type. */
  showsGene: boolean;
  /** Whether spots are used as cells because none were found. */
  spotLevel: boolean;
  /** Whether this is a Visium HD slide, whose outlines Space Ranger accepts. */
  hd: boolean;
}

/** How to open the downloaded results elsewhere. All paths match the download. */
export function programs(sample: ProgramSample): Program[] {
  return [scanpy(sample), NAPARI, vitessce(sample), SEURAT, QUPATH, loupe(sample)];
}

function scanpy({ gene }: ProgramSample): Program {
  // JSON strings are also valid Python and R strings.
  const colors = ["cell_type", ...(gene === null ? [] : [gene])]
    .map((name) => JSON.stringify(name))
    .join(", ");
  return {
    id: "scanpy",
    name: "scanpy and squidpy (Python)",
    steps: [
      { text: "Install both once.", code: "pip install scanpy squidpy" },
      {
        text: 'Cells with inferred values (X, layers["rate"]) and observed counts (layers["counts"], raw).',
        code: `import scanpy as sc
import squidpy as sq

cells = sc.read_h5ad("${OUTPUT}/cell_expression_processed.h5ad")
sc.pl.umap(cells, color=[${colors}], use_raw=False)
sq.pl.spatial_scatter(cells, color=[${colors}], use_raw=False)`,
      },
    ],
  };
}

const NAPARI: Program = {
  id: "napari",
  name: "napari and spatialdata (Python)",
  steps: [
    { text: "Install both once.", code: 'pip install spatialdata "napari-spatialdata[all]"' },
    {
      text: "Image, outlines, labels, spots and both tables. In napari, double-click an element to show it.",
      code: `import spatialdata as sd
from napari_spatialdata import Interactive

tissue = sd.read_zarr("${OUTPUT}/spatialdata.zarr")
print(tissue)
Interactive(tissue).run()`,
    },
  ],
};

function vitessce({ projectName, gene, showsGene, spotLevel }: ProgramSample): Program {
  const config = vitessceConfig({ projectName, gene: showsGene ? gene : null, spotLevel });
  return {
    id: "vitessce",
    name: "Vitessce (browser)",
    steps: [
      {
        text: "Serve the files to your browser, and keep this running.",
        code: `npx http-server ${OUTPUT} --cors -p ${VITESSCE_PORT}`,
      },
      {
        text: "Open vitessce.io/#?edit=true and paste this configuration into its editor.",
        code: JSON.stringify(config, null, 2),
      },
    ],
  };
}

const SEURAT: Program = {
  id: "seurat",
  name: "Seurat (R)",
  steps: [
    {
      text: "The Observed assay has the measured counts; the Inferred assay has the expected counts of reliable genes.",
      code: `library(Seurat)
source("${OUTPUT}/seurat/read_stipple.R")
cells <- read_stipple("${OUTPUT}/seurat")
ImageDimPlot(cells, fov = "tissue", group.by = "cell_type")`,
    },
  ],
};

const QUPATH: Program = {
  id: "qupath",
  name: "QuPath",
  steps: [
    { text: `Open the full-resolution image in QuPath and drag ${OUTPUT}/cells.geojson onto it.` },
    {
      text: "Or run this in the script editor, with the full path to the file.",
      code: `importObjectsFromFile("${OUTPUT}/cells.geojson")`,
    },
    {
      text: `cells_detailed.geojson.gz in the same folder opens the same way (QuPath 0.4 or newer) and adds nuclei, full outlines and measurements.`,
    },
  ],
};

function loupe({ spotLevel, hd }: ProgramSample): Program {
  const steps: ProgramStep[] = [
    {
      text: `Open the .cloupe file of your Space Ranger run. Choose Categories, Import Categories, and then ${OUTPUT}/loupe/spot_clusters.csv or ${OUTPUT}/loupe/spot_cell_types.csv.`,
    },
  ];
  if (!spotLevel && hd) {
    steps.push({
      text: "For single cells in Loupe, add our outlines to your own Space Ranger 4 run; segmented_cell_types.csv in the same folder has the types.",
      code: `spaceranger count \\
  --custom-segmentation-file=${OUTPUT}/loupe/cell_segmentations.geojson \\
  --nucleus-expansion-distance-micron=0`,
    });
  }
  return { id: "loupe", name: "Loupe Browser", steps };
}
