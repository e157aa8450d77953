import { CELL_EVIDENCE } from "@stipple/contract";
import type { Field, FieldKey } from "../../fields.ts";
import type { HeldRates } from "../../model/rates.ts";
import type { AnalysisSettings } from "../../settings.ts";
import type { SpotEvidence } from "./anchored-types.ts";
import type { TypingInput } from "./assign-types.ts";
import { spotEvidence } from "./spot-evidence.ts";

type Read = <K extends FieldKey>(key: K) => Promise<Field<K>>;

/** What cells' own looks add to the correlation with held-out spots where they tell types, if not yet rates. */
const LEAST_GAIN = 0.03;

const BEYOND_REACH = CELL_EVIDENCE.indexOf("beyond_reach");

/** What types are told from, but for the clusters. */
export async function typingInput(
  read: Read,
  settings: Pick<AnalysisSettings, "species" | "tissue" | "seed">,
  { typeBeyondReach }: { typeBeyondReach: boolean },
): Promise<Omit<TypingInput, "clusters" | "nClusters" | "rates"> & { rates: HeldRates }> {
  const rates = await read("cells/rate");
  const evidence = await read("cells/evidence");
  return {
    nCells: rates.nCells,
    symbols: await read("genes/symbol"),
    ids: await read("genes/id"),
    reliable: await read("genes/reliable"),
    species: settings.species,
    tissue: settings.tissue,
    rates,
    spots: await lookAndSpots(read, settings.seed),
    counted: {
      overlap: await read("spots/cells"),
      byGene: await read("genes/spots"),
      observed: await read("cells/observed"),
      seed: settings.seed,
    },
    lookGain: (await read("sample/expression")).morphologyGain,
    withheld: typeBeyondReach
      ? undefined
      : Uint8Array.from(evidence, (code) => (code === BEYOND_REACH ? 1 : 0)),
    nucleated: (await read("sample/segmentation")).method !== "spot_level",
  };
}

/**
 * What the spots and the look of the cells say of their types. Undefined where looks say nothing of expression, neither
 * enough for single cells nor more than the looks of neighbors: what neighboring spots suggest is in the rates already.
 */
async function lookAndSpots(read: Read, seed: number): Promise<SpotEvidence | undefined> {
  if ((await read("sample/segmentation")).method === "spot_level") return undefined;
  const { morphologyHelps, morphologyGain } = await read("sample/expression");
  if (morphologyHelps === false && !((morphologyGain ?? 0) >= LEAST_GAIN)) return undefined;
  return spotEvidence({
    overlap: await read("spots/cells"),
    efficiency: await read("spots/efficiency"),
    byGene: await read("genes/spots"),
    features: await read("cells/features"),
    featureNames: await read("features/name"),
    spotComponents: await read("spots/X_pca"),
    nearSpot: await read("cells/near_spot"),
    nearWeight: await read("cells/near_weight"),
    seed,
  });
}
