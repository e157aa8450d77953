import { existsSync } from "node:fs";
import { join } from "node:path";
import { analysis, analysisSettings } from "@stipple/pipeline";
import { simulateTissue, type MeasuredCells } from "@stipple/tissue";
import { DATA, labeledCells, LABELS } from "../judged-tissues/tissues.ts";
import type { LabeledCells } from "../typing-datasets.ts";
import { labeledFolder } from "./labeled-folder.ts";
import { panelOf, type Panel } from "./panels.ts";

/** A tissue of known cells under a rendered image. */
export interface RenderedTissue {
  name: string;
  /** Simulated cells, open data, or a folder of labeled cells. */
  cells: string;
  seed: number;
  panel: Panel | null;
  /** How informative the cells' appearance is about their type: 1 as in the catalog, 0 not at all. */
  morphology: number;
  umiPerSpot: number;
}

function tissue(
  cells: string,
  seed: number,
  panel: Panel | null = null,
  morphology = 1,
): RenderedTissue {
  const name = [
    `${cells.split("/").at(-1)!} ${seed}`,
    ...(panel ? [`${panel.genes} genes (${panel.chosen})`] : []),
    ...(morphology === 1 ? [] : [`morphology ${morphology}`]),
  ].join(", ");
  const umiPerSpot = panel && panel.genes < 300 ? 2500 : 6000;
  return { name, cells, seed, panel, morphology, umiPerSpot };
}

export const RENDERED: readonly RenderedTissue[] = [
  tissue("human", 1),
  tissue("human", 2, { genes: 250, chosen: "markers" }),
  tissue("mouse", 1),
  tissue("pbmc", 1),
  tissue("pbmc", 2, { genes: 135, chosen: "markers" }),
  tissue("pbmc", 3, { genes: 250, chosen: "random" }),
  tissue("starmap", 1),
  tissue("starmap", 2, { genes: 480, chosen: "markers" }),
  tissue("starmap", 3, { genes: 135, chosen: "markers" }),
  tissue("starmap", 4, { genes: 250, chosen: "random" }),
  ...[3, 4].flatMap((seed) =>
    [1, 0.5].flatMap((morphology) => [
      tissue("human", seed, null, morphology),
      tissue("mouse", seed, null, morphology),
    ]),
  ),
  tissue("human", 1, null, 0),
  tissue("mouse", 1, null, 0),
  tissue("pbmc", 1, null, 0),
  tissue("starmap", 1, null, 0),
  tissue("pbmc", 4),
  tissue("pbmc", 5, { genes: 480, chosen: "random" }),
  tissue("pbmc", 6, null, 0.5),
  tissue("starmap", 5),
  tissue("starmap", 6, { genes: 200, chosen: "markers" }),
  tissue("starmap", 7, null, 0.5),
];

/** A folder's cells with all their genes and with subsets of them. */
export function tissuesOf(folder: string): RenderedTissue[] {
  return [
    tissue(folder, 1),
    tissue(folder, 2, { genes: 135, chosen: "markers" }),
    tissue(folder, 3, { genes: 200, chosen: "random" }),
  ];
}

/**
 * For every simulated kind of cell, the label that counts as true; for every label, its accepted names and its class.
 */
export interface TrueLabels {
  labelOf: Record<string, string>;
  accepted: Map<string, string[]> | null;
  classes: Record<string, string>;
}

const SIMULATED_CLASSES: Record<string, string> = {
  "Tumor epithelial": "Epithelial",
  "Luminal epithelial": "Epithelial",
  Myoepithelial: "Epithelial",
  Fibroblast: "Stromal",
  "Smooth muscle": "Stromal",
  Pericyte: "Stromal",
  Endothelial: "Endothelial",
  "T cell": "Lymphocyte",
  "B cell": "Lymphocyte",
  "Plasma cell": "Lymphocyte",
  Macrophage: "Myeloid",
  Microglia: "Myeloid",
  "Excitatory neuron": "Neuron",
  "Inhibitory neuron": "Neuron",
  Astrocyte: "Glia",
  Oligodendrocyte: "Glia",
  OPC: "Glia",
  Ependymal: "Glia",
};
const MEASURED_CLASSES: Record<string, string> = {
  "CD4+/CD25 T Reg": "Lymphocyte",
  "CD19+ B": "Lymphocyte",
  "CD56+ NK": "Lymphocyte",
  "CD34+": "Progenitor",
  "CD14+ Monocyte": "Myeloid",
  Dendritic: "Myeloid",
  eL2_3: "Neuron",
  PVALB: "Neuron",
  Astro: "Glia",
  Oligo: "Glia",
  Micro: "Myeloid",
  Endo: "Endothelial",
  Smc: "Stromal",
};

