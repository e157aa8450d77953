import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { analysis, analysisSettings } from "@stipple/pipeline";
import { simulateTissue, type MeasuredCells } from "@stipple/tissue";
import { pbmc, starmap, type LabelledCells } from "../typing-datasets.ts";

const DATA = resolve(import.meta.dirname, "../../../shared/data");
const SIDE_UM = 1000;
/** The steps that typing builds on. */
const STEPS_BEFORE = [0, 1, 2, 3, 4] as const;

/** One tissue that confidence is fitted or tried on. */
export interface CalibrationTissue {
  kind: "human" | "mouse" | "pbmc" | "starmap";
  seed: number;
  morphology: number;
}

/** Which measured cells stand for each simulated kind, by their labels. */
const LABELS: Record<"pbmc" | "starmap", Record<string, readonly string[]>> = {
  pbmc: {
    "T cell": [
      "CD4+/CD25 T Reg",
      "CD4+/CD45RA+/CD25- Naive T",
      "CD4+/CD45RO+ Memory",
      "CD8+ Cytotoxic T",
      "CD8+/CD45RA+ Naive Cytotoxic",
    ],
    "B cell": ["CD19+ B"],
    "Plasma cell": ["CD34+"],
    Macrophage: ["CD14+ Monocyte"],
    "Tumor epithelial": ["CD14+ Monocyte"],
    "Luminal epithelial": ["Dendritic"],
    Myoepithelial: ["CD56+ NK"],
    Fibroblast: ["CD56+ NK"],
    Endothelial: ["Dendritic"],
    "Smooth muscle": ["CD19+ B"],
  },
  starmap: {
    "Excitatory neuron": ["eL2_3", "eL4", "eL5", "eL6", "HPC"],
    "Inhibitory neuron": ["PVALB", "SST", "VIP", "Reln"],
    Astrocyte: ["Astro"],
    Oligodendrocyte: ["Oligo"],
    OPC: ["Oligo"],
    Microglia: ["Micro"],
    Endothelial: ["Endo"],
    Pericyte: ["Smc"],
    Ependymal: ["Astro"],
  },
};

const folderName = ({ kind, seed, morphology }: CalibrationTissue): string =>
  `${kind}-${seed}-${morphology}`;

/** Folders of a tissue below the work folder. */
export function foldersOf(
  work: string,
  tissue: CalibrationTissue,
): { tissue: string; results: string } {
  const folder = join(work, folderName(tissue));
  return { tissue: join(folder, "tissue"), results: join(folder, "results") };
}

/** Makes a tissue and runs the steps before typing, unless its results lie there and still fit. */
export async function prepare(work: string, tissue: CalibrationTissue): Promise<void> {
  const folders = foldersOf(work, tissue);
  const { kind, seed, morphology } = tissue;
  const semiReal = kind === "pbmc" || kind === "starmap";
  if (!existsSync(join(folders.tissue, "image.tif"))) {
    await simulateTissue({
      out: folders.tissue,
      sizeUm: SIDE_UM,
      species: kind === "mouse" || kind === "starmap" ? "mouse" : "human",
      seed,
      morphologyInformative: morphology,
      ...(semiReal && { measured: await measuredCells(kind) }),
    });
  }
  await runSteps(folders, STEPS_BEFORE);
}

/** Runs the steps named that no longer fit their inputs. */
export async function runSteps(
  folders: { tissue: string; results: string },
  wanted: readonly (0 | 1 | 2 | 3 | 4 | 5)[],
): Promise<void> {
  const request = {
    input: folders.tissue,
    results: folders.results,
    settings: analysisSettings.parse({
      platform: "visium",
      staining: "h_and_e",
      analysisType: "basic",
    }),
    threads: 2,
    signal: new AbortController().signal,
  };
  const planned = await analysis.plan(6, request);
  for (const step of wanted) if (planned.includes(step)) await analysis.runStep(step, request);
}

/** Names that are right for a true cell. */
export async function acceptedNames(
  kind: CalibrationTissue["kind"],
): Promise<Map<string, string[]> | null> {
  if (kind !== "pbmc" && kind !== "starmap") return null;
  const { accepted } = await labelledCells(kind);
  return new Map(
    Object.entries(LABELS[kind]).map(([name, labels]) => [name, accepted.get(labels[0])!]),
  );
}

async function measuredCells(kind: "pbmc" | "starmap"): Promise<MeasuredCells> {
  const { input, labels } = await labelledCells(kind);
  const columns = input.symbols.map((_, gene) => input.rates.column(gene));
  return {
    genes: input.symbols.map((symbol) => ({
      id: symbol,
      symbol,
      role: "variable",
      markerOf: [],
      programme: -1,
    })),
    ofKind: (name) =>
      labels.flatMap((label, cell) =>
        LABELS[kind][name]!.includes(label)
          ? [Float32Array.from(columns, (column) => column[cell]!)]
          : [],
      ),
  };
}

function labelledCells(kind: "pbmc" | "starmap"): Promise<LabelledCells> {
  return kind === "pbmc"
    ? pbmc(join(DATA, "scrna-pbmc-reference/pbmc68k.h5ad"))
    : starmap(join(DATA, "starmap-mouse-cortex"));
}
