import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { platformById } from "@stipple/contract";
import { analysis, analysisSettings, type AnalysisSettings } from "@stipple/pipeline";
import { simulateTissue, type MeasuredCells } from "@stipple/tissue";
import { pbmc, starmap, type LabeledCells } from "../typing-datasets.ts";
import { spoilImage, type Spoiled } from "./spoil-image.ts";

/** Open data next to the checkout, or one folder higher for a worktree. */
const PLACES = ["../../../../shared/data", "../../../../../shared/data"].map((path) =>
  resolve(import.meta.dirname, path),
);
export const DATA = PLACES.find((path) => existsSync(path)) ?? PLACES[0];

/** Source of a tissue's cells: simulated, or measured ones under a rendered image. */
export type TissueKind = "human" | "mouse" | "pbmc" | "starmap";

/** One tissue with known ground truth. */
export interface JudgedTissue {
  kind: TissueKind;
  seed: number;
  /** How informative the cells' appearance is about their type: 1 as in the catalog, 0 not at all. */
  morphology: number;
  sizeUm: number;
  cellDensity: number;
  umiPerSpot: number;
  platform: "visium" | "hd_visium";
  staining: "h_and_e" | "if";
  umPerPx: number;
  /** How difficult nuclei are to see: 0 in a clean image, 1 as in real sections. */
  imageDifficulty: number;
  image: Spoiled | "own";
  /** Whether an HD slide also includes its 2 µm bins. */
  fineBins?: boolean;
  /** Number of genes, if not the usual panel. */
  nGenes?: number;
  /** Size of the bins to analyze, µm, if not 8. */
  resolution?: 16;
}

const USUAL: Omit<JudgedTissue, "kind" | "seed" | "morphology"> = {
  sizeUm: 900,
  cellDensity: 4200,
  umiPerSpot: 6000,
  platform: "visium",
  staining: "h_and_e",
  umPerPx: 0.5,
  imageDifficulty: 1,
  image: "own",
};

/** Like a section with whole-transcriptome counts. */
const GENOME = { nGenes: 18_000, umiPerSpot: 12_000 } as const;
const HD = { platform: "hd_visium", sizeUm: 500 } as const;

/** A tissue with default properties except those given. */
export function tissue(
  kind: TissueKind,
  seed: number,
  morphology: number,
  other: Partial<JudgedTissue> = {},
): JudgedTissue {
  return { ...USUAL, kind, seed, morphology, ...other };
}

/**
 * The tissues on which verdict and confidence are evaluated: appearance, depth, density, size, and image vary one at a
 * time. Images are as difficult as real sections, except where stated.
 */
