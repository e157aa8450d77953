import { PLATFORMS, RESOLUTIONS } from "@stipple/contract/platforms/index";
import { durationText } from "../components/duration-text.ts";

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
  description: "Tell us what was measured and how to analyze it.",
  nameLabel: "Project name",
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
  nameRequired: "Please enter a project name",
  optionsRequired: "Please complete all analysis options selections",
  created: "Project created successfully! Proceeding to file upload...",
  failed: (message: string) => `Error: ${message}`,
  failedFallback: "Failed to create project",
  sampleFallback: "Failed to create the sample project",
} as const;

/** What step 1 lets a person choose from. */
export const SETUP_CHOICES = {
  platform: PLATFORMS.filter(({ offered }) => offered).map(({ id, label, hint }) => ({
    value: id,
    label,
    hint,
  })),
  resolution: RESOLUTIONS.map((size) => ({
    value: size,
    label: `${size}x`,
    hint: `Bins of ${size} µm`,
  })),
  staining: [
    { value: "h_and_e", label: "H&E", hint: "Hematoxylin and eosin, brightfield" },
    { value: "if", label: "IF", hint: "Immunofluorescence" },
  ],
  analysisType: [
    {
      value: "basic",
      label: "Basic",
      hint: "Cells, types, expression, markers, and all exports. You can change to Advanced later without a new upload.",
    },
    {
      value: "advanced",
      label: "Advanced",
      hint: "Adds spatial domains, cell type neighborhoods, ligand–receptor pairs, and spatially variable genes. Takes a little longer.",
    },
  ],
} as const;

export const workflowTexts = {
  failed: (message: string) => `Error: ${message}`,
  failedFallback: "Failed to run workflow",
  statusFailed: (message: string) => `Error checking status: ${message}`,
  statusFallback: "The server gave an unexpected answer.",
  queued: (position: number) => `The workflow is queued at position ${position}.`,
  started: "The workflow has started.",
  sampleStarted: "The sample dataset is running. You don't need to upload anything.",
  sampleWaits: (reason: string) => `The sample dataset is ready but hasn't started: ${reason}`,
  otherActive: (project: string) => `Your project ${project} is queued or running.`,
  toOther: "Show project",
  toPricing: "See plans",
  toUpload: "Upload files",
  canceled: "The run was canceled. Finished steps are kept, and you can resume from any step.",
  cancelFallback: "Failed to cancel the run",
  loading: "Loading",
  steps: "Steps",
  startFrom: "Start from step",
  refresh: "Refresh",
  back: "Back",
  cancel: "Cancel run",
  keepRunning: "Keep running",
  cancelTitle: "Cancel this run?",
  cancelText: "Finished steps are kept, and you can resume later.",
  viewResults: "View results",
  hide: "Hide",
  overall: "Overall progress",
  log: "Log",
  logEmpty: "Messages about the run appear here.",
  queueTitle: "Waiting in the queue",
  queuePosition: (position: number | null) =>
    position === null ? "Checking your position in the queue." : `Position ${position}`,
  queueText: "Your run starts by itself. You can close this page.",
  timeLeft: (seconds: number) => `About ${durationText(seconds)} left`,
  processingTitle: "Processing your data",
  processingText: "You can close this page. The workflow keeps running.",
  completedTitle: "Your results are ready",
  completedText: "All steps are done.",
  phases: {
    idle: "Ready",
    queued: "Queued",
    processing: "Processing",
    completed: "Completed",
    failed: "Failed",
    canceled: "Canceled",
  },
  stepStates: { done: "Done", running: "Running", failed: "Failed", waiting: "Waiting" },
} as const;

export const resultsTexts = {
  statisticsFailed: "Error loading statistics",
  imagesFailed: "Error loading analysis images",
  visualizationError: (error: string) => `Error starting visualization: ${error}`,
  visualizationFailed: "Failed to start visualization",
  visualizationBlocked: "Your browser blocked the new tab.",
  visualizationLink: "Open the visualization",
  closedTitle: "These results are closed",
  closed:
    "Your trial or plan has ended. The results open again when you choose a plan, as long as they are stored.",
  seePlans: "See plans",
  downloadError: (error: string) => `Failed to download results: ${error}`,
  downloadStatus: (status: number) => `Download failed with status code ${status}`,
  downloadCut: "The connection broke. Please try again.",
  notWritten: "The file could not be saved. Check that your disk has enough space.",
  downloadOutcomes: {
    saved: "Download completed successfully!",
    "handed over":
      "The file is large, so your browser is downloading it directly. See its download list for progress.",
    cancelled: "The download was canceled.",
  },
  downloading: "Downloading results",
  progress: (loadedMb: string, totalMb: string, percent: number) =>
    `Downloading: ${percent}% (${loadedMb} MB / ${totalMb} MB)`,
  progressUnknown: (loadedMb: string) => `Downloading: ${loadedMb} MB`,
  notReady: "Results are not ready yet",
  notReadyText: "They appear here once all steps are done.",
  failed: "This analysis failed",
  failedText: "The log in Workflow Control says what happened.",
  canceled: "This run was canceled",
  canceledText: "Its finished steps are kept. Resume it to get results.",
  toWorkflow: "Go to Workflow Control",
  startVisualization: "Start Interactive Visualization",
  download: "Download Results",
  partsTitle: "Download a part",
  partsText: "Everything below is also in the zip file that Download Results saves.",
  downloadOne: "Download",
  downloadPart: (title: string) => `Download ${title}`,
  report: "Open Report",
  reportTitle: "Report",
  reportLoading: "Loading the report",
  toResults: "Results",
  tryAgain: "Try again",
  reportFailed: "Error loading the report",
  subscribe: "Subscribe to Download Results",
  back: "Back to Workflow Control",
  cancel: "Cancel",
  imagesTitle: "From spots to cells",
  inputImage: "Input (spot-based)",
  outputImage: "Output (cell-based)",
  inputAlt: "Input image (spot-based): the tissue with spots colored by cluster",
  outputAlt: "Output image (cell-based): the tissue with single cells colored by cell type",
  transformation: "Transformation",
  layout: "Layout of the images",
  bothImages: "Both images",
  compare: "Compare",
  compareLabel: "Divider between input and output image, percent from the left",
  scaleBarAlt: "Scale bar",
  keyAlt: (name: string) => `Colors of ${name}`,
  openImage: "Open full size",
  imageMissing: "The image appears here once the results are ready.",
  limitationsTitle: "Trial limitations",
  limitations: [
    "One analysis in total",
    "Interactive visualization for 4 days",
    "Results cannot be downloaded",
    "Projects are deleted after the trial expires",
  ],
} as const;
