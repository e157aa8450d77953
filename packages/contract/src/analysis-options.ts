import * as z from "zod/mini";
import { PLATFORM_IDS, platformById, RESOLUTIONS } from "./platforms/index.ts";

const choices = {
  platform: z.enum(PLATFORM_IDS),
  staining: z.enum(["h_and_e", "if"]),
  analysis_type: z.enum(["basic", "advanced"]),
};
const resolution = z.enum(RESOLUTIONS);

/** What a project analyzes and how. `resolution` (bin size in µm) belongs to platforms with bins only. */
export const analysisOptions = z
  .object({ ...choices, resolution: z.optional(resolution) })
  .check(needsResolution);
export type AnalysisOptions = z.infer<typeof analysisOptions>;

/** Options as forms send them: an unset resolution may be empty or null. */
export const chosenOptions = z
  .object({
    ...choices,
    resolution: z.optional(z.union([resolution, z.literal(""), z.null()])),
  })
  .check(needsResolution);
export type ChosenOptions = z.infer<typeof chosenOptions>;

function needsResolution({ value, issues }: z.core.ParsePayload<ChosenOptions>): void {
  const { label, resolutions } = platformById(value.platform);
  if (resolutions.length > 0 && !resolutions.includes(value.resolution ?? "")) {
    issues.push({
      code: "custom",
      input: value,
      path: ["resolution"],
      message: resolutionRequired(label),
    });
  }
}

export function resolutionRequired(label: string): string {
  return `Please select a resolution for ${label} analysis`;
}

/** The options without a resolution that the platform does not use, such as one left over in a form. */
export function cleanOptions({ resolution, ...options }: ChosenOptions): AnalysisOptions {
  const { resolutions } = platformById(options.platform);
  return resolution && resolutions.includes(resolution) ? { ...options, resolution } : options;
}