export const TISSUES: readonly JudgedTissue[] = [
  ...(["human", "mouse", "pbmc", "starmap"] as const).flatMap((kind) =>
    [1, 0.5, 0].map((morphology) => tissue(kind, 1, morphology)),
  ),
  tissue("human", 2, 1, { umiPerSpot: 1000 }),
  tissue("mouse", 2, 1, { umiPerSpot: 1000 }),
  tissue("human", 3, 1, { image: "wrong" }),
  tissue("mouse", 3, 1, { image: "shifted" }),
  tissue("human", 4, 1, { image: "blurred" }),
  tissue("mouse", 4, 1, { image: "wrong" }),
  tissue("human", 12, 1, { image: "shifted" }),
  tissue("human", 6, 1, { cellDensity: 2000 }),
  tissue("mouse", 6, 1, { cellDensity: 7000 }),
  tissue("human", 5, 1, { sizeUm: 600 }),
  tissue("mouse", 5, 0.5, { sizeUm: 600 }),
  tissue("human", 8, 1, { platform: "hd_visium", sizeUm: 500, umiPerSpot: 120 }),
  tissue("human", 10, 1, { staining: "if" }),
  tissue("human", 7, 0.25),
  tissue("mouse", 11, 0, { umiPerSpot: 20_000 }),
  tissue("human", 13, 1, { umPerPx: 1 }),
  tissue("pbmc", 2, 1, { image: "wrong" }),
  tissue("starmap", 2, 1, { umiPerSpot: 20_000 }),
  tissue("human", 14, 0.5, { ...HD, umiPerSpot: 120 }),
  tissue("mouse", 14, 0, { ...HD, umiPerSpot: 120 }),
  tissue("mouse", 15, 1, { ...HD, umiPerSpot: 40 }),
  tissue("starmap", 3, 1, { ...HD, umiPerSpot: 300 }),
  tissue("pbmc", 3, 0.5, { ...HD, umiPerSpot: 120 }),
  tissue("mouse", 10, 0.5, { staining: "if" }),
  tissue("mouse", 16, 1, { image: "blurred" }),
  tissue("pbmc", 4, 1, { image: "blurred" }),
  tissue("human", 15, 0.5, { sizeUm: 600 }),
  tissue("starmap", 4, 1, { sizeUm: 600 }),
  tissue("human", 16, 1, { sizeUm: 1800 }),
  tissue("mouse", 17, 0.5, { sizeUm: 1800 }),
  tissue("human", 18, 1, { imageDifficulty: 0 }),
  tissue("human", 19, 0.5, { imageDifficulty: 0 }),
  tissue("mouse", 18, 1, { imageDifficulty: 0 }),
  tissue("mouse", 19, 0.5, { imageDifficulty: 0 }),
  tissue("pbmc", 5, 1, { imageDifficulty: 0 }),
  tissue("starmap", 5, 1, { imageDifficulty: 0 }),
  tissue("human", 20, 1, { ...HD, umiPerSpot: 120, imageDifficulty: 0 }),
  tissue("human", 31, 1, { ...HD, sizeUm: 1500, umiPerSpot: 120 }),
  tissue("human", 33, 1, { ...HD, sizeUm: 900, umiPerSpot: 60 }),
  tissue("human", 61, 1, { ...HD, umiPerSpot: 600 }),
  tissue("human", 64, 1, { ...HD, umiPerSpot: 20 }),
  tissue("human", 65, 0.5, { ...HD, umiPerSpot: 300 }),
  tissue("mouse", 61, 1, { ...HD, umiPerSpot: 300 }),
  tissue("pbmc", 61, 1, { ...HD, umiPerSpot: 300 }),
  tissue("pbmc", 62, 0, { ...HD, umiPerSpot: 60 }),
  tissue("starmap", 61, 1, { ...HD, umiPerSpot: 120 }),
  tissue("starmap", 62, 0.5, { ...HD, umiPerSpot: 600 }),
  ...[
    tissue("human", 8, 1, { ...HD, umiPerSpot: 120 }),
    tissue("human", 14, 0.5, { ...HD, umiPerSpot: 120 }),
    tissue("human", 20, 1, { ...HD, umiPerSpot: 120, imageDifficulty: 0 }),
    tissue("mouse", 15, 1, { ...HD, umiPerSpot: 40 }),
    tissue("starmap", 3, 1, { ...HD, umiPerSpot: 300 }),
    tissue("pbmc", 3, 0.5, { ...HD, umiPerSpot: 120 }),
  ].map((hd): JudgedTissue => ({ ...hd, resolution: 16 })),
  tissue("human", 63, 1, { ...HD, umiPerSpot: 120, nGenes: 18_000 }),
  tissue("mouse", 63, 0.5, { ...HD, umiPerSpot: 60, nGenes: 18_000 }),
  ...(["human", "mouse"] as const).flatMap((kind) => [
    tissue(kind, 21, 1, GENOME),
    tissue(kind, 21, 0.5, GENOME),
  ]),
  tissue("human", 22, 1, { ...GENOME, umiPerSpot: 4000 }),
  tissue("mouse", 22, 1, { ...GENOME, umiPerSpot: 30_000 }),
  tissue("human", 23, 1, { ...GENOME, image: "wrong" }),
];

