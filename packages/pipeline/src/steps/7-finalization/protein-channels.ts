import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { pearson } from "@stipple/numerics/pearson";
import type { ProteinChannel } from "../../exports/csv/protein-channels.ts";
import { denseRow, transpose } from "@stipple/numerics/sparse";
import type { StepContext } from "../../step.ts";
import { normalizedProteins } from "../../model/cell-proteins.ts";

/** A mean over fewer spots says nothing. */
const MIN_SPOTS = 10;

/** The pairs of counted proteins and channels; none without proteins or a fluorescence image. */
export async function readProteinChannels({
  read,
  readIfAny,
}: Pick<StepContext, "read" | "readIfAny">): Promise<ProteinChannel[]> {
  const names = await readIfAny("proteins/name");
  const features = names && (await readIfAny("cells/features"));
  if (!features) return [];
  const channels = channelsOf(features, await read("features/name"));
  if (channels.length === 0) return [];
  return proteinChannels(
    names,
    await read("spots/protein_counts"),
    await read("spots/cells"),
    channels,
  );
}

/**
 * Correlates each protein's normalized counts per spot with each channel's mean intensity in the cells of the spot,
 * weighted by how much of them it captures. O(entries · channels + spots · proteins · channels).
 */
export function proteinChannels(
  names: readonly string[],
  counts: SparseMatrix,
  spotCells: SparseMatrix,
  channels: readonly { name: string; ofCell: Float32Array }[],
): ProteinChannel[] {
  const { nRows, indptr } = spotCells;
  const spots = Array.from({ length: nRows }, (_, spot) => spot).filter(
    (spot) => indptr[spot + 1] > indptr[spot],
  );
  if (spots.length < MIN_SPOTS) return [];
  const intensities = channels.map(({ ofCell }) =>
    spots.map((spot) => {
      let [sum, weight] = [0, 0];
      for (let k = indptr[spot]; k < indptr[spot + 1]; k++) {
        sum += spotCells.data[k] * ofCell[spotCells.indices[k]];
        weight += spotCells.data[k];
      }
      return sum / weight;
    }),
  );
  const ofProtein = transpose(normalizedProteins(counts));
  return names.flatMap((protein, row) => {
    const ofSpot = denseRow(ofProtein, row);
    const values = spots.map((spot) => ofSpot[spot]);
    return channels.map(({ name: channel }, at) => ({
      ...{ protein, channel, spots: spots.length },
      r: pearson(values, intensities[at]),
    }));
  });
}

/** Mean intensity of each cell in each channel of a fluorescence image, over its nucleus and the ring around it. */
function channelsOf(
  { nRows, nCols, data }: Matrix<Float32Array>,
  names: readonly string[],
): { name: string; ofCell: Float32Array }[] {
  const column = (name: string) => {
    const at = names.indexOf(name);
    return (cell: number): number => data[cell * nCols + at];
  };
  const inNucleus = column("nucleus_fraction");
  return names.flatMap((feature) => {
    const name = /^nucleus_(channel_.+)_mean$/.exec(feature)?.[1];
    if (name === undefined) return [];
    const [nucleus, ring] = [column(feature), column(`ring_${name}_mean`)];
    const ofCell = Float32Array.from({ length: nRows }, (_, cell) => {
      const share = inNucleus(cell);
      return share * nucleus(cell) + (1 - share) * ring(cell);
    });
    return [{ name, ofCell }];
  });
}
