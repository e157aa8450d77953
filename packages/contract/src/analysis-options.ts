import * as z from "zod/mini";

/** What a project analyses and how. `resolution` (bin size in µm) belongs to HD Visium only. */
export const analysisOptions = z
  .object({
    platform: z.enum(["visium", "hd_visium"]),
    staining: z.enum(["h_and_e", "if"]),
    analysis_type: z.enum(["basic", "advanced"]),
    resolution: z.optional(z.enum(["8", "16"])),
  })
  .check((context) => {
    const options = context.value;
    if (options.platform === "hd_visium" && options.resolution === undefined) {
      context.issues.push({
        code: "custom",
        input: options,
        path: ["resolution"],
        message: "Please select a resolution for HD Visium analysis",
      });
    }
  });
export type AnalysisOptions = z.infer<typeof analysisOptions>;
