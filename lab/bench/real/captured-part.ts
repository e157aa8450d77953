import { Random } from "@stipple/numerics/random";
import { fromMaps } from "../../../packages/tissue/src/capture/hd-arrays.ts";
import type { MeasuredSection } from "./section.ts";

const SEED = 1;

/**
 * A section of which only a random share of the transcripts is captured, and whose cells are judged by the others. A
 * capture of all transcripts counts the very ones that cells are judged by, so their counting noise passes as
 * knowledge; this one does not.
 */
export function capturedPart(section: MeasuredSection, share: number): MeasuredSection {
  const { transcripts, cells, genes } = section;
  const random = new Random(SEED);
  const isCaptured = Uint8Array.from(transcripts.gene, () => (random.uniform() < share ? 1 : 0));
  const counts: Map<number, number>[] = cells.type.map(() => new Map());
  transcripts.cell.forEach((cell, i) => {
    if (cell < 0 || isCaptured[i] === 1) return;
    const gene = transcripts.gene[i];
    counts[cell].set(gene, (counts[cell].get(gene) ?? 0) + 1);
  });
  const isKept = (_: number, i: number): boolean => isCaptured[i] === 1;
  return {
    ...section,
    name: `${section.name}-${share}`,
    transcripts: {
      x: transcripts.x.filter(isKept),
      y: transcripts.y.filter(isKept),
      gene: transcripts.gene.filter(isKept),
      cell: transcripts.cell.filter(isKept),
    },
    cells: { ...cells, counts: fromMaps(counts, genes.length) },
  };
}
