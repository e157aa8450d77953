import { PLATFORMS, RESOLUTIONS } from "@stipple/contract/platforms/index";

export const projectMissing = {
  upload: "Project ID is missing. Please create a project first.",
  workflow: "Project ID is required. Please go back and create a project first.",
  results: "Project ID is missing. Please create a project first.",
  link: "Create a project",
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

/** Beside what a project analyzes. */
export const configurationTexts = {
  change: "Change",
  changeLabel: "Change the configuration",
} as const;

/** About a run, on every page that starts or follows one. */
export const runTexts = {
  failedFallback: "Failed to run workflow",
  sampleStarted: "The sample dataset is running. You don't need to upload anything.",
  sampleWaits: (reason: string) => `The sample dataset is ready but hasn't started: ${reason}`,
  waits: "Waits for your other runs",
  log: "Log (times in UTC)",
  logEmpty: "Messages about the run appear here.",
} as const;

/** What says which project results belong to. */
export const RESULT_TEXTS = {
  finished: (date: string): string => `Finished ${date}`,
};

export const projectNameTexts = {
  label: "Project name",
  required: "Please enter a project name",
} as const;
