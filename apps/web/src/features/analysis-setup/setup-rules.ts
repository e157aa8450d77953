import type { Project } from "@stipple/contract";
import {
  cleanOptions,
  resolutionRequired,
  type AnalysisOptions,
} from "@stipple/contract/analysis-options";
import { platformById } from "@stipple/contract/platforms/index";
import { projectNameTexts } from "../../project/texts.ts";
import { setupTexts } from "./texts.ts";

/** The form as filled in so far; nothing is preselected. */
export interface Setup {
  name: string;
  platform: AnalysisOptions["platform"] | "";
  staining: AnalysisOptions["staining"] | "";
  analysisType: AnalysisOptions["analysis_type"] | "";
  resolution: NonNullable<AnalysisOptions["resolution"]> | "";
}

export const EMPTY_SETUP: Setup = {
  name: "",
  platform: "",
  staining: "",
  analysisType: "",
  resolution: "",
};

/** The form as a project was set up. */
export function setupOf({
  name,
  analysis_options: options,
}: Pick<Project, "name" | "analysis_options">): Setup {
  const { platform, staining, analysis_type: analysisType, resolution = "" } = options;
  return { name, platform, staining, analysisType, resolution };
}

/** The input for creating a project, or the first missing item, in the order name, options, resolution. */
export function checkSetup(
  setup: Setup,
): { problem: string } | { body: { project_name: string; analysis_options: AnalysisOptions } } {
  const { name, platform, staining, analysisType, resolution } = setup;
  if (name.trim() === "") return { problem: projectNameTexts.required };
  if (!platform || !staining || !analysisType) return { problem: setupTexts.optionsRequired };
  if (hasBins(platform) && !resolution)
    return { problem: resolutionRequired(platformById(platform).label) };
  return {
    body: {
      project_name: name.trim(),
      analysis_options: cleanOptions({
        platform,
        staining,
        analysis_type: analysisType,
        ...(resolution ? { resolution } : {}),
      }),
    },
  };
}

/** Whether a platform has bins whose size must be chosen. */
export function hasBins(platform: Setup["platform"]): boolean {
  return platform !== "" && platformById(platform).resolutions.length > 0;
}
