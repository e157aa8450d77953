import { csvText } from "@stipple/contract/csv";
import { writePieces } from "../write-lines.ts";

/** How closely an antibody that was counted follows a channel of the fluorescence image. */
export interface ProteinChannel {
  protein: string;
  channel: string;
  /** Spots with cells. */
  spots: number;
  /** Pearson correlation over those spots; NaN if one of the two doesn't vary. */
  r: number;
}

/** One line per protein and channel; an empty correlation where one of them doesn't vary. */
export function writeProteinChannels(
  path: string,
  pairs: readonly ProteinChannel[],
): Promise<void> {
  return writePieces(path, lines(pairs));
}

function* lines(pairs: readonly ProteinChannel[]): Generator<string> {
  yield "protein,channel,spots,correlation\n";
  for (const { protein, channel, spots, r } of pairs) {
    yield `${[csvText(protein), csvText(channel), spots, Number.isNaN(r) ? "" : Number(r.toPrecision(6))].join()}\n`;
  }
}
