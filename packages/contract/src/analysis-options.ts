import * as z from "zod/mini";
import { PLATFORM_IDS, platformById, RESOLUTIONS } from "./platforms/index.ts";

/** What a project analyzes and how. `resolution` (bin size in µm) belongs to platforms with bins only. */
export const analysisOptions = z
  .object({
    platform: z.enum(PLATFORM_IDS),
    staining: z.enum(["h_and_e", "if"]),
    analysis_type: z.enum(["basic", "advanced"]),
    resolution: z.optional(z.enum(RESOLUTIONS)),
  })
  .check((context) => {
    const options = context.value;
    const { label, resolutions } = platformById(options.platform);
    if (resolutions.length > 0 && !resolutions.includes(options.resolution ?? "")) {
      context.issues.push({
        code: "custom",
        input: options,
        path: ["resolution"],
        message: resolutionRequired(label),
      });
    }
  });
export type AnalysisOptions = z.infer<typeof analysisOptions>;

export function resolutionRequired(label: string): string {
  return `Please select a resolution for ${label} analysis`;
}

/** The options without a resolution that their platform has no use for: what a form leaves behind is not kept. */
export function cleanOptions({ resolution, ...options }: AnalysisOptions): AnalysisOptions {
  const { resolutions } = platformById(options.platform);
  return resolution && resolutions.includes(resolution) ? { ...options, resolution } : options;
}
