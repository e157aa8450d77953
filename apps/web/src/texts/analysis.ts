/** Sentences of the four-step analysis flow. */

export const ANALYSIS_STEPS = [
  { path: "step1", name: "Configuration" },
  { path: "step2", name: "File Upload" },
  { path: "step3", name: "Processing" },
  { path: "step4", name: "Results" },
] as const;

export const projectMissing = {
  upload: "Project ID is missing. Please create a project first.",
  workflow: "Project ID is required. Please go back and create a project first.",
  results: "Project ID is missing. Please create a project first.",
  link: "Create a project",
} as const;

export const setupTexts = {
  title: "New project",
  description: "What was measured, and how it is to be analysed.",
  nameLabel: "Project name",
  namePlaceholder: "e.g. Mouse brain, section 2",
  platform: "Platform",
  resolution: "Resolution",
  staining: "Staining",
  analysisType: "Analysis type",
  next: "Next",
  sampleTitle: "No data at hand?",
  sampleText:
    "See the whole analysis on a small simulated tissue, whose true cells are known. No files are needed.",
  sampleButton: "Try the sample dataset",
  nameRequired: "Please enter a project name",
  optionsRequired: "Please complete all analysis options selections",
  resolutionRequired: "Please select a resolution for HD Visium analysis",
  created: "Project created successfully! Proceeding to file upload...",
  failed: (message: string) => `Error: ${message}`,
  failedFallback: "Failed to create project",
  sampleFallback: "Failed to create the sample project",
} as const;

/** What step 1 lets a person choose from. */
export const SETUP_CHOICES = {
  platform: [
    { value: "visium", label: "Visium", hint: "Spots of 55 µm, 100 µm apart" },
    { value: "hd_visium", label: "HD Visium", hint: "Continuous bins of 2, 8 or 16 µm" },
  ],
  resolution: [
    { value: "8", label: "8x", hint: "Bins of 8 µm" },
    { value: "16", label: "16x", hint: "Bins of 16 µm" },
  ],
  staining: [
    { value: "h_and_e", label: "H&E", hint: "Haematoxylin and eosin, brightfield" },
    { value: "if", label: "IF", hint: "Immunofluorescence" },
  ],
  analysisType: [
    { value: "basic", label: "Basic", hint: "The standard method" },
    { value: "advanced", label: "Advanced", hint: "More thorough models where there are any; takes longer" },
  ],
} as const;

export const workflowTexts = {
  failed: (message: string) => `Error: ${message}`,
  failedFallback: "Failed to run workflow",
  statusFailed: (message: string) => `Error checking status: ${message}`,
  statusFallback: "the server did not answer as expected",
  queued: (position: number) => `Workflow queued at position ${position}.`,
  started: "Workflow started.",
  alreadyActive: "You already have a workflow in progress.",
  cancelled: "The run was cancelled. Finished steps are kept.",
  cancelFallback: "Failed to cancel the run",
  completed: "Workflow completed. The results are ready.",
} as const;

export const resultsTexts = {
  statisticsFailed: "Error loading statistics",
  imagesFailed: "Error loading analysis images",
  visualizationError: (error: string) => `Error starting visualization: ${error}`,
  visualizationFailed: "Failed to start visualization",
  visualizationOpened: "The interactive visualization opens in a new tab.",
  visualizationBlocked: "Your browser kept the new tab from opening.",
  downloadError: (error: string) => `Failed to download results: ${error}`,
  downloadStatus: (status: number) => `Download failed with status code ${status}`,
  downloadDone: "Download completed successfully!",
  downloadCancelled: "Download cancelled.",
  notReady: "Results are not ready yet",
} as const;
