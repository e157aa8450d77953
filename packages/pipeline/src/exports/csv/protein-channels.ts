import { sixDigits, writeTable } from "./table.ts";

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
  const rows = pairs.map(({ protein, channel, spots, r }) => [
    protein,
    channel,
    spots,
    sixDigits(r),
  ]);
  return writeTable(path, ["protein", "channel", "spots", "correlation"], rows);
}
