import type { AnalysisOptions, RunChoices } from "@stipple/contract";
import { analysisSettings, type AnalysisSettings } from "@stipple/pipeline/settings";

/** The settings of a project's run: its options, values that suit its files, and the user's choices. */
export function runSettings(
  project: { name: string; options: AnalysisOptions; choices: RunChoices },
  inputs: readonly { slot: string }[],
): AnalysisSettings {
  const { platform, staining, analysis_type: analysisType, resolution } = project.options;
  return analysisSettings.parse({
    platform,
    staining,
    analysisType,
    resolution,
    sampleName: project.name.slice(0, 200),
    ...(inputs.some(({ slot }) => slot === "cells") ? { segmentation: "space_ranger" } : {}),
    ...project.choices.settings,
  });
}
