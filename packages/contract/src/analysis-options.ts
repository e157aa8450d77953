import * as z from "zod";

/** What a project analyses and how. `resolution` (bin size in µm) belongs to HD Visium only. */
export const analysisOptions = z
  .object({
    platform: z.enum(["visium", "hd_visium"]),
    staining: z.enum(["h_and_e", "if"]),
    analysis_type: z.enum(["basic", "advanced"]),
    resolution: z.enum(["8", "16"]).optional(),
  })
  .superRefine((options, check) => {
    if (options.platform === "hd_visium" && options.resolution === undefined) {
      check.addIssue({
        code: "custom",
        path: ["resolution"],
        message: "Please select a resolution for HD Visium analysis",
      });
    }
  });
export type AnalysisOptions = z.infer<typeof analysisOptions>;