export async function trueLabels({ cells }: RenderedTissue): Promise<TrueLabels> {
  if (cells === "human" || cells === "mouse") {
    const labelOf = Object.fromEntries(Object.keys(SIMULATED_CLASSES).map((kind) => [kind, kind]));
    return { labelOf, accepted: null, classes: SIMULATED_CLASSES };
  }
  const first = (stands: Record<string, readonly string[]>): Record<string, string> =>
    Object.fromEntries(Object.entries(stands).map(([kind, labels]) => [kind, labels[0]]));
  if (cells === "pbmc" || cells === "starmap") {
    const { accepted } = await labeledCells(cells);
    return { labelOf: first(LABELS[cells]), accepted, classes: MEASURED_CLASSES };
  }
  const { cells: own, about } = labeledFolder(cells);
  return { labelOf: first(about.stands), accepted: own.accepted, classes: about.classes };
}

/** Makes and analyzes a tissue up to the types unless already done; returns its folders. */
export async function rendered(
  work: string,
  given: RenderedTissue,
  imageDifficulty: number,
): Promise<{ tissue: string; results: string }> {
  const name = imageDifficulty === 1 ? given.name : `${given.name} difficulty ${imageDifficulty}`;
  const folder = join(work, name.replaceAll(/[^a-z0-9]+/gi, "-"));
  const [tissue, results] = [join(folder, "tissue"), join(folder, "results")];
  if (!existsSync(join(tissue, "image.tif"))) {
    const measured = await measuredOf(given);
    await simulateTissue({
      out: tissue,
      seed: given.seed,
      species: measured?.species ?? (given.cells as "human" | "mouse"),
      sizeUm: 900,
      morphologyInformative: given.morphology,
      umiPerSpot: given.umiPerSpot,
      imageDifficulty,
      ...(measured ? { measured } : given.panel && { nGenes: given.panel.genes }),
    });
  }
  const request = {
    input: tissue,
    results,
    settings: analysisSettings.parse({
      platform: "visium",
      staining: "h_and_e",
      analysisType: "basic",
    }),
    threads: 2,
    signal: new AbortController().signal,
  };
  if (!existsSync(join(results, "step5_output"))) {
    for (const step of await analysis.plan(6, request)) {
      if (step <= 5) await analysis.runStep(step, request);
    }
  }
  return { tissue, results };
}

async function measuredOf({
  cells: from,
  panel,
}: RenderedTissue): Promise<(MeasuredCells & { species: "human" | "mouse" }) | null> {
  if (from === "human" || from === "mouse") return null;
  const [cells, stands, species] = await known(from);
  const genes = panel ? panelOf(cells, panel) : [...cells.symbols.keys()];
  const columns = genes.map((gene) => cells.table[gene]);
  return {
    species,
    genes: genes.map((gene) => ({
      id: cells.symbols[gene],
      symbol: cells.symbols[gene],
      role: "variable",
      markerOf: [],
      program: -1,
    })),
    ofKind: (kind) =>
      cells.labels.flatMap((label, cell) =>
        stands[kind].includes(label) ? [Float32Array.from(columns, (column) => column[cell])] : [],
      ),
  };
}

async function known(
  from: string,
): Promise<[LabeledCells, Record<string, readonly string[]>, "human" | "mouse"]> {
  if (from === "pbmc" || from === "starmap") {
    if (!existsSync(DATA)) throw new Error(`${DATA} is not there`);
    return [await labeledCells(from), LABELS[from], from === "pbmc" ? "human" : "mouse"];
  }
  const { cells, about } = labeledFolder(from);
  return [cells, about.stands, about.species];
}
