/** Sentences of the four-step analysis flow. */

export const ANALYSIS_STEPS = [
  { path: "step1", name: "Configuration" },
  { path: "step2", name: "File Upload" },
  { path: "step3", name: "Processing" },
  { path: "step4", name: "Results" },
] as const;

export const setupTexts = {
  title: "New project",
  description: "Tell us what was measured and how to analyze it.",
  changeTitle: "Project",
  changeDescription:
    "Uploaded files stay in place. Results stay as they are until the project runs again.",
  changeFallback: "Failed to change the project",
  namePlaceholder: "e.g. Mouse brain, section 2",
  platform: "Platform",
  resolution: "Resolution",
  staining: "Staining",
  analysisType: "Analysis type",
  more: "Species, tissue, segmentation, reference",
  moreOptional: "Optional",
  moreHint:
    "If you leave something blank, we work it out from the data. You can change all of this later without a new upload.",
  moreFailed: "We couldn't load these options. You can also set them after the analysis.",
  reference: "Reference (.h5ad)",
  referenceHint:
    "Labeled single cells of the same tissue, from which cell types are named. Without a reference, we use marker genes.",
  referenceWrong: "The reference must be an .h5ad file.",
  next: "Next",
  sampleTitle: "No data yet?",
  sampleText:
    "Try everything on a small simulated tissue. You need no files, and it never uses one of your analyses.",
  sampleButton: "Try the sample dataset",
  optionsRequired: "Please complete all analysis options selections",
  created: "Project created successfully! Proceeding to file upload...",
  failed: (message: string) => `Error: ${message}`,
  failedFallback: "Failed to create project",
  sampleFallback: "Failed to create the sample project",
} as const;
