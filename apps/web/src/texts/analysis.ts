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
  nameRequired: "Please enter a project name",
  optionsRequired: "Please complete all analysis options selections",
  resolutionRequired: "Please select a resolution for HD Visium analysis",
  created: "Project created successfully! Proceeding to file upload...",
  failed: (message: string) => `Error: ${message}`,
  failedFallback: "Failed to create project",
  sampleFallback: "Failed to create the sample project",
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
