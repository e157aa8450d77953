import { DEFAULT_PLATFORM, PLATFORM_IDS, RESOLUTIONS } from "@stipple/contract";
import { knownTissue, tissueNames, TISSUES } from "@stipple/contract/tissues";
import * as z from "zod";

const tissue = z.preprocess(
  (name) => (typeof name === "string" ? (knownTissue(name) ?? name) : name),
  z.enum(TISSUES, { error: () => `Unknown tissue: use one of ${tissueNames()}.` }),
);

/** A text that can be stored as JSON everywhere. */
const text = (name: string) =>
  z.string().refine((value) => value.isWellFormed() && !value.includes("\0"), {
    error: `The setting ${name} has a null character or half of a character: remove it.`,
  });

/** What a user may choose for a run; everything has a default. */
export const chosenSettings = z.strictObject({
  species: z
    .enum(["human", "mouse"])
    .optional()
    .describe(
      "Species whose markers name the cell types; if not set, inferred from the gene symbols",
    ),
  tissue: tissue
    .optional()
    .describe(
      "Tissue whose cell types are considered, besides those found everywhere; if not set, inferred from the data",
    ),
  segmentation: z
    .enum(["network", "space_ranger"])
    .optional()
    .describe("How to find nuclei: neural network (recommended), Space Ranger outlines"),
  referenceLabels: text("referenceLabels")
    .min(1)
    .optional()
    .describe("The reference's obs column with the labels, if we don't recognize its name"),
  channelNames: text("channelNames")
    .trim()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      "Names of a fluorescence image's channels in their order, separated by commas; taken from the file if not set",
    ),
  seed: z.int().nonnegative().default(0).describe("Random seed"),
});
export const CHOSEN_SETTINGS = Object.keys(chosenSettings.shape);

/** All settings of a run. Stored in provenance.json. */
export const analysisSettings = z.strictObject({
  platform: z.enum(PLATFORM_IDS).default(DEFAULT_PLATFORM),
  staining: z.enum(["h_and_e", "if"]).default("h_and_e"),
  analysisType: z.enum(["basic", "advanced"]).default("basic"),
  /** Bin size in µm, for platforms with bins. */
  resolution: z.enum(RESOLUTIONS).optional(),
  ...chosenSettings.shape,
  /** What the report calls the sample; defaults to the input folder's name. */
  sampleName: z.string().trim().min(1).max(200).optional(),
});
export type AnalysisSettings = z.infer<typeof analysisSettings>;
export type SettingName = keyof AnalysisSettings;
export const SETTING_NAMES = Object.keys(analysisSettings.shape) as SettingName[];

/** The settings in `names`, in that order; accessing another one throws. */
export function onlySettings(
  settings: AnalysisSettings,
  names: readonly SettingName[],
): AnalysisSettings {
  const chosen = Object.fromEntries(
    names.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]),
  ) as AnalysisSettings;
  return new Proxy(chosen, {
    get(target, name) {
      if (name in analysisSettings.shape && !names.includes(name as SettingName)) {
        throw new Error(`The step does not declare the setting ${String(name)}`);
      }
      return Reflect.get(target, name) as unknown;
    },
  });
}
