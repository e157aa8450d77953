import type { StudySpaceAnswer } from "@stipple/contract/routes/studies";
import { NO_TYPE, type StudyPoints } from "@stipple/contract/study-points";
import {
  clusterCounts,
  correctionWarnings,
  spaceColors,
  spaceSummary,
  type StudySpace,
} from "@stipple/pipeline/study";

const LARGEST = 65_535;

/** What a page says of a joint space. */
export function spaceAnswer(space: StudySpace, files: string[]): StudySpaceAnswer {
  const { kind, over, samples, nClusters } = space;
  const colors = spaceColors(space);
  const counts = clusterCounts(space);
  return {
    ...{ of: kind.of, on: kind.on, over, files },
    ...{ summary: spaceSummary(space), warnings: correctionWarnings(space) },
    samples: samples.map(({ name, condition, rows }, s) => ({
      ...{ name, condition, points: rows.length, color: colors.samples[s] },
    })),
    ...{ conditions: colors.conditions, types: colors.types },
    clusters: Array.from({ length: nClusters }, (_, cluster) => ({
      color: colors.clusters[cluster],
      samples: counts.map((own) => own[cluster]),
    })),
  };
}

/** What a page draws of it. */
export function spacePoints({ umap, cluster, types }: StudySpace): StudyPoints {
  return {
    before: onSquare(umap.before),
    after: onSquare(umap.after),
    cluster: Uint16Array.from(cluster),
    type: Uint16Array.from(cluster, (_, i) => {
      const type = types ? types.of[i] : -1;
      return type < 0 ? NO_TYPE : type;
    }),
  };
}

/** Positions in the middle of a square of whole numbers, both axes at one scale. */
function onSquare(xy: Float32Array): Uint16Array<ArrayBuffer> {
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  xy.forEach((value, i) => {
    low[i % 2] = Math.min(low[i % 2], value);
    high[i % 2] = Math.max(high[i % 2], value);
  });
  const side = Math.max(high[0] - low[0], high[1] - low[1]) || 1;
  const start = low.map((value, axis) => (value + high[axis] - side) / 2);
  return Uint16Array.from(xy, (value, i) => Math.round(((value - start[i % 2]) / side) * LARGEST));
}