/** A short id for file names and for choosing tissues on the command line. */
export function idOf(tissue: JudgedTissue): string {
  const { kind, seed, morphology } = tissue;
  const other = (Object.keys(USUAL) as (keyof typeof USUAL)[]).flatMap((key) =>
    tissue[key] === USUAL[key] ? [] : [String(tissue[key])],
  );
  const genome = tissue.nGenes === undefined ? [] : [`${tissue.nGenes}genes`];
  const bins = tissue.resolution === undefined ? [] : [`${tissue.resolution}um`];
  return [kind, seed, `m${morphology}`, ...other, ...genome, ...bins].join("-");
}

/** The id without the size of the analyzed bins, for leaving out everything that was made from the same section. */
export function sectionOf({ resolution: _resolution, ...section }: JudgedTissue): string {
  return idOf(section);
}

/** Whether a tissue is made from measured cells. */
export function isMeasured(kind: TissueKind): kind is "pbmc" | "starmap" {
  return kind === "pbmc" || kind === "starmap";
}

/** Labels of the measured cells that replace each simulated kind. */
export const LABELS: Record<"pbmc" | "starmap", Record<string, readonly string[]>> = {
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

/** Folders of a tissue's files and results. */
export interface TissueFolders {
  tissue: string;
  results: string;
}

export function settingsOf(tissue: JudgedTissue): AnalysisSettings {
  const { platform, staining } = tissue;
  const resolution = tissue.resolution ?? platformById(platform).resolutions[0];
  return analysisSettings.parse({
    platform,
    staining,
    analysisType: "basic",
    ...(resolution === undefined ? {} : { resolution: String(resolution) }),
  });
}

/** Makes a tissue unless it exists. */
export async function makeTissue(folder: string, tissue: JudgedTissue): Promise<void> {
  const { kind, morphology, image, resolution: _resolution, ...others } = tissue;
  const species = kind === "mouse" || kind === "starmap" ? "mouse" : "human";
  const options = { ...others, species } as const;
  if (existsSync(join(folder, "image.tif"))) return;
  await simulateTissue({
    ...options,
    out: folder,
    morphologyInformative: morphology,
    ...(isMeasured(kind) && { measured: await measuredCells(kind) }),
  });
  if (image !== "own") await spoilImage(folder, image, options);
}

/** Makes a tissue unless it exists, and analyzes it up to the types. */
export async function analyze(folders: TissueFolders, tissue: JudgedTissue): Promise<void> {
  await makeTissue(folders.tissue, tissue);
  const request = {
    input: folders.tissue,
    results: folders.results,
    settings: settingsOf(tissue),
    threads: 2,
    // Force acceptance of spoiled images, to measure how bad the results are.
    parameters: { "optical-decomposition": { acceptImage: tissue.image !== "own" } },
    signal: new AbortController().signal,
  };
  for (const step of await analysis.plan(6, request)) {
    if (step <= 5) await analysis.runStep(step, request);
  }
}

/** Names accepted for a true cell; null if the simulator's own names apply. */
export async function acceptedNames(kind: TissueKind): Promise<Map<string, string[]> | null> {
  if (!isMeasured(kind)) return null;
  const { accepted } = await labeledCells(kind);
  return new Map(
    Object.entries(LABELS[kind]).map(([name, labels]) => [name, accepted.get(labels[0])!]),
  );
}

async function measuredCells(kind: "pbmc" | "starmap"): Promise<MeasuredCells> {
  const { symbols, table: columns, labels } = await labeledCells(kind);
  return {
    genes: symbols.map((symbol) => ({
      id: symbol,
      symbol,
      role: "variable",
      markerOf: [],
      program: -1,
    })),
    ofKind: (name) =>
      labels.flatMap((label, cell) =>
        LABELS[kind][name].includes(label)
          ? [Float32Array.from(columns, (column) => column[cell])]
          : [],
      ),
  };
}

export function labeledCells(kind: "pbmc" | "starmap"): Promise<LabeledCells> {
  return kind === "pbmc"
    ? pbmc(join(DATA, "scrna-pbmc-reference/pbmc68k.h5ad"))
    : starmap(join(DATA, "starmap-mouse-cortex"));
}
