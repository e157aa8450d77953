import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { RealCellTissue } from "../accuracy/real-cells-section.ts";
import type { Accuracy } from "../accuracy/summary.ts";
import { writeAccuracy } from "../accuracy/write-documents.ts";
import type { NamedTissue } from "./name-rendered.ts";
import type { RenderedTissue } from "./rendered-tissues.ts";

const FILE = resolve(import.meta.dirname, "../../../docs/accuracy.json");
const CELLS: Record<string, string> = { pbmc: "human blood", starmap: "mouse cortex" };

/** Writes the figures of real cells to docs/accuracy.json and docs/accuracy.md. */
export async function writeRealCells(
  found: readonly { given: RenderedTissue; named: NamedTissue }[],
): Promise<void> {
  const figures = JSON.parse(await readFile(FILE, "utf8")) as Accuracy;
  figures.realCells = {
    command: "node lab/bench/typing.ts --only pbmc,starmap --write",
    tissues: found
      .map(({ given, named }) => tissueOf(given, named))
      .sort(
        (a, b) => a.cells.localeCompare(b.cells) || a.seed - b.seed || b.morphology - a.morphology,
      ),
  };
  await writeAccuracy(FILE.replace(/json$/, "md"), figures);
}

function tissueOf(given: RenderedTissue, named: NamedTissue): RealCellTissue {
  const { rates } = named;
  return {
    id: given.name,
    cells: CELLS[given.cells] ?? given.cells,
    seed: given.seed,
    genes: named.genes,
    morphology: given.morphology,
    trueCells: named.cells,
    broad: rounded(named.broad),
    types: rounded(named.types),
    unknown: rounded(named.unknown),
    right: rounded(named.right),
    profile: rounded(named.bestProfile),
    clusters: rounded(named.clustersTypes),
    rates: rates && {
      rate: rounded(rates.rate),
      interpolation: rounded(rates.interpolation),
      shuffledInSpots: rounded(rates.shuffledInSpots),
      trueType: rounded(rates.trueType),
    },
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
