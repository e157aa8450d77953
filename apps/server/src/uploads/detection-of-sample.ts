import type { DetectionAnswer } from "@stipple/contract";
import { hasWorkingCopy, lookAtDetection } from "@stipple/pipeline/samples";
import type { Storage } from "../storage/storage.ts";
import { limit, withCopies, type SampleOrder } from "./check-sample.ts";
import { catchInputError } from "./catch-input-error.ts";

/** The nuclei of a tile at several thresholds, or why they cannot be shown. */
export async function detectionOfSample(
  storage: Storage,
  { found, tile, ...order }: SampleOrder,
): Promise<DetectionAnswer> {
  const { parameters, place } = tile!;
  const hasCopy = await hasWorkingCopy(found!);
  // Whoever asks wants to wait for a large image.
  const largestCopy = Number.MAX_SAFE_INTEGER;
  const looking = withCopies(
    storage,
    { ...order, largestCopy },
    async (files): Promise<DetectionAnswer> => {
      const sample = { files, settings: order.settings, parameters };
      return { look: await lookAtDetection(found!, sample, place, limit()), fault: null };
    },
    hasCopy ? [] : ["image", "hires", "lowres"],
  );
  const seen = await catchInputError(looking, (fault) => ({ look: null, fault }));
  const incomplete = "The sample's files are not complete: upload those that are missing.";
  return seen ?? { look: null, fault: incomplete };
}
