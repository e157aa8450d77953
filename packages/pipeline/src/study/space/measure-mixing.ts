import { pickRows } from "@stipple/numerics/dense";
import type { Matrix } from "@stipple/numerics/matrices";
import { findNeighbors } from "@stipple/numerics/neighbors/find-neighbors";
import type { JointPoints } from "./joint-points.ts";
import { fullyMixed, LOOKED_AT, meanLisi, ownCondition } from "./mixing.ts";

/** Landmarks at which mixing is measured, among each other. */
const MEASURED = 20_000;

interface BeforeAfter {
  before: number;
  after: number;
}

/** How many samples and types there are in the neighborhood of a point, and how often its own condition. */
export interface Mixing {
  samples: BeforeAfter & { full: number };
  types: BeforeAfter | null;
  ownCondition: BeforeAfter | null;
}

/** Measures the mixing of samples, types, and conditions before and after correction. */
export async function measureMixing(
  components: { before: Matrix<Float32Array>; after: Matrix<Float32Array> },
  { landmarks, sampleOf, types, conditions }: JointPoints,
): Promise<Mixing> {
  const step = Math.ceil(landmarks.length / MEASURED);
  const points = Array.from(landmarks).filter((_, i) => i % step === 0);
  const samples = Int32Array.from(points, (point) => sampleOf[point]);
  const ofTypes = types && Int32Array.from(points, (point) => types.of[point] + 1);
  const measure = async ({ data, nCols }: Matrix<Float32Array>) => {
    const picked = { nRows: points.length, nCols, data: pickRows(data, nCols, points) };
    const near = await findNeighbors(picked, LOOKED_AT);
    return {
      samples: meanLisi(near, samples),
      full: fullyMixed(near, samples),
      types: ofTypes && meanLisi(near, ofTypes),
      condition: ownCondition(near, samples, conditions),
    };
  };
  const [before, after] = [await measure(components.before), await measure(components.after)];
  return {
    samples: { before: before.samples, after: after.samples, full: after.full },
    types: ofTypes && { before: before.types!, after: after.types! },
    ownCondition:
      before.condition === null || after.condition === null
        ? null
        : { before: before.condition, after: after.condition },
  };
}
