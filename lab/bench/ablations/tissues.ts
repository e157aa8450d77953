import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { analysis, analysisSettings, type RunRequest } from "@stipple/pipeline";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { readTruth } from "@stipple/tissue";
import { writeSample, type Capture } from "../real/capture.ts";
import { readMerfish } from "../real/merfish.ts";
import { readPancreas } from "../real/pancreas.ts";
import type { MeasuredSection } from "../real/section.ts";
import { rendered, trueLabels, type TrueLabels } from "../typing/rendered-tissues.ts";
import { cropSection, type Crop } from "./crop-section.ts";

/** A tissue that results are judged on, analyzed up to the step before the rules. */
export interface PreparedTissue {
  /** Input, settings, and the folder with the results of steps 0–3. */
  request: Omit<RunRequest, "signal">;
  truth: TissueTruth;
}

/** What is known of a tissue's cells. */
export interface TissueTruth {
  /** nCells × 2, image px. */
  xy: Float64Array;
  umPerPx: number;
  symbols: string[];
  /** Counts (measured) or rates (rendered), cells × genes. */
  counts: SparseMatrix;
  /** Null: not judged. */
  type: (string | null)[];
  labels: TrueLabels | null;
}

export interface AblationTissue {
  name: string;
  on: "spots" | "bins";
  prepare(work: string): Promise<PreparedTissue>;
}

/** Tissues that chose no rule, except the pancreas, whose left half chose types' names. */
export const TISSUES: readonly AblationTissue[] = [
  measured("pancreas, spots", "visium", { x: 0, y: 0, width: 1050, height: 1300 }),
  measured("pancreas, 16 µm", "hd16", { x: 200, y: 300, width: 700, height: 700 }),
  measured("pancreas, 8 µm", "hd8", { x: 200, y: 300, width: 640, height: 640 }),
  measured("MERFISH brain, 8 µm", "hd8", null),
  drawn("human", 41, 1),
  drawn("starmap", 41, 1),
  drawn("mouse", 42, 0),
  drawn("human", 43, 1, 18_000),
  drawn("mouse", 44, 1, 18_000),
];

function measured(name: string, capture: Capture, area: Omit<Crop, "name"> | null): AblationTissue {
  return {
    name,
    on: capture === "visium" ? "spots" : "bins",
    async prepare(work) {
      const folder = join(work, name.replaceAll(/[^a-z0-9]+/gi, "-"));
      const [input, kept] = [join(folder, "sample"), join(folder, "truth")];
      if (!existsSync(kept)) {
        await mkdir(folder, { recursive: true });
        const whole = area ? await readPancreas() : await readMerfish();
        const section = area
          ? await cropSection(whole, { name, ...area }, join(folder, "crop.ome.tif"))
          : whole;
        await writeSample(section, capture, input);
        await writeFile(kept, serialize(truthOf(section)));
      }
      const request = {
        input,
        results: join(folder, "results"),
        settings: analysisSettings.parse({
          platform: capture === "visium" ? "visium" : "hd_visium",
          staining: "if",
          analysisType: "basic",
          ...(capture !== "visium" && { resolution: capture === "hd16" ? "16" : "8" }),
        }),
        threads: 1,
      };
      await analyzeUpTo3(request);
      return { request, truth: deserialize(await readFile(kept)) as TissueTruth };
    },
  };
}

function truthOf({ cells, umPerPx, genes, accepted }: MeasuredSection): TissueTruth {
  return {
    xy: cells.xy.map((um) => um / umPerPx),
    umPerPx,
    symbols: genes,
    counts: cells.counts,
    type: cells.type,
    labels:
      accepted.size === 0
        ? null
        : {
            labelOf: Object.fromEntries([...accepted.keys()].map((label) => [label, label])),
            accepted: new Map(
              [...accepted].map(([label, { names }]) => [label, [label, ...names]]),
            ),
            classes: Object.fromEntries(
              [...accepted].map(([label, { lineage }]) => [label, lineage]),
            ),
          },
  };
}

/** A rendered tissue: simulated cells, or measured ones (starmap), under a painted image. */
function drawn(cells: string, seed: number, morphology: number, nGenes?: number): AblationTissue {
  const given = {
    name: `${cells} ${seed}, morphology ${morphology}${nGenes ? `, ${nGenes} genes` : ""}`,
    cells,
    seed,
    panel: nGenes ? ({ genes: nGenes, chosen: "random" } as const) : null,
    morphology,
    umiPerSpot: nGenes ? 12_000 : 6000,
  };
  return {
    name: `rendered ${cells}${morphology === 0 ? ", looks say nothing" : ""}${nGenes ? ", transcriptome" : ""}`,
    on: "spots",
    async prepare(work) {
      const { tissue, results } = await rendered(work, given, 1);
      const truth = await readTruth(tissue);
      const { nRows, nCols, data } = truth.rates;
      return {
        request: {
          input: tissue,
          results,
          settings: analysisSettings.parse({
            platform: "visium",
            staining: "h_and_e",
            analysisType: "basic",
          }),
          threads: 1,
        },
        truth: {
          xy: truth.xy,
          umPerPx: truth.parameters.umPerPx,
          symbols: truth.genes.map(({ symbol }) => symbol),
          counts: {
            nRows,
            nCols,
            data,
            indptr: Uint32Array.from({ length: nRows + 1 }, (_, row) => row * nCols),
            indices: Uint32Array.from(data, (_, i) => i % nCols),
          },
          type: truth.type,
          labels: await trueLabels(given),
        },
      };
    },
  };
}

async function analyzeUpTo3(given: Omit<RunRequest, "signal">): Promise<void> {
  const request = { ...given, signal: new AbortController().signal };
  if (existsSync(join(given.results, "step3_output"))) return;
  for (const step of await analysis.plan(0, request)) {
    if (step <= 3) await analysis.runStep(step, request);
  }
}
