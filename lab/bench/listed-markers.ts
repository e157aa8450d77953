/**
 * How often the genes that the catalog lists for a type are raised in measured cells of it, by their place in the list.
 *   node lab/bench/listed-markers.ts
 * Prints the number of genes, the shares that are raised 1.5 and 3 times over all other labeled cells, and the median raise.
 */
import { join } from "node:path";
import { MARKER_SETS, mouseSymbols } from "@stipple/pipeline/cell-types";
import { DATA } from "./judged-tissues/tissues.ts";
import { readPancreas } from "./real/pancreas.ts";
import { pbmc, starmap, type LabeledCells } from "./typing-datasets.ts";

/** Places in the list that begin a band. */
const BANDS = [0, 8, 16, 32];
/** Cells that a label needs, and counts that a gene needs. */
const MIN_CELLS = 15;
const MIN_COUNTS = 30;

const DATASETS: [LabeledCells, (human: string) => readonly string[]][] = [
  [await pancreasCells(), (human) => [human]],
  [await pbmc(join(DATA, "scrna-pbmc-reference/pbmc68k.h5ad")), (human) => [human]],
  [await starmap(join(DATA, "starmap-mouse-cortex")), mouseSymbols],
];
for (const [cells, spell] of DATASETS) {
  const raises = raisesByPlace(cells, spell);
  console.log(cells.name);
  console.table(
    raises.map((ofBand, band) => ({
      from: BANDS[band] + 1,
      genes: ofBand.length,
      "1.5 times": share(ofBand, 1.5),
      "3 times": share(ofBand, 3),
      median: Number(ofBand.sort((a, b) => a - b)[ofBand.length >> 1]?.toFixed(1)),
    })),
  );
}

function share(raises: readonly number[], least: number): number {
  return Number((raises.filter((raise) => raise > least).length / raises.length).toFixed(2));
}

/** Ratio of a gene's share of the counts in cells of its type to that in other cells, for all genes of each band. */
function raisesByPlace(
  { symbols, table, labels, accepted }: LabeledCells,
  spell: (human: string) => readonly string[],
): number[][] {
  const total = new Float32Array(labels.length);
  for (const row of table) row.forEach((value, cell) => (total[cell] += value));
  const bands = BANDS.map((): number[] => []);
  for (const [label, names] of accepted) {
    // Labels of the same types are cells of it as well.
    const isOwn = labels.map(
      (own) => own === label || (accepted.get(own) ?? []).some((name) => names.includes(name)),
    );
    if (isOwn.filter(Boolean).length < MIN_CELLS) continue;
    for (const { markers } of MARKER_SETS.filter(({ name }) => names.includes(name))) {
      markers.forEach((human, place) => {
        for (const symbol of spell(human)) {
          const row = table[symbols.indexOf(symbol)];
          if (!row) continue;
          // Counts of the gene, and of all genes.
          const own = [0, 0];
          const others = [0, 0];
          row.forEach((value, cell) => {
            if (!labels[cell]) return;
            const sums = isOwn[cell] ? own : others;
            sums[0] += value;
            sums[1] += total[cell];
          });
          if (own[0] + others[0] < MIN_COUNTS) continue;
          const raise = own[0] / own[1] / Math.max(1e-9, others[0] / others[1]);
          bands[BANDS.findLastIndex((from) => place >= from)].push(raise);
        }
      });
    }
  }
  return bands;
}

async function pancreasCells(): Promise<LabeledCells> {
  const { genes, cells, accepted } = await readPancreas();
  const labels = cells.type.map((type) => type ?? "");
  const table = genes.map(() => new Float32Array(labels.length));
  const { indptr, indices, data } = cells.counts;
  for (let cell = 0; cell < labels.length; cell++) {
    for (let i = indptr[cell]; i < indptr[cell + 1]; i++) table[indices[i]][cell] = data[i];
  }
  const names = [...accepted].map(([label, { names }]): [string, string[]] => [
    label,
    [label, ...names],
  ]);
  return { name: "pancreas tumor", symbols: genes, table, labels, accepted: new Map(names) };
}
