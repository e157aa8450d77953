import KDBush from "kdbush";
import { windowMeans } from "@stipple/numerics/area-sums";
import { GRID_PX } from "./tile-plan.ts";
import type { SegmentedImage } from "./segment-image.ts";

const RADII_UM = [25, 50, 100] as const;
/** Search radius for neighbors, µm; a more isolated cell gets this value. */
const REACH_UM = 60;

/** Names of the features from {@link neighborhoodFeatures}, using the names of the first two planes. */
export function neighborhoodNames(planes: readonly string[]): string[] {
  return [
    "neighbor_1_distance_um",
    "neighbor_3_distance_um",
    "neighbor_6_distance_um",
    "neighbor_nucleus_area_um2",
    "neighbors_within_50um",
    ...planes
      .slice(0, 2)
      .flatMap((name) => RADII_UM.map((radius) => `context_${radius}um_${name}`)),
  ];
}

/** count × neighborhoodNames(...).length. O(cells · neighbors + squares · radius). */
export function neighborhoodFeatures(
  image: SegmentedImage,
  umPerPx: number,
  nPlanes: number,
): Float32Array {
  const { count, centroid, nucleusAreaUm2, squares } = image;
  const used = Math.min(2, nPlanes);
  const nFeatures = 5 + used * RADII_UM.length;
  const result = new Float32Array(count * nFeatures);
  const index = new KDBush(Math.max(1, count));
  for (let i = 0; i < count; i++) index.add(centroid[2 * i], centroid[2 * i + 1]);
  if (count === 0) index.add(0, 0);
  index.finish();
  const reach = REACH_UM / umPerPx;
  for (let i = 0; i < count; i++) {
    const x = centroid[2 * i];
    const y = centroid[2 * i + 1];
    const near = index
      .within(x, y, reach)
      .filter((j) => j !== i)
      .map((j) => ({ j, d: Math.hypot(centroid[2 * j] - x, centroid[2 * j + 1] - y) * umPerPx }))
      .sort((a, b) => a.d - b.d || a.j - b.j);
    const at = (k: number): number => near[k - 1]?.d ?? REACH_UM;
    const six = near.slice(0, 6);
    const around =
      six.length > 0
        ? six.reduce((sum, { j }) => sum + nucleusAreaUm2[j], 0) / six.length
        : nucleusAreaUm2[i];
    const within = near.filter(({ d }) => d <= 50).length;
    result.set([at(1), at(3), at(6), around, within], i * nFeatures);
  }
  for (let plane = 0; plane < used; plane++) {
    RADII_UM.forEach((radius, r) => {
      const mean = windowMeans(
        squares.planes[plane],
        squares.width,
        squares.height,
        Math.max(1, Math.round(radius / umPerPx / GRID_PX)),
      );
      for (let i = 0; i < count; i++) {
        const column = Math.min(squares.width - 1, Math.floor(centroid[2 * i] / GRID_PX));
        const row = Math.min(squares.height - 1, Math.floor(centroid[2 * i + 1] / GRID_PX));
        result[i * nFeatures + 5 + plane * RADII_UM.length + r] =
          mean[row * squares.width + column];
      }
    });
  }
  return result;
}
