import { referenceLevels } from "../cell-types/expected-levels.ts";
import { genesOfLabels } from "../reference/genes-of-labels.ts";
import { factsOf } from "../reference/given-reference.ts";
import type { Reference } from "../reference/read-reference.ts";
import type { Species } from "../species/guess-species.ts";
import { fitAnchored } from "./anchored-fit.ts";
import { trainingData, type SpotEvidence } from "./anchored-types.ts";
import { posteriorOfOwners } from "./component-owners.ts";
import type { FittedTypes } from "./fit-types.ts";
import { weighBySpots } from "./weigh-by-spots.ts";
import { REFERENCES } from "../model/constants.ts";
import { ROUNDS } from "../model/limits.ts";

/**
 * Fits a reference's labels to the spots' counts and the looks of cells, as `anchoredTypes` does with types of the catalog.
 * The labels' profiles are known up to a factor of each gene, so none has to be confirmed, nor named by its profile: a
 * label that the tissue lacks gets few cells. Then the spots around each cell weigh its labels (`weighBySpots`). Null if there are too few spots.
 */
export async function fitLabels(
  reference: Reference,
  spots: SpotEvidence,
  { species, tissue = "unknown", pause, progress }: LabelOptions,
): Promise<FittedTypes | null> {
  const { labels } = reference;
  const own = [...labels.keys()];
  const { genes, levels } = referenceLevels(reference, genesOfLabels(reference, spots.byGene));
  const data = trainingData(spots, [...genes]);
  if (!data) return null;
  const anchors = { nTypes: labels.length, data: levels.slice(0, labels.length * genes.length) };
  const model = await fitAnchored(data, anchors, {
    steps: ROUNDS.LAST_STEPS,
    measured: true,
    pause: async (step) => {
      progress(step / ROUNDS.LAST_STEPS);
      await pause();
    },
  });
  const posterior = await weighBySpots(model, [...genes], spots, pause);
  return {
    report: {
      species,
      tissue,
      tissueScores: {},
      types: labels.map((name, t) => ({
        name,
        markers: [...genes].filter(
          (_, g) => anchors.data[t * genes.length + g] >= REFERENCES.MIN_FOLD,
        ),
      })),
      reference: factsOf(reference),
    },
    // The last column is for cells of no label: none is.
    posterior: posteriorOfOwners(posterior, own, own),
  };
}

export interface LabelOptions {
  species: Species;
  tissue?: string | undefined;
  pause: () => Promise<void>;
  progress: (fraction: number) => void;
}
